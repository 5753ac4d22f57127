/* What others ask of stops.c, and the slots that it shares with guards.c and threads.c. */
void stop(int number, _Bool ours) __asm__("em.run.stop");

/* stops.py has the same fields. The number of a thread is 0 in a slot that is free. */
struct slot {
    word tid;
    struct frame *volatile frame; /* of the innermost guarded call */
    volatile word calls; /* outermost guarded calls so far */
    volatile word request; /* the one that is to end by an interrupt */
    volatile word deadline, expired; /* of the nearest limit; 0: none */
    volatile word timer; /* its number and 1; 0: none */
    volatile word chance;
    volatile word waits; /* for a worker or another thread: 1; told to end: 2 (waits.py) */
    volatile word failure; /* what ended beside its calls, to be raised by one of them: 0: nothing; 1: is written; 2: is there */
    struct record failed;
    struct slot *owner; /* of a thread that C code started: the slot of Python's thread whose call did (threads.c) */
    word owner_tid, owner_call;
    volatile word threads; /* that C code started in its calls, and that live */
};

_Static_assert(sizeof(struct slot) == SLOT_BYTES && sizeof(struct sigevent) == 64, "the layouts that others know");

/* The kind of record that the thread's calls are to be left with now, or 0. */
static inline __attribute__((always_inline)) int due(struct slot *slot)
{
    word calls = slot->calls, request = slot->request, expired = slot->expired;
    return request && request == calls ? KIND_INTERRUPT : expired ? KIND_LIMIT : slot->failure == 2 ? ASIDE : 0;
}

/* The calling thread's slot, or null; unlike own_slot it makes none. */
static inline __attribute__((always_inline)) struct slot *slot_here(void)
{
    struct arena *arena = pthread_getspecific(arena_key);
    return arena ? arena->slot : 0;
}

struct slot *own_slot(void) __asm__("em.run.slot");
void arm(struct slot *slot, _Bool again) __asm__("em.run.arm");
void leave_due(struct slot *slot, int kind) __asm__("em.run.leave_due") __attribute__((noreturn, cold));
void fails(struct slot *slot, word tid, const struct record *record) __asm__("em.run.fails");
void forget_failure(struct slot *slot) __asm__("em.run.forget_failure");
void end_threads(struct slot *slot) __asm__("em.run.end_threads");
extern volatile word live __asm__("em.run.live");
