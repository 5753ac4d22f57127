/* Signal handlers of the program, and timers.

   Where C code installs a handler for a signal that we do not catch, or asks for a timer's signal, `relay` stands in the process. In
   a call of C code it runs the program's handler, in a frame of its own: what leaves the handler (exit, a fault) may have come out of
   the middle of a library, so it is told to the slot (stops.c), and the call ends where it can. A timer that nobody handles ends the
   call that set it in the same way, while it runs. Outside of calls nothing of the program runs: its timers do nothing, and what others send goes to who was
   there before. Once in place a relay stays: a timer may still run.

   Signals that we catch (signals.c) stay ours: what a program installs for them is kept, and called where the program itself raises. */
#include "frames.h"
#include "stops.h"
#include "handlers.h"
#include <errno.h>
#include <setjmp.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct kept {
    handler chosen;
    int flags;
    _Bool of_program;
    const void *asked; /* where a timer was set last, and in which call */
    struct slot *asker;
    word tid, call;
    struct sigaction before;
} kept[SIGNALS + 1];

handler *handler_place(int number) { return number < 1 || number > SIGNALS ? 0 : &kept[number].chosen; }

int is_caught(int number)
{
    switch (number) {
    case SIGINT: case SIGILL: case SIGTRAP: case SIGABRT: case SIGBUS: case SIGFPE: case SIGSEGV: case SIGURG: return 1;
    default: return 0;
    }
}

/* Whether the signal is of the process's own making: of a timer, or sent by itself. */
static _Bool is_own(const siginfo_t *info)
{
    switch (info->si_code) {
    case SI_USER: case SI_QUEUE: case SI_TKILL: return info->si_pid == getpid();
    default: return info->si_code <= 0 || info->si_code == SI_KERNEL;
    }
}

/* To the call of this thread, which ends when it can. */
static void tell_call(const struct record *record)
{
    struct slot *slot = slot_here();
    if (!slot) return;
    if (record->kind != KIND_INTERRUPT && record->kind != KIND_LIMIT) fails(slot, slot->tid, record);
    arm(slot, 1);
}

static void run_handler(handler chosen, int number, siginfo_t *info, void *context, struct frame *outer)
{
    struct record record = {0};
    struct frame frame = {.record = &record, .marks = outer->marks & FORKED};
    char buffer[JUMP_BUFFER] __attribute__((aligned(16)));
    frame.buffer = buffer;
    push_frame(&frame);
    if (!_setjmp((void *)buffer)) ((void (*)(int, siginfo_t *, void *))chosen)(number, info, context);
    pop_frame(&frame);
    outer->marks |= frame.marks & FORKED;
    if (record.kind) tell_call(&record);
}

/* Whether the call runs that has set the timer. */
static _Bool is_running(const struct kept *timer)
{
    struct slot *slot = timer->asker;
    return slot && slot->tid == timer->tid && slot->frame && slot->calls == timer->call;
}

void relay(int number, siginfo_t *info, void *context) __asm__("em.run.relay");
void relay(int number, siginfo_t *info, void *context)
{
    int before = errno;
    struct kept *here = &kept[number];
    struct frame *outer = innermost();
    handler chosen = here->chosen;
    if (outer && chosen != SIG_DFL) {
        if (here->flags & SA_RESETHAND) here->chosen = SIG_DFL;
        if (chosen != SIG_IGN) run_handler(chosen, number, info, context, outer);
    } else if (here->before.sa_handler != SIG_DFL || !is_own(info) || (outer && outer->marks & FORKED)) {
        pass(number, info, context, &here->before);
    } else if (is_running(here)) {
        struct record record = {KIND_SIGNAL, number, "came", 0, here->asked, 0};
        fails(here->asker, here->tid, &record);
    }
    errno = before;
}

handler disposition(int number)
{
    struct sigaction now = {0};
    sigaction(number, 0, &now);
    return now.sa_sigaction == relay ? kept[number].before.sa_handler : now.sa_handler;
}

void call_handler(int number)
{
    siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
    handler chosen = kept[number].chosen;
    info.si_pid = getpid();
    if (kept[number].flags & SA_RESETHAND) kept[number].chosen = SIG_DFL;
    ((void (*)(int, siginfo_t *, void *))chosen)(number, &info, 0);
}

