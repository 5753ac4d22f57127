/* Signals in C code: handlers, alternate stacks, and children that C code forks.

   A handler leaves a call only where the interrupted instruction lies in code that this package compiled from a program (the table of
   llvm/objects/code_ranges.py), or was reached from there by a jump to nowhere, and where the thread has a guard: then no lock of the
   C library is held. A jump to nowhere is a call or a return to what is no code, or a longjmp that has set a stack pointer with which
   nothing can run. Every other signal goes to the handler that was there before, as if this package were not there. A handler calls
   nothing but functions that may be called in one (and pthread_getspecific, which reads an array).

   There are several copies of the handler, each with its own memory of what was there before: where somebody has put a handler on top
   of ours, another copy goes on top of that one, and no chain is a circle. Python's side: signals.py. */
#include "frames.h"
#include "stops.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

_Static_assert(sizeof(struct sigaction) == ACTION_BYTES && offsetof(struct sigaction, sa_flags) == ACTION_FLAGS, "as signals.py writes it");

extern struct { word count, unused; struct { volatile word start, end; } ranges[]; } code __asm__("em.run.code_ranges");

static word counter_of(const ucontext_t *context)
{
#ifdef __x86_64__
    return context->uc_mcontext.gregs[REG_RIP];
#else
    return context->uc_mcontext.pc;
#endif
}

/* Where a function that was just called would return to. */
static word caller_of(const ucontext_t *context)
{
#ifdef __x86_64__
    return *(word *)context->uc_mcontext.gregs[REG_RSP];
#else
    return context->uc_mcontext.regs[30];
#endif
}

/* What was jumped to last, if that was the return of a function. */
static word returned_to(const ucontext_t *context)
{
#ifdef __x86_64__
    return ((word *)context->uc_mcontext.gregs[REG_RSP])[-1];
#else
    return context->uc_mcontext.regs[30];
#endif
}

/* Whether the stack pointer is no thread's: far from the guard, and no memory. A stack that is too small ends near the guard, and one
   of the program's own (makecontext) is memory. */
static _Bool has_no_stack(const ucontext_t *context, struct frame *frame)
{
#ifdef __x86_64__
    word stack = context->uc_mcontext.gregs[REG_RSP];
#else
    word stack = context->uc_mcontext.sp;
#endif
    word page = sysconf(_SC_PAGESIZE);
    unsigned char held;
    return (word)frame - stack >= (word)1 << 32 && mincore((void *)(stack & -page), 1, &held) != 0;
}

/* Whether an address lies in the code of a program; one with the mark of guards: in a guard. */
_Bool is_program(word place)
{
    word count = __atomic_load_n(&code.count, __ATOMIC_ACQUIRE);
    for (word k = 0; k < count; k++) {
        word start = code.ranges[k].start, end = code.ranges[k].end;
        if (start && place >= start && place < end) return 1;
    }
    return 0;
}

/* Whether a frame holds what a guard has written: marks that there are, and a buffer nearby. */
static _Bool is_whole(struct frame *frame)
{
    word marks = frame->marks;
    struct record *record = frame->record;
    word away = (word)frame->buffer - (word)frame;
    return !(marks & ~(word)(FORKED | LEAVING | THREAD)) && record && away + 65536 < 131072;
}

