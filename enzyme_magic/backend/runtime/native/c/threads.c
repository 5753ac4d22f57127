/* Threads that C code starts: each has a frame of its own, as a call from Python has (guards.c), so that exit, abort, a failed
   assert, a fault and an interrupt end the thread, not the process. What it ended with is told to the thread of Python whose call
   started it (stops.c), and raised by that call where it joins, where it comes back, or at its next instruction after the signal.

   A thread has a slot when pthread_create comes back: so a call that leaves finds all its threads, and ends them before its stack
   belongs to somebody else. The program stays loaded while one of them lives.

   Not here: threads that a library starts (OpenMP), and what runs when a thread is over (destructors of its keys): they have no frame. */
#include "frames.h"
#include "stops.h"
#include <sched.h>
#include <setjmp.h>
#include <stdlib.h>
#include <threads.h>

struct arena *arena_current(void) __asm__("em.run.arena_current");

typedef void *(*routine)(void *);
/* Of a new thread, in the stack of who starts it, until it is ready. */
struct birth {
    routine start;
    void *argument;
    struct slot *owner;
    word tid, call;
    volatile int ready;
};

static struct birth birth_of(routine start, void *argument)
{
    struct slot *slot = own_slot(), *owner = slot && slot->owner ? slot->owner : slot;
    struct birth made = {start, argument, owner, 0, 0, 0};
    if (!slot) return made;
    made.tid = slot->owner ? slot->owner_tid : slot->tid;
    made.call = slot->owner ? slot->owner_call : slot->calls;
    return made;
}

/* Run C code in a thread that has just begun. */
static void *guarded_run(const struct birth *birth)
{
    struct record record = {0};
    struct frame frame = {.record = &record, .marks = THREAD};
    char buffer[JUMP_BUFFER] __attribute__((aligned(16)));
    void *volatile result = 0;
    frame.buffer = buffer;
    push_frame(&frame);
    if (!_setjmp((void *)buffer)) {
        result = birth->start(birth->argument);
        if (frame.marks & FORKED) child_ends(0);
    } else if (record.kind != KIND_INTERRUPT && record.kind != KIND_LIMIT) {
        record.kind |= ASIDE;
        fails(birth->owner, birth->tid, &record);
    }
    pop_frame(&frame);
    return result;
}

/* The thread is known of, until it is over. */
static void enlist(const struct birth *birth)
{
    struct slot *slot = arena_current()->slot;
    if (!slot || !birth->owner) return;
    slot->owner_tid = birth->tid;
    slot->owner_call = birth->call;
    __atomic_fetch_add(&birth->owner->threads, 1, __ATOMIC_ACQ_REL);
    __atomic_fetch_add(&live, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&slot->owner, birth->owner, __ATOMIC_RELEASE);
}

static void *begins(void *given)
{
    struct birth *from = given, birth = *from;
    enlist(&birth);
    __atomic_store_n(&from->ready, 1, __ATOMIC_RELEASE);
    return guarded_run(&birth);
}

static int wait_for(struct birth *birth, int failed)
{
    while (!failed && !__atomic_load_n(&birth->ready, __ATOMIC_ACQUIRE)) sched_yield();
    return failed;
}

int run_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, routine start, void *argument)
    __asm__("em.run.pthread_create");
int run_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, routine start, void *argument)
{
    if (!is_called()) return pthread_create(thread, attributes, start, argument);
    struct birth birth = birth_of(start, argument);
    return wait_for(&birth, pthread_create(thread, attributes, begins, &birth));
}

/* A start routine of C's own threads gives an int, which comes in the same register. */
int run_thrd_create(thrd_t *thread, thrd_start_t start, void *argument) __asm__("em.run.thrd_create");
int run_thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    if (!is_called()) return thrd_create(thread, start, argument);
    struct birth birth = birth_of((routine)start, argument);
    return wait_for(&birth, thrd_create(thread, (thrd_start_t)begins, &birth));
}

/* A call whose thread has ended badly does not go on with what that should have computed. */
static int joined(int failed)
{
    struct slot *slot = slot_here();
    int kind = slot && is_called() ? due(slot) : 0;
    if (kind) leave_due(slot, kind);
    return failed;
}

int run_pthread_join(pthread_t thread, void **result) __asm__("em.run.pthread_join");
int run_pthread_join(pthread_t thread, void **result) { return joined(pthread_join(thread, result)); }

int run_thrd_join(thrd_t thread, int *result) __asm__("em.run.thrd_join");
int run_thrd_join(thrd_t thread, int *result) { return joined(thrd_join(thread, result)); }

__attribute__((noreturn)) void thread_exit(void *value) __asm__("em.run.thread_exit");
__attribute__((noreturn)) void run_thrd_exit(int result) __asm__("em.run.thrd_exit");
void run_thrd_exit(int result) { thread_exit((void *)(word)(unsigned)result); }

/* Timers whose signal is a thread: it runs as one that C code starts, unless the program has gone. What is noted for it stays. Such
   threads begin with all signals blocked, and a fault whose signal is blocked would end the process. */
static void notified(union sigval given)
{
    static const int faults[] = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGURG};
    const struct birth *birth = given.sival_ptr;
    for (word k = 0; k < sizeof faults / sizeof *faults; k++) allow(faults[k]);
    enlist(birth);
    if (!birth->ready || is_program((word)birth->start)) guarded_run(birth);
}

/* What timer_create is given instead. */
void thread_event(struct sigevent *event) __asm__("em.run.thread_event");
void thread_event(struct sigevent *event)
{
    struct birth *birth = malloc(sizeof *birth);
    if (!birth) return;
    *birth = birth_of((routine)(void *)event->sigev_notify_function, event->sigev_value.sival_ptr);
    birth->ready = is_program((word)birth->start);
    event->sigev_value.sival_ptr = birth;
    event->sigev_notify_function = notified;
}