/* A relay for this signal, if there is none; gives whether there is one now. */
static _Bool install(int number, const struct sigaction *like)
{
    struct sigaction now, ours = {.sa_flags = SA_RESTART};
    if (sigaction(number, 0, &now)) return 0;
    if (like) ours = *like;
    if (now.sa_sigaction != relay) kept[number].before = now;
    else if (!like) return 1;
    for (int other = 1; other <= SIGNALS; other++)
        if (is_caught(other)) sigdelset(&ours.sa_mask, other);
    ours.sa_flags = (ours.sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
    ours.sa_sigaction = relay;
    return !sigaction(number, &ours, 0);
}

/* The program has asked for a signal that comes later; place: where. Gives whether the process survives it. */
_Bool watch(int number, const void *place)
{
    if (!handler_place(number)) return 1; /* there is no such signal */
    if (is_caught(number)) return number == SIGURG || number == SIGINT;
    struct slot *slot = own_slot(), *asker = slot && slot->owner ? slot->owner : slot;
    kept[number].asker = 0;
    if (asker) {
        kept[number].asked = place;
        kept[number].tid = asker->tid;
        kept[number].call = slot->owner ? slot->owner_call : slot->calls;
        kept[number].asker = asker;
    }
    return install(number, 0);
}

/* What the program's handler is from now on. Gives what it was. */
static handler choose(int number, handler new, int flags)
{
    handler was = kept[number].chosen;
    kept[number].of_program = is_program((word)new);
    kept[number].flags = flags;
    kept[number].chosen = new;
    return was;
}

/* signal: the program's handler is known; it takes the place of ours only for signals that we do not catch. */
handler run_signal(int number, handler new) __asm__("em.run.handle");
handler run_signal(int number, handler new)
{
    struct sigaction now;
    if (!is_called() || !handler_place(number)) return signal(number, new);
    if (sigaction(number, 0, &now)) return SIG_ERR;
    if (!is_caught(number) && new != SIG_DFL && !install(number, &(struct sigaction){.sa_flags = SA_RESTART})) return SIG_ERR;
    handler was = choose(number, new, 0);
    return is_caught(number) || now.sa_sigaction == relay ? was : now.sa_handler;
}

int run_sigaction(int number, const struct sigaction *action, struct sigaction *old) __asm__("em.run.sigaction");
int run_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction now;
    if (!is_called() || !handler_place(number)) return sigaction(number, action, old);
    if (sigaction(number, 0, &now)) return -1;
    if (is_caught(number) || now.sa_sigaction == relay) {
        if (is_caught(number)) memset(&now, 0, sizeof now);
        now.sa_handler = kept[number].chosen;
        now.sa_flags = kept[number].flags;
    }
    if (action) {
        struct sigaction new = *action; /* it may be the same as old */
        if (!is_caught(number) && new.sa_handler != SIG_DFL && !install(number, &new)) return -1;
        choose(number, new.sa_handler, new.sa_flags);
    }
    if (old) *old = now;
    return 0;
}

/* Handlers in programs that are no longer loaded. */
void forget_handlers(void) __asm__("em.run.forget_handlers");
void forget_handlers(void)
{
    for (int number = 1; number <= SIGNALS; number++)
        if (kept[number].of_program && !is_program((word)kept[number].chosen)) choose(number, SIG_DFL, 0);
}

/* sigprocmask: a fault whose signal is blocked ends the process, so those that we catch stay as they are. */
int run_sigmask(int how, const sigset_t *set, sigset_t *old) __asm__("em.run.sigmask");
int run_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    if (!is_called() || !set || how == SIG_UNBLOCK) return pthread_sigmask(how, set, old);
    sigset_t chosen = *set;
    for (int number = 1; number <= SIGNALS; number++)
        if (is_caught(number)) sigdelset(&chosen, number);
    return pthread_sigmask(how, &chosen, old);
}

int run_sighold(int number) __asm__("em.run.sighold");
int run_sighold(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return run_sigmask(SIG_BLOCK, &set, 0);
}

int run_sigignore(int number) __asm__("em.run.sigignore");
int run_sigignore(int number) { return run_signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }

/* The stack that handlers run on stays ours: a program may give one that it unloads. */
int run_sigaltstack(const stack_t *new, stack_t *old) __asm__("em.run.sigaltstack");
int run_sigaltstack(const stack_t *new, stack_t *old) { return sigaltstack(is_called() ? 0 : new, old); }

#define WATCHED(number) \
    if (is_called() && !watch(number, __builtin_return_address(0))) raise_from(number, __builtin_return_address(0))

__attribute__((noinline)) unsigned run_alarm(unsigned seconds) __asm__("em.run.alarm");
unsigned run_alarm(unsigned seconds)
{
    WATCHED(SIGALRM);
    return alarm(seconds);
}

__attribute__((noinline)) unsigned run_ualarm(unsigned first, unsigned each) __asm__("em.run.ualarm");
unsigned run_ualarm(unsigned first, unsigned each)
{
    WATCHED(SIGALRM);
    return ualarm(first, each);
}

__attribute__((noinline)) int run_setitimer(int which, const struct itimerval *new, struct itimerval *old) __asm__("em.run.setitimer");
int run_setitimer(int which, const struct itimerval *new, struct itimerval *old)
{
    WATCHED(which == ITIMER_PROF ? SIGPROF : which == ITIMER_VIRTUAL ? SIGVTALRM : SIGALRM);
    return setitimer(which, new, old);
}

void thread_event(struct sigevent *event) __asm__("em.run.thread_event");

__attribute__((noinline)) int run_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) __asm__("em.run.timer_create");
int run_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    struct sigevent asked;
    if (is_called() && event) {
        asked = *event;
        event = &asked;
    }
    if (!event || event->sigev_notify == SIGEV_SIGNAL || event->sigev_notify == SIGEV_THREAD_ID) {
        WATCHED(event ? event->sigev_signo : SIGALRM);
    } else if (event == &asked && event->sigev_notify == SIGEV_THREAD) thread_event(event);
    return timer_create(clock, event, timer);
}
