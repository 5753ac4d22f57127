/* Arrays of a tape: they lie in the arena and grow by doubling. */
#include "derivative.h"

void *allocate(void *arena, word bytes) NAMED("allocate");

__attribute__((noinline, cold)) void *tape_grow(void *arena, void *old, word used, word capacity, word size) NAMED("tape.grow");
void *tape_grow(void *arena, void *old, word used, word capacity, word size)
{
    word bytes;
    void *new = allocate(arena, __builtin_mul_overflow(capacity, size, &bytes) ? -1ul : bytes);
    __builtin_memcpy(new, old, used*size);
    return new;
}

/* Room for `count` elements, of which `used` are to be kept. */
__attribute__((always_inline)) void
tape_reserve(void *arena, void **data, word *capacity, word used, word count, word size) NAMED("tape.reserve");
void tape_reserve(void *arena, void **data, word *capacity, word used, word count, word size)
{
    word have = *capacity;
    if (count <= have) return;
    word more = 2*have > count ? 2*have : count;
    *data = tape_grow(arena, *data, used, more, size);
    *capacity = more;
}
