/* What C code gives back to the heap, looked at before the C library sees it.

   In a program a call is ended only for an address that no block can have: on the stack of the calling thread, or not a multiple of 8. The C
   library would abort the process for it, or damage its heap; this costs a few instructions. Where it is not known that a call
   is from Python, in the process of Python, the library decides.

   There is no list of blocks here: a block that was given back before, and an address in the middle of one, are the library's to
   find, or the sanitizer's (passes/bounds.py). A thread that C started has no guard and is not looked at.

   In a derivative the shadow tells: a block that the derivative knows has a header before its shadow, with a mark made of the
   block's own address. Only such a block may be given back, once; everything else would be a number out of somebody else's memory. */
#include "frames.h"
#include "blocks.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void check_release(void *block, const void *place) __asm__("em.run.check_release");
void check_release(void *block, const void *place)
{
    word address = (word)block;
    _Bool odd = address & 7;
    if (!odd) {
        if (address < (word)__builtin_frame_address(0)) return;
        struct arena *arena = pthread_getspecific(arena_key);
        if (!arena) return;
        word quarter = arena->stack_size / 4, reserve = quarter < STACK_RESERVE ? quarter : STACK_RESERVE;
        if (address >= arena->stack_limit - reserve + arena->stack_size) return;
    }
    if (is_called()) leave(KIND_RELEASE, odd, 0, 0, place, address);
}

/* Whether these eight bytes can be read: the kernel looks at the mask before it sees that there is no such change of masks. */
static _Bool readable(const void *address)
{
    int before = errno;
    _Bool is = syscall(SYS_rt_sigprocmask, -1l, address, 0l, 8l) == 0 || errno != EFAULT;
    errno = before;
    return is;
}

/* What a derivative does before a block and its shadow are given back, or moved: `what` is the call in words. A line below zero says
   that it was given back before. */
void check_block(void *primal, void *shadow, const char *what, const char *file, int line) __asm__("em.run.check_block");
void check_block(void *primal, void *shadow, const char *what, const char *file, int line)
{
    if (!primal) return;
    struct header *header = (struct header *)shadow - 1;
    word place = (word)shadow;
    _Bool known = place && !(place & (HEADER - 1)) && (place & 4095 || readable(&header->mark));
    if (known && header->mark == MARK_OF(primal)) {
        if (!header->freed) return;
        line = ~line;
    }
    leave(KIND_RELEASE, line, what, file, 0, (word)primal);
}

__attribute__((noinline)) void run_free(void *block) __asm__("em.run.free");
void run_free(void *block)
{
    check_release(block, __builtin_return_address(0));
    free(block);
}

__attribute__((noinline)) void *run_realloc(void *block, word bytes) __asm__("em.run.realloc");
void *run_realloc(void *block, word bytes)
{
    check_release(block, __builtin_return_address(0));
    return realloc(block, bytes);
}

__attribute__((noinline)) void *run_reallocarray(void *block, word count, word each) __asm__("em.run.reallocarray");
void *run_reallocarray(void *block, word count, word each)
{
    check_release(block, __builtin_return_address(0));
    return reallocarray(block, count, each);
}
