/* What C code gives back to the heap, looked at before the C library sees it.

   A call is ended only for an address that no block can have: on the stack of the calling thread, or not a multiple of 8. The C
   library would abort the process for it, or damage its heap; this costs a few instructions. Where it is not known that a call
   is from Python, in the process of Python, the library decides.

   There is no list of blocks here: a block that was given back before, and an address in the middle of one, are the library's to
   find, or the sanitizer's (passes/bounds.py). A thread that C started has no guard and is not looked at. */
#include "frames.h"
#include <stdlib.h>

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
