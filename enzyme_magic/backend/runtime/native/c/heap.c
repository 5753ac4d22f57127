/* Heap memory and its shadows.

   The shadow of an allocation is a block of its own of the same size, zeroed, behind a header that says whether the program freed
   the primal. An allocation that failed (null) has a null shadow. In reverse mode nothing is freed while the reverse sweep may still
   read it: a `free` of the program only sets the header, and the reversed allocation, the last place that can need the memory, frees
   the shadow and, if the header says so, the primal. The header holds integers, which TBAA tells the derivatives of this code. */
#include "derivative.h"
#include "blocks.h"

void *shadow_block(word align, word bytes) __asm__("em.run.shadow_block") __attribute__((malloc));

static inline __attribute__((always_inline)) struct header *header_of(void *shadow) { return (struct header *)shadow - 1; }

void *shadow_allocate(void *primal, word bytes) NAMED("shadow.allocate");
void *shadow_allocate(void *primal, word bytes)
{
    if (!primal) return 0;
    word whole = (bytes + 2*HEADER - 1) & -(word)HEADER;
    struct header *header = shadow_block(HEADER, whole);
    __builtin_memset(header, 0, whole);
    header->size = bytes;
    header->mark = MARK_OF(primal);
    return header + 1;
}

/* The size that was asked for. A function of its own, so that a derivative of this code need not ask what lies in a header. */
word heap_size(void *shadow) NAMED("heap.size");
word heap_size(void *shadow) { return header_of(shadow)->size; }

void shadow_free(void *primal, void *shadow) NAMED("shadow.free");
void shadow_free(void *primal, void *shadow)
{
    if (!primal) return;
    *(volatile word *)&header_of(shadow)->mark = 0; /* given back: LLVM would leave the store out */
    free(header_of(shadow));
}

void heap_freed(void *primal, void *shadow) NAMED("heap.freed");
void heap_freed(void *primal, void *shadow)
{
    if (primal) header_of(shadow)->freed = 1;
}

void heap_release(void *primal, void *shadow) NAMED("heap.release");
void heap_release(void *primal, void *shadow)
{
    if (!primal) return;
    if (header_of(shadow)->freed) free(primal);
    free(header_of(shadow));
}
