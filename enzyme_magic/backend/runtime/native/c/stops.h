/* What signals.c asks of stops.c, and the slots that it shares with guards.c. */
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
};

_Static_assert(sizeof(struct slot) == SLOT_BYTES && sizeof(struct sigevent) == 64, "the layouts that others know");

/* The kind of record that the thread's calls are to be left with now, or 0. */
static inline __attribute__((always_inline)) int due(struct slot *slot)
{
    word calls = slot->calls, request = slot->request, expired = slot->expired;
    return request && request == calls ? KIND_INTERRUPT : expired ? KIND_LIMIT : 0;
}
