/* Signals that C code sends to its own process.

   A call of raise, or of kill with the process itself among the receivers, does what the program's own handler says; where it has
   none and the signal would end or stop the process, the call of the program ends instead, as by a fault (signals.c).
   Children that C forks are processes of their own: nothing of this holds for them.

   Not here: handlers that the program installs, and signals that timers send (relays.c). */
#include "frames.h"
#include "handlers.h"
#include <sys/syscall.h>
#include <unistd.h>

/* Whether the default is to do nothing. */
static int is_harmless(int number)
{
    switch (number) {
    case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH: return 1;
    default: return 0;
    }
}

/* Whether the signal asks the whole process to end, or stops it. */
static int is_ending(int number)
{
    switch (number) {
    case SIGHUP: case SIGQUIT: case SIGKILL: case SIGTERM: case SIGSTOP: return 1;
    default: return 0;
    }
}

static _Bool is_blocked(int number)
{
    sigset_t now;
    return !pthread_sigmask(0, 0, &now) && sigismember(&now, number);
}

/* raise, for a call that comes from `place`. */
int raise_from(int number, const void *place)
{
    handler *kept = handler_place(number);
    if (!is_called() || !kept) return raise(number);
    handler chosen = *kept;
    if (chosen == SIG_IGN) return 0;
    if (chosen != SIG_DFL) {
        if (!is_caught(number) && is_blocked(number)) return raise(number);
        call_handler(number);
        return 0;
    }
    if (is_harmless(number)) return 0;
    if (!is_ending(number) && !is_caught(number)) {
        handler now = disposition(number);
        if (now != SIG_DFL && now != SIG_IGN) return raise(number); /* a handler of Python's */
    }
    leave(KIND_SIGNAL, number, "raised", 0, place, 0);
}

__attribute__((noinline)) int run_raise(int number) __asm__("em.run.raise");
int run_raise(int number) { return raise_from(number, __builtin_return_address(0)); }

/* Whether `kill` with this number reaches the process itself: by its number, its group's or that of one of its threads. */
static int is_self(int receiver)
{
    if (receiver > 0) return !syscall(SYS_tgkill, (long)getpid(), (long)receiver, 0l);
    return receiver == -getpgrp() || receiver == 0 || receiver == -1;
}

/* Whether a signal to another thread of the process would find no handler of the program's. */
static _Bool is_unhandled(int number)
{
    handler *kept = handler_place(number);
    return is_called() && kept && *kept == SIG_DFL;
}

__attribute__((noinline)) int run_kill(int receiver, int number) __asm__("em.run.kill");
int run_kill(int receiver, int number)
{
    if (number && is_self(receiver)) return raise_from(number, __builtin_return_address(0));
    return kill(receiver, number);
}

__attribute__((noinline)) int run_killpg(int group, int number) __asm__("em.run.killpg");
int run_killpg(int group, int number)
{
    if (number && is_self(-group)) return raise_from(number, __builtin_return_address(0));
    return killpg(group, number);
}

__attribute__((noinline)) int run_sigqueue(int receiver, int number, void *value) __asm__("em.run.sigqueue");
int run_sigqueue(int receiver, int number, void *value)
{
    if (number && is_self(receiver)) return raise_from(number, __builtin_return_address(0));
    return sigqueue(receiver, number, (union sigval){.sival_ptr = value});
}

__attribute__((noinline)) int run_pthread_kill(pthread_t thread, int number) __asm__("em.run.pthread_kill");
int run_pthread_kill(pthread_t thread, int number)
{
    if (number && (thread == pthread_self() || is_unhandled(number))) return raise_from(number, __builtin_return_address(0));
    return pthread_kill(thread, number);
}

__attribute__((noinline)) int run_pthread_sigqueue(pthread_t thread, int number, union sigval value) __asm__("em.run.pthread_sigqueue");
int run_pthread_sigqueue(pthread_t thread, int number, union sigval value)
{
    if (number && is_unhandled(number)) return raise_from(number, __builtin_return_address(0));
    return pthread_sigqueue(thread, number, value);
}

__attribute__((noinline)) int run_tgkill(int process, int thread, int number) __asm__("em.run.tgkill");
int run_tgkill(int process, int thread, int number)
{
    if (number && process == getpid() && (thread == syscall(SYS_gettid) || is_unhandled(number)))
        return raise_from(number, __builtin_return_address(0));
    return syscall(SYS_tgkill, (long)process, (long)thread, (long)number);
}
