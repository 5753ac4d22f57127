/* The slow half of the arena, which the run-time library holds: chunks, the limit, the thread's arena, tapes of C code.

   The arena is a chain of chunks, each filled from its start in steps of 64 bytes. What is in use never exceeds the limit; beyond it
   the call ends. Not here: how a call ends (ends.c). */
#include "derivative.h"
#include "arena.h"

_Static_assert(sizeof(struct arena) == ARENA_BYTES && sizeof(struct chunk) == 64, "the layout that others know");
_Static_assert(__builtin_offsetof(struct arena, slot) == SLOT && __builtin_offsetof(struct arena, stack_size) == 88, "as above");

void *calloc(word, word);
int posix_memalign(void **, word, word);
int madvise(void *, word, int);
word pthread_self(void);
int pthread_getattr_np(word, void *);
int pthread_attr_getstack(void *, word *, word *);
int pthread_attr_destroy(void *);
void *pthread_getspecific(unsigned);
int pthread_setspecific(unsigned, void *);

extern unsigned key __asm__("em.run.arena_key");
extern word limit __asm__("em.run.arena_limit");
void leave(int kind, int line, const char *text, const char *file, const char *function, word bytes)
    __asm__("em.run.leave") __attribute__((noreturn, cold));
void signal_stack(void **kept) __asm__("em.run.signal_stack");
void signal_stack_free(void *stack) __asm__("em.run.signal_stack_free");
void *take_slot(void) __asm__("em.run.take_slot");
void give_slot(void *) __asm__("em.run.give_slot");

static inline __attribute__((always_inline)) word most(word a, word b) { return a > b ? a : b; }
static inline __attribute__((always_inline)) word least(word a, word b) { return a < b ? a : b; }
static inline __attribute__((always_inline)) word filled(struct arena *arena) { return (word)arena->current - (word)arena->start; }

/* Everything allocated since `mark` was the current pointer is released; null releases all. The largest chunk is kept. */
void arena_unwind(struct arena *arena, char *mark) __asm__("em.run.arena_unwind");
void arena_unwind(struct arena *arena, char *mark)
{
    for (;;) {
        word bytes = filled(arena), offset = (word)mark - (word)arena->start;
        arena->peak = most(arena->peak, arena->before + bytes);
        if (offset <= bytes) {
            arena->total += bytes - offset;
            arena->current = mark;
            return;
        }
        arena->total += bytes;
        struct chunk *last = arena->chunk;
        if (!last) return;
        arena->chunk = last->previous;
        if (arena->spare && last->capacity <= arena->spare->capacity) free(last);
        else {
            free(arena->spare);
            arena->spare = last;
        }
        struct chunk *previous = arena->chunk;
        arena->before = previous ? previous->before : 0;
        arena->current = previous ? previous->current : 0;
        arena->end = previous ? previous->end : 0;
        arena->start = previous ? (char *)(previous + 1) : 0;
        if (!previous) return;
    }
}

/* A new chunk with `room` bytes or more. */
static inline __attribute__((always_inline)) struct chunk *fresh(struct arena *arena, word room, word used, word left)
{
    word wanted = (most(least(most(2*used, FIRST_CHUNK), left), room) + 63) & -64ul;
    word whole = wanted + sizeof(struct chunk), page = 2ul << 20;
    void *place;
    if (posix_memalign(&place, whole >= page ? page : 64, whole)) leave(KIND_MEMORY, 0, 0, 0, 0, whole);
    struct chunk *chunk = place;
    chunk->capacity = wanted;
    arena->chunks++;
    if (whole >= page) madvise(chunk, whole, 14); /* MADV_HUGEPAGE */
    return chunk;
}

