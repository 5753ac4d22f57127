/* Ending calls of C code from outside: interrupts and time limits.

   A thread that calls C code through a guard has a slot, in a table that is never given back: signal handlers read it without a lock.
   A call is left only in the signal handler (SIGURG, which nobody minds when it comes in vain) of the thread that runs it, where the
   interrupted instruction lies in code of a program; anywhere else a timer of the thread sends the signal again, after times that
   differ, so that no rhythm of the code escapes it. What is to end is told by the number of the outermost guarded call: a request
   that comes late ends no other call.

   How an interrupt comes here: Python's own handler of SIGINT writes to the wakeup descriptor (stops.py), and the kernel sends SIGURG
   to the main thread when something is written there. So whoever puts another of Python's handlers in place changes nothing. Where
   our handler stands on top of Python's, it calls that one and then does the same at once. The call of the main thread ends, or,
   where it is in none, the calls of all other threads. A thread that waits for a worker or for another thread is in a call, too: it
   reads in its slot that it is to end (waits.py).

   A limit is a time of CLOCK_MONOTONIC in the slot. A guarded call that begins after it is left at once.

   What ends beside a call, in a thread that C code started or in a signal handler of the program, is told to the slot, and the call
   (or the next one of its thread) is left with it by the same means. Where a call is to end, so are the threads that it started. */
#include "frames.h"
#include "stops.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct slot *slots;
volatile int wake[2] __asm__("em.run.wake") = {-1, -1}; /* where interrupts are read from, and to whom they are told */

struct arena *arena_current(void) __asm__("em.run.arena_current");

