/* realloc of memory that has shadows: in terms of heap.c, because a derivative of this code follows into it and not further. */
#include "derivative.h"

void *shadow_allocate(void *primal, word bytes) NAMED("shadow.allocate");
word heap_size(void *shadow) NAMED("heap.size");
void heap_release(void *primal, void *shadow) NAMED("heap.release");
void heap_freed(void *primal, void *shadow) NAMED("heap.freed");

/* After a realloc in forward mode: the old block goes, unless there is no new one. */
void heap_release_old(void *new, void *old, void *old_shadow) NAMED("heap.release.old");
void heap_release_old(void *new, void *old, void *old_shadow)
{
    if (new) heap_release(old, old_shadow);
}

/* The bytes that a realloc of `old` to `bytes` takes over to `new`. The allocator may have given the primal more than was asked for;
   the shadow has the size that was asked for. */
word heap_common(void *new, void *old, void *old_shadow, word bytes) NAMED("heap.common");
word heap_common(void *new, void *old, void *old_shadow, word bytes)
{
    if (!new || !old) return 0;
    word asked = heap_size(old_shadow);
    return asked < bytes ? asked : bytes;
}

void *heap_reallocate(void *old, void *old_shadow, word bytes) NAMED("heap.reallocate");
void *heap_reallocate(void *old, void *old_shadow, word bytes)
{
    void *new = malloc(bytes);
    __builtin_memcpy(new, old, heap_common(new, old, old_shadow, bytes));
    return new;
}

void *shadow_reallocate(void *new, void *old, void *old_shadow, word bytes) NAMED("shadow.reallocate");
void *shadow_reallocate(void *new, void *old, void *old_shadow, word bytes)
{
    void *shadow = shadow_allocate(new, bytes);
    if (new) {
        __builtin_memcpy(shadow, old_shadow, heap_common(new, old, old_shadow, bytes));
        heap_freed(old, old_shadow);
    }
    return shadow;
}
