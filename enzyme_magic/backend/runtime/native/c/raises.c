/* Signals that C code sends to its own process, and handlers that it installs.

   A call of raise, or of kill with the process itself among the receivers, does what the program's own handler says; where it has
   none and the signal would end or stop the process, the call of the program ends instead, as by a fault (signals.c). The handlers
   of signals that we catch stay ours: what a program installs for them is kept here, and called where the program itself raises.
   Children that C forks are processes of their own: nothing of this holds for them.

   Does not see signals that timers send, or another process. */
#include "frames.h"
#include <string.h>
#include <unistd.h>

typedef void (*handler)(int);
static handler handlers[SIGNALS + 1]; /* the program's */

static inline __attribute__((always_inline)) handler *handler_place(int number)
{
    return number < 1 || number > SIGNALS ? 0 : &handlers[number];
}

static int is_caught(int number)
{
    switch (number) {
    case SIGINT: case SIGILL: case SIGTRAP: case SIGABRT: case SIGBUS: case SIGFPE: case SIGSEGV: case SIGURG: return 1;
    default: return 0;
    }
}

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

/* raise, for a call that comes from `place`. */
static int raise_from(int number, const void *place)
{
    handler *kept = handler_place(number);
    if (!is_called() || !kept) return raise(number);
    handler chosen = *kept;
    _Bool caught = is_caught(number);
    if (chosen == SIG_IGN) return 0;
    if (chosen != SIG_DFL) {
        if (!caught) return raise(number);
        ((void (*)(int, siginfo_t *, void *))chosen)(number, 0, 0);
        return 0;
    }
    if (is_harmless(number)) return 0;
    if (!is_ending(number) && !caught) {
        struct sigaction now;
        now.sa_handler = SIG_DFL;
        sigaction(number, 0, &now);
        if (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) return raise(number); /* a handler of Python's */
    }
    leave(KIND_SIGNAL, number, "raised", 0, place, 0);
}

__attribute__((noinline)) int run_raise(int number) __asm__("em.run.raise");
int run_raise(int number) { return raise_from(number, __builtin_return_address(0)); }

/* Whether `kill` with this number reaches the process itself. */
static int is_self(int receiver)
{
    return receiver == getpid() || receiver == -getpgrp() || receiver == 0 || receiver == -1;
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
    if (number && thread == pthread_self()) return raise_from(number, __builtin_return_address(0));
    return pthread_kill(thread, number);
}

/* signal: the program's handler is known; it takes the place of ours only for signals that we do not catch. */
handler run_signal(int number, handler new) __asm__("em.run.handle");
handler run_signal(int number, handler new)
{
    handler *kept = handler_place(number);
    if (is_called() && kept) {
        handler was = *kept;
        *kept = new;
        if (is_caught(number)) return was;
    }
    return signal(number, new);
}

int run_sigaction(int number, const struct sigaction *action, struct sigaction *old) __asm__("em.run.sigaction");
int run_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    handler *kept = handler_place(number);
    if (is_called() && kept) {
        handler was = *kept;
        if (action) *kept = action->sa_handler;
        if (is_caught(number)) {
            if (old) {
                memset(old, 0, sizeof *old);
                old->sa_handler = was;
            }
            return 0;
        }
    }
    return sigaction(number, action, old);
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