/* A block of `bytes` in a chunk of its own size or larger; ends the call when the limit or the memory is reached. */
__attribute__((noinline, cold, malloc)) void *arena_grow(struct arena *arena, word bytes) __asm__("em.run.arena_grow");
void *arena_grow(struct arena *arena, word bytes)
{
    word used = arena->before + filled(arena), left = arena->limit - used, step = (bytes + 63) & -64ul;
    if (bytes > left) leave(KIND_TAPE, 0, 0, 0, 0, used + bytes);
    /* An empty arena takes one chunk for all that was ever in use: several would be asked for, and touched, in each call. */
    word room = most(least(arena->chunk ? 0 : arena->peak, left), step);
    struct chunk *chunk = arena->spare;
    if (chunk && chunk->capacity < room) {
        free(chunk);
        chunk = 0;
    }
    arena->spare = 0;
    if (!chunk) chunk = fresh(arena, room, used, left);
    if (arena->chunk) {
        arena->chunk->current = arena->current;
        arena->chunk->end = arena->end;
    }
    chunk->previous = arena->chunk;
    chunk->before = arena->before = used;
    arena->chunk = chunk;
    arena->start = (char *)(chunk + 1);
    arena->end = arena->start + least(chunk->capacity, most(left & -64ul, step));
    arena->current = arena->start + step;
    return arena->start;
}

/* Gives the kept chunk back to the system. Only for an arena without blocks in use. */
void arena_trim(struct arena *arena) __asm__("em.run.arena_trim");
void arena_trim(struct arena *arena)
{
    free(arena->spare);
    arena->spare = 0;
}

void arena_destroy(struct arena *arena) __asm__("em.run.arena_destroy");
void arena_destroy(struct arena *arena)
{
    arena_unwind(arena, 0);
    arena_trim(arena);
    signal_stack_free(arena->signal_stack);
    give_slot(arena->slot);
    free(arena);
}

/* Where this thread's stack ends. A limit of 0, where the system does not tell, stops nothing. */
static inline __attribute__((always_inline)) void find_stack(struct arena *arena)
{
    struct { word bytes[16]; } attributes __attribute__((aligned(16)));
    word lowest, size;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    int unknown = pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    if (unknown) return;
    arena->stack_limit = lowest + least(size / 4, STACK_RESERVE);
    arena->stack_size = size;
}

/* The arena of this thread. */
struct arena *arena_current(void) __asm__("em.run.arena_current");
struct arena *arena_current(void)
{
    struct arena *arena = pthread_getspecific(key);
    if (arena) return arena;
    arena = calloc(1, sizeof *arena);
    arena->limit = limit;
    find_stack(arena);
    signal_stack(&arena->signal_stack);
    arena->slot = take_slot();
    pthread_setspecific(key, arena);
    return arena;
}

static inline __attribute__((always_inline)) void enter(struct arena *tape)
{
    struct arena *here = arena_current();
    tape->stack_limit = here->stack_limit;
    tape->stack_size = here->stack_size;
}

/* A tape that C code holds: an arena of its own, so that tapes can be given back in any order. */
struct arena *tape_new(word request) __asm__("em.run.tape_new");
struct arena *tape_new(word request)
{
    struct arena *tape = calloc(1, sizeof *tape);
    if (!tape) leave(KIND_MEMORY, 0, 0, 0, 0, sizeof *tape);
    tape->limit = limit;
    enter(tape);
    tape->tape_word = request;
    return tape;
}

/* The frame in a tape; ends the call when it is no tape of this request. `request` 0 takes the tape of any request. */
void *tape_open(struct arena *tape, word request, const char *text, const char *file, int line) __asm__("em.run.tape_open");
void *tape_open(struct arena *tape, word request, const char *text, const char *file, int line)
{
    if (!tape || !(request ? tape->tape_word == request : tape->tape_word)) leave(KIND_ASSERTION, line, text, file, 0, 0);
    enter(tape);
    return tape->tape_frame;
}

void tape_close(struct arena *tape) __asm__("em.run.tape_close");
void tape_close(struct arena *tape)
{
    tape->tape_word = 0;
    arena_destroy(tape);
}
