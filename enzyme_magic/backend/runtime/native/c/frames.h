/* What the files share that end calls: a thread has a chain of frames, one per guarded call in progress (guards.c), found with
   pthread_getspecific, because code in the JIT cannot have thread-local variables. Include it first: what else is included depends
   on _GNU_SOURCE. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include "derivative.h"
#include "arena.h"

/* What a guarded call leaves behind: why, a status or a line, C strings, a place in the program, a count of bytes or an address.
   exits.py reads it. */
struct record { int kind, status; const char *text, *file; const void *function; word bytes; };
struct frame {
    struct frame *volatile previous;
    struct record *volatile record;
    void *volatile buffer; /* of _setjmp */
    volatile word marks; /* FORKED: this is a child of the process that C code forked; LEAVING: a signal is ending the call;
                             THREAD: the first frame of a thread that C code started (threads.c) */
};

_Static_assert(sizeof(struct record) == 40 && sizeof(struct frame) == 32, "as exits.py reads them");

extern pthread_key_t frame_key __asm__("em.run.frame_key"), arena_key __asm__("em.run.arena_key");

/* To the innermost frame's _setjmp; without a frame the process's own exit or abort is called, as if this package were not there. */
void leave(int kind, int status, const char *text, const char *file, const void *function, word bytes)
    __asm__("em.run.leave") __attribute__((noreturn, cold));
int is_called(void) __asm__("em.run.is_called");
void child_ends(int status) __asm__("em.run.child_ends") __attribute__((noreturn, cold));
void child_aborts(void) __asm__("em.run.child_aborts") __attribute__((noreturn, cold));

_Bool is_program(word place) __asm__("em.run.is_program");
void pass(int number, siginfo_t *info, void *context, const struct sigaction *old) __asm__("em.run.pass");
_Bool watch(int number, const void *place) __asm__("em.run.watch");
int raise_from(int number, const void *place) __asm__("em.run.raise_from");
int run_kill(int receiver, int number) __asm__("em.run.kill");

/* As guards.c does; these are for frames that are no call of Python's. */
void push_frame(struct frame *frame) __asm__("em.run.push_frame");
void pop_frame(struct frame *frame) __asm__("em.run.pop_frame");

static inline __attribute__((always_inline)) struct frame *innermost(void) { return pthread_getspecific(frame_key); }

/* A handler that is left by a jump does not return to where the kernel would allow its signal again. */
static inline __attribute__((always_inline)) void allow(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
}