static void by_default(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

/* Where C code has written over the guard of its call, nothing below it is whole: the process ends, and says so. */
static void overwritten(int number)
{
    static const char said[] = "enzyme_magic: C code has overwritten the stack of the process, which cannot go on. "
                               "Compiled with isolate=True, it ends alone.\n";
    write(STDERR_FILENO, said, sizeof said - 1);
    by_default(number);
}

/* A fault of the program's own where no guard is: it cannot be left, and whoever meets the end of the process should know why. */
static void unguarded(void)
{
    static const char said[] = "enzyme_magic: a fault in C code that is no call of Python's: in a thread of a library (OpenMP), or called by "
                               "its address (SciPy, Numba). It cannot be left; compiled with isolate=True, a worker ends instead.\n";
    write(STDERR_FILENO, said, sizeof said - 1);
}

/* What the process would have done with the signal without us. */
void pass(int number, siginfo_t *info, void *context, const struct sigaction *old)
{
    void (*handler)(int) = old->sa_handler;
    if (handler == SIG_DFL || (handler == SIG_IGN && info->si_code > 0)) by_default(number);
    else if (handler != SIG_IGN) {
        if (old->sa_flags & SA_SIGINFO) old->sa_sigaction(number, info, context);
        else handler(number);
    }
}

enum { ELSEWHERE = 1 }; /* no address of code */

/* Where in a program a fault happened; 0: in what a program jumped to last. */
static word place_of_fault(const siginfo_t *info, const ucontext_t *context, struct frame *frame)
{
    word counter = counter_of(context);
    if (is_program(counter)) return counter;
    if (has_no_stack(context, frame)) return 0;
    if (counter != (word)info->si_addr) return ELSEWHERE;
    word caller = caller_of(context);
    if (is_program(caller)) return caller;
    if (returned_to(context) == counter) return 0;
    return is_program(caller | GUARD_MARK) ? 0 : ELSEWHERE; /* the program's last call is a jump: the guard is where it would have come back to */
}

static void handle(int number, siginfo_t *info, void *context, const struct sigaction *old)
{
    if (number == SIGURG || number == SIGINT) {
        if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) pass(number, info, context, old);
        stop(number, is_program(counter_of(context)));
        return;
    }
    _Bool is_fault = info->si_code > 0; /* else somebody has sent it */
    struct frame *frame = is_fault ? innermost() : 0;
    word place = frame ? place_of_fault(info, context, frame) : ELSEWHERE;
    if (place == ELSEWHERE) {
        if (is_fault && !frame && is_program(counter_of(context))) unguarded();
        pass(number, info, context, old);
        return;
    }
    word marks = frame->marks;
    if (!is_whole(frame) || marks & LEAVING) overwritten(number);
    else if (marks & FORKED) pass(number, info, context, old);
    else {
        frame->marks = marks | LEAVING;
        allow(number);
        leave(KIND_SIGNAL, number, 0, 0, (void *)place, (word)info->si_addr);
    }
}

#define COPY(k)                                                                                                     \
    struct sigaction old_##k[SIGNALS + 1] __asm__("em.run.old_" #k);                                                \
    void signal_##k(int number, siginfo_t *info, void *context) __asm__("em.run.signal_" #k);                       \
    void signal_##k(int number, siginfo_t *info, void *context) { handle(number, info, context, &old_##k[number]); }
_Static_assert(COPIES == 4, "as many as there are here");
COPY(0)
COPY(1)
COPY(2)
COPY(3)

/* The thread's alternate stack, so that a handler has room when the stack has none. One that is already there stays. */
void signal_stack(void **kept) __asm__("em.run.signal_stack");
void signal_stack(void **kept)
{
    stack_t now = {0};
    sigaltstack(0, &now);
    if (!(now.ss_flags & SS_DISABLE)) return;
    void *stack = mmap(0, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return;
    now = (stack_t){.ss_sp = stack, .ss_size = SIGNAL_STACK};
    sigaltstack(&now, 0);
    *kept = stack;
}

void signal_stack_free(void *stack) __asm__("em.run.signal_stack_free");
void signal_stack_free(void *stack)
{
    if (!stack) return;
    stack_t now = {0};
    sigaltstack(0, &now);
    if (now.ss_sp == stack) {
        now.ss_flags = SS_DISABLE;
        sigaltstack(&now, 0);
    }
    munmap(stack, SIGNAL_STACK);
}

/* fork in C code, and vfork, whose child would share the guard's frame with its parent: the child knows that it is one, and ends
   where the guarded call ends. */
int run_fork(void) __asm__("em.run.fork");
int run_fork(void)
{
    int child = fork();
    struct frame *frame = child ? 0 : innermost();
    if (frame) frame->marks = FORKED;
    return child;
}

/* Where a child's C code ends, the child ends, with what it printed: nothing of Python runs in it. */
void child_ends(int status)
{
    fflush(0);
    _exit(status);
}

void child_aborts(void)
{
    fflush(0);
    signal(SIGABRT, SIG_DFL);
    abort();
}
