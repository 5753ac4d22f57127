/* How a call of C code ends before its time: what stands in for exit, abort and failed asserts, and what derivatives and checks call
   when they cannot go on. Not here: signals (signals.c, raises.c), interrupts and limits (stops.c). */
#include "frames.h"
#include <setjmp.h>
#include <stdlib.h>

pthread_key_t frame_key, arena_key;
word arena_limit __asm__("em.run.arena_limit") = 8ul << 30;

void arena_destroy(void *) __asm__("em.run.arena_destroy");
void make_slots(void) __asm__("em.run.make_slots");

void start(word limit) __asm__("em.run.start");
void start(word limit)
{
    pthread_key_create(&frame_key, 0);
    pthread_key_create(&arena_key, arena_destroy);
    arena_limit = limit;
    make_slots();
}

__attribute__((noinline)) void leave(int kind, int status, const char *text, const char *file, const void *function, word bytes)
{
    struct frame *frame = innermost();
    if (!frame) {
        if (kind == KIND_EXIT) exit(status);
        abort();
    }
    if (frame->marks & FORKED) {
        if (kind == KIND_EXIT) child_ends(status);
        child_aborts();
    }
    *frame->record = (struct record){kind, status, text, file, function, bytes};
    longjmp(frame->buffer, 1);
}

/* Whether this is a call from Python, in the process of Python. */
int is_called(void)
{
    struct frame *frame = innermost();
    return frame && !(frame->marks & FORKED);
}

#define ENDS __attribute__((noreturn))
ENDS void run_exit(int status) __asm__("em.run.exit");
void run_exit(int status) { leave(KIND_EXIT, status, 0, 0, 0, 0); }

/* A thread that C code has started may end; one that Python calls from would take the kernel or a worker with it. */
ENDS void thread_exit(void *value) __asm__("em.run.thread_exit");
void thread_exit(void *value)
{
    struct frame *frame = innermost();
    if (frame && frame->marks == THREAD) pop_frame(frame);
    else if (frame) leave(KIND_EXIT, 0, "pthread_exit()", 0, 0, 0);
    pthread_exit(value);
}

ENDS void run_abort(void) __asm__("em.run.abort");
void run_abort(void) { leave(KIND_ABORT, 0, 0, 0, 0, 0); }

ENDS void run_assert(const char *text, const char *file, int line, const char *function) __asm__("em.run.assert");
void run_assert(const char *text, const char *file, int line, const char *function)
{
    leave(KIND_ASSERTION, line, text, file, function, 0);
}

ENDS void run_assert_bsd(const char *text, const char *file, int line) __asm__("em.run.assert_bsd");
void run_assert_bsd(const char *text, const char *file, int line) { leave(KIND_ASSERTION, line, text, file, 0, 0); }

ENDS void outside(const char *what, const char *file, int line, word index, word extent) __asm__("em.run.outside");
void outside(const char *what, const char *file, int line, word index, word extent)
{
    leave(KIND_OUTSIDE, line, what, file, (void *)index, extent);
}

ENDS void too_deep(word bytes) __asm__("em.run.too_deep");
void too_deep(word bytes) { leave(KIND_DEPTH, 0, 0, 0, 0, bytes); }

void run_bytes(const char *text, const char *file, int line) { leave(KIND_BYTES, line, text, file, 0, 0); }
void run_kept(const char *text, const char *file, int line) { leave(KIND_KEPT, line, text, file, 0, 0); }

/* Memory for the shadow of a block; ends the call when it is more than a tape may have, or there is none. */
void *shadow_block(word align, word bytes) __asm__("em.run.shadow_block") __attribute__((malloc));
void *shadow_block(word align, word bytes)
{
    if (bytes > arena_limit) leave(KIND_TAPE, 0, 0, 0, 0, bytes);
    void *block = aligned_alloc(align, bytes);
    if (!block) leave(KIND_MEMORY, 0, 0, 0, 0, bytes);
    return block;
}
