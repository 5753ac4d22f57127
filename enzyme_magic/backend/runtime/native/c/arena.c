/* The arena as derivatives use it. These run inline; their slow halves, and the arena itself, belong to the run-time library. */
#include "derivative.h"
#include "arena.h"

void *arena_grow(struct arena *arena, word bytes) __asm__("em.run.arena_grow") __attribute__((malloc, assume_aligned(64), cold));
void arena_unwind(struct arena *arena, void *mark) __asm__("em.run.arena_unwind");
struct arena *arena_current(void) __asm__("em.run.arena_current");
void too_deep(word bytes) __asm__("em.run.too_deep") __attribute__((noreturn));

/* Memory until the next `release` of an earlier mark. */
__attribute__((always_inline, malloc, assume_aligned(64))) void *allocate(struct arena *arena, word bytes) NAMED("allocate");
void *allocate(struct arena *arena, word bytes)
{
    char *current = arena->current;
    if (bytes > (word)arena->end - (word)current) return arena_grow(arena, bytes);
    arena->current = current + ((bytes + 63) & -64ul);
    return current;
}

__attribute__((always_inline)) void *mark(struct arena *arena) NAMED("mark");
void *mark(struct arena *arena) { return arena->current; }

__attribute__((always_inline)) void release(struct arena *arena, void *mark) NAMED("release");
void release(struct arena *arena, void *mark) { arena_unwind(arena, mark); }

/* At the start of a recursive function with `bytes` of stack variables. The stack grows downwards. */
__attribute__((always_inline)) void check_stack(struct arena *arena, word bytes) NAMED("check_stack");
void check_stack(struct arena *arena, word bytes)
{
    if ((word)__builtin_frame_address(0) <= arena->stack_limit + bytes) too_deep(arena->stack_size);
}

/* The same in the program's own recursive functions, which are given no arena (passes/primal_stack.py). */
__attribute__((always_inline)) void check_primal_stack(word bytes) NAMED("check_primal_stack");
void check_primal_stack(word bytes) { check_stack(arena_current(), bytes); }