void make_slots(void) __asm__("em.run.make_slots");
void make_slots(void)
{
    void *made = mmap(0, SLOTS * sizeof(struct slot), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    slots = made == MAP_FAILED ? 0 : made;
}

static word own_tid(void) { return syscall(SYS_gettid); }

/* A slot for the calling thread; null when there is none left. */
struct slot *take_slot(void) __asm__("em.run.take_slot");
struct slot *take_slot(void)
{
    word self = own_tid();
    if (!slots) return 0;
    for (word k = 0; k < SLOTS; k++) {
        word nobody = 0;
        if (__atomic_compare_exchange_n(&slots[k].tid, &nobody, self, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return &slots[k];
    }
    return 0;
}

static void drop_timer(struct slot *slot)
{
    word timer = slot->timer;
    if (!timer) return;
    slot->timer = 0;
    syscall(SYS_timer_delete, timer - 1);
}

volatile word live = 0; /* threads that C code started, and what is told and not yet raised: programs stay loaded for them */

void forget_failure(struct slot *slot)
{
    if (__atomic_exchange_n(&slot->failure, 0, __ATOMIC_ACQ_REL) == 2) __atomic_fetch_sub(&live, 1, __ATOMIC_ACQ_REL);
}

static void clear(struct slot *slot)
{
    struct slot *owner = slot->owner;
    if (owner) {
        if (__atomic_load_n(&owner->tid, __ATOMIC_ACQUIRE) == slot->owner_tid) __atomic_fetch_sub(&owner->threads, 1, __ATOMIC_ACQ_REL);
        __atomic_fetch_sub(&live, 1, __ATOMIC_ACQ_REL);
    }
    slot->owner = 0;
    slot->frame = 0;
    slot->threads = 0;
    forget_failure(slot);
    slot->calls = slot->request = slot->deadline = slot->expired = slot->timer = slot->chance = slot->waits = 0;
    __atomic_store_n(&slot->tid, 0, __ATOMIC_RELEASE);
}

void give_slot(struct slot *slot) __asm__("em.run.give_slot");
void give_slot(struct slot *slot)
{
    if (!slot) return;
    drop_timer(slot);
    clear(slot);
}

/* The slot of the calling thread, or null. */
struct slot *own_slot(void) { return arena_current()->slot; }

static word now(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ul + time.tv_nsec;
}

static _Bool set_timer(word timer, const struct itimerspec *setting)
{
    return !syscall(SYS_timer_settime, timer - 1, (word)TIMER_ABSTIME, setting, (void *)0);
}

/* The signal will come at the time `when` of CLOCK_MONOTONIC; never for 0. A timer that is not there (in a forked child) is made. */
static void send_at(struct slot *slot, word when)
{
    struct itimerspec setting = {.it_value = {when / 1000000000, when % 1000000000}};
    word timer = slot->timer;
    if (timer && set_timer(timer, &setting)) return;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_signo = SIGURG;
    event.sigev_notify = SIGEV_THREAD_ID;
    event._sigev_un._tid = slot->tid;
    int made = -1;
    if (syscall(SYS_timer_create, (word)CLOCK_MONOTONIC, &event, &made)) return;
    slot->timer = made + 1ul;
    set_timer(made + 1ul, &setting);
}

/* Set the thread's timer: soon (1 to 1,000 µs: 1,000 ns, doubled up to ten times, by chance), where `again` says so, else for its
   deadline. */
void arm(struct slot *slot, _Bool again)
{
    if (again) {
        word here = now(), random = (slot->chance ^ here) * 6364136223846793005ul + 1442695040888963407ul;
        slot->chance = random;
        word least = 1000ul << (random >> 33) % 10;
        send_at(slot, here + least + (least * (random >> 20 & 1023) >> 10));
        return;
    }
    word expired = slot->expired, deadline = slot->deadline, when = expired ? 0 : deadline;
    if (when | slot->timer) send_at(slot, when);
}

/* In a forked child: the other threads are not there. */
void reborn(void) __asm__("em.run.reborn");
void reborn(void)
{
    struct slot *mine = own_slot();
    if (!mine) return;
    for (word k = 0; k < SLOTS; k++) {
        struct slot *slot = &slots[k];
        if (slot != mine && __atomic_load_n(&slot->tid, __ATOMIC_RELAXED)) clear(slot);
    }
    __atomic_store_n(&mine->tid, own_tid(), __ATOMIC_RELAXED);
    mine->timer = 0;
    arm(mine, 0);
}

/* Whether an interrupt has come since this was asked last; what Python wrote is told to who listened before. For the main thread. */
static _Bool woken(void)
{
    char bytes[64];
    int from = wake[0], to = wake[1];
    _Bool seen = 0;
    if (from < 0) return 0;
    for (long count; (count = read(from, bytes, sizeof bytes)) > 0;) {
        for (long k = 0; k < count; k++) seen |= bytes[k] == SIGINT;
        if (to >= 0) write(to, bytes, count);
    }
    return seen;
}

/* Tell a thread to end the call it is in. Gives whether it is in one; what runs C code has to be sent a signal. */
static _Bool tell(struct slot *slot)
{
    _Bool waits = slot->waits, runs = slot->frame != 0;
    if (waits) slot->waits = 2;
    if (runs) slot->request = slot->calls;
    return waits | runs;
}

/* Whether a thread was started by the call that the thread of `mine` is in. */
static _Bool is_of_call(struct slot *slot, struct slot *mine)
{
    return slot->owner == mine && slot->owner_tid == mine->tid && slot->owner_call == mine->calls;
}

/* The threads that the call has started are to end; gives how many there are. */
static word tell_threads(struct slot *mine, int process)
{
    word count = 0;
    for (word k = 0; k < SLOTS; k++) {
        struct slot *slot = &slots[k];
        word tid = __atomic_load_n(&slot->tid, __ATOMIC_ACQUIRE);
        if (!tid || !is_of_call(slot, mine)) continue;
        count++;
        if (tell(slot)) syscall(SYS_tgkill, (long)process, tid, (long)SIGURG);
    }
    return count;
}

/* The same, and they have ended; one that does not for a second waits in a library, for what nobody will do. */
void end_threads(struct slot *slot)
{
    word until = now() + 1000000000;
    while (tell_threads(slot, getpid()) && now() < until) {
        struct timespec pause = {0, 500000};
        nanosleep(&pause, 0);
    }
}

/* The thread's next call, or the one it is in, ends with this. Without such a thread it is only said. Only the first is kept. */
void fails(struct slot *slot, word tid, const struct record *record)
{
    word nothing = 0;
    if (!slot || __atomic_load_n(&slot->tid, __ATOMIC_ACQUIRE) != tid) {
        static const char said[] = "enzyme_magic: C code ended beside its call, in a thread that nobody waits for.\n";
        write(STDERR_FILENO, said, sizeof said - 1);
        return;
    }
    if (!__atomic_compare_exchange_n(&slot->failure, &nothing, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return;
    __atomic_fetch_add(&live, 1, __ATOMIC_ACQ_REL);
    slot->failed = *record;
    __atomic_store_n(&slot->failure, 2, __ATOMIC_RELEASE);
    syscall(SYS_tgkill, (long)getpid(), tid, (long)SIGURG);
}

void leave_due(struct slot *slot, int kind)
{
    struct record told = {kind};
    if (kind == ASIDE) {
        told = slot->failed;
        forget_failure(slot);
    }
    leave(told.kind, told.status, told.text, told.file, told.function, told.bytes);
}

/* An interrupt for every thread but this one that is in a call of Python's. */
static void interrupt_others(struct slot *mine, int process)
{
    for (word k = 0; k < SLOTS; k++) {
        struct slot *slot = &slots[k];
        word tid = __atomic_load_n(&slot->tid, __ATOMIC_ACQUIRE);
        if (slot == mine || !tid || slot->owner || !tell(slot)) continue;
        syscall(SYS_tgkill, (long)process, tid, (long)SIGURG);
    }
}

/* In the signal's handler: what the thread has to do with it. Gives the kind of record its call is to be left with, or 0. */
static int stop_due(struct slot *slot, _Bool told)
{
    int process = getpid();
    if (__atomic_load_n(&slot->tid, __ATOMIC_RELAXED) == (word)process && (woken() | told)) {
        if (!tell(slot)) interrupt_others(slot, process);
    }
    word deadline = slot->deadline;
    if (deadline && now() >= deadline) slot->expired = 1;
    return slot->frame ? due(slot) : 0;
}

/* The handler of SIGURG and SIGINT. ours: whether the interrupted instruction lies in code of a program. */
void stop(int number, _Bool ours)
{
    int kept = errno;
    struct arena *arena = pthread_getspecific(arena_key);
    struct slot *slot = arena ? arena->slot : 0;
    if (slot) {
        int kind = stop_due(slot, number == SIGINT);
        struct frame *frame = innermost();
        if (kind && kind != ASIDE && slot->threads) tell_threads(slot, getpid());
        if (!kind) arm(slot, 0);
        else if (!frame || !ours) arm(slot, 1);
        else if (!(frame->marks & ~(word)THREAD)) {
            arm(slot, frame->previous != 0);
            allow(number);
            errno = kept;
            leave_due(slot, kind);
        }
    }
    errno = kept;
}
