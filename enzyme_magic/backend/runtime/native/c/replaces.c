/* Functions of the C library that end the process, or put another program in its place, without a call of exit that we would see:
   err and error, exec, daemon, and the system calls themselves. In a call from Python they end the call; in a child that C code
   forked, and in a thread of its own, they are what they are. */
#include "frames.h"
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int run_tgkill(int process, int thread, int number) __asm__("em.run.tgkill");
int run_fork(void) __asm__("em.run.fork");
void spare_range(unsigned first, unsigned last, const char *name, const void *place) __asm__("em.run.spare_range");
_Bool is_kernels(int number) __asm__("em.run.is_kernels");

static void ends(int status) { leave(KIND_EXIT, status, 0, 0, 0, 0); }

static void replaces(const char *name)
{
    if (is_called()) leave(KIND_EXIT, 0, name, 0, 0, 0);
}

void run_verr(int status, const char *format, va_list list) __asm__("em.run.verr");
void run_verr(int status, const char *format, va_list list)
{
    vwarn(format, list);
    ends(status);
}

void run_verrx(int status, const char *format, va_list list) __asm__("em.run.verrx");
void run_verrx(int status, const char *format, va_list list)
{
    vwarnx(format, list);
    ends(status);
}

void run_err(int status, const char *format, ...) __asm__("em.run.err");
void run_err(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    run_verr(status, format, list);
    va_end(list);
}

void run_errx(int status, const char *format, ...) __asm__("em.run.errx");
void run_errx(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    run_verrx(status, format, list);
    va_end(list);
}

static void reports(int status, int number, const char *file, unsigned line, const char *format, va_list list)
{
    fflush(stdout);
    if (file) fprintf(stderr, "%s:%u: ", file, line);
    vfprintf(stderr, format, list);
    if (number) fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    if (status) ends(status);
}

void run_error(int status, int number, const char *format, ...) __asm__("em.run.error");
void run_error(int status, int number, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    reports(status, number, 0, 0, format, list);
    va_end(list);
}

void run_error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) __asm__("em.run.error_at_line");
void run_error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    reports(status, number, file, line, format, list);
    va_end(list);
}

int run_execve(const char *path, char *const words[], char *const environment[]) __asm__("em.run.execve");
int run_execve(const char *path, char *const words[], char *const environment[])
{
    replaces("execve()");
    return execve(path, words, environment);
}

int run_fexecve(int file, char *const words[], char *const environment[]) __asm__("em.run.fexecve");
int run_fexecve(int file, char *const words[], char *const environment[])
{
    replaces("fexecve()");
    return fexecve(file, words, environment);
}

int run_execv(const char *path, char *const words[]) __asm__("em.run.execv");
int run_execv(const char *path, char *const words[])
{
    replaces("execv()");
    return execv(path, words);
}

int run_execvp(const char *file, char *const words[]) __asm__("em.run.execvp");
int run_execvp(const char *file, char *const words[])
{
    replaces("execvp()");
    return execvp(file, words);
}

int run_execvpe(const char *file, char *const words[], char *const environment[]) __asm__("em.run.execvpe");
int run_execvpe(const char *file, char *const words[], char *const environment[])
{
    replaces("execvpe()");
    return execvpe(file, words, environment);
}

/* The words of execl, up to the null pointer; an environment may stand behind it. */
enum { WORDS = 1024 };
#define LISTED(call)                                                         \
    char *words[WORDS] = {(char *)first};                                    \
    va_list list;                                                            \
    va_start(list, first);                                                   \
    int count = 0;                                                           \
    while (count < WORDS - 1 && words[count]) words[++count] = va_arg(list, char *); \
    int answer = count == WORDS - 1 ? (errno = E2BIG, -1) : (call);          \
    va_end(list);                                                            \
    return answer

int run_execl(const char *path, const char *first, ...) __asm__("em.run.execl");
int run_execl(const char *path, const char *first, ...)
{
    replaces("execl()");
    LISTED(execv(path, words));
}

int run_execlp(const char *file, const char *first, ...) __asm__("em.run.execlp");
int run_execlp(const char *file, const char *first, ...)
{
    replaces("execlp()");
    LISTED(execvp(file, words));
}

int run_execle(const char *path, const char *first, ...) __asm__("em.run.execle");
int run_execle(const char *path, const char *first, ...)
{
    replaces("execle()");
    LISTED(execve(path, words, va_arg(list, char **)));
}

int run_daemon(int stays, int keeps) __asm__("em.run.daemon");
int run_daemon(int stays, int keeps)
{
    replaces("daemon()");
    return daemon(stays, keeps);
}

static void watched(int number, const void *place)
{
    if (!watch(number, place)) raise_from(number, place);
}

static void spare_kernel(int number, const char *name, const void *place)
{
    if (is_kernels(number)) leave(KIND_KERNEL, number, name, 0, place, 0);
}

/* The variable arguments of syscall are in the registers of fixed ones, on the processors that we know. What would take a process or
   a thread from under Python, and is no more than a number here, ends the call. */
__attribute__((noinline)) long run_syscall(long number, long a, long b, long c, long d, long e, long f) __asm__("em.run.syscall");
long run_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    const void *place = __builtin_return_address(0);
    if (is_called()) switch (number) {
    case SYS_exit: case SYS_exit_group: ends(a); break;
    case SYS_execve: case SYS_execveat: replaces("execve()"); break;
    case SYS_clone: case SYS_clone3: replaces("syscall(SYS_clone)"); break;
    case SYS_kill: return run_kill(a, b);
    case SYS_tkill: return run_tgkill(getpid(), a, b);
    case SYS_tgkill: return run_tgkill(a, b, c);
    case SYS_rt_sigqueueinfo: if (b && a == getpid()) return raise_from(b, place); break;
    case SYS_rt_tgsigqueueinfo: if (c && a == getpid()) return raise_from(c, place); break;
    case SYS_setitimer: watched(a == 2 ? SIGPROF : a == 1 ? SIGVTALRM : SIGALRM, place); break;
    case SYS_timer_create: watched(b ? ((struct sigevent *)b)->sigev_signo : SIGALRM, place); break;
    case SYS_rt_sigaction: case SYS_rt_sigprocmask: case SYS_sigaltstack: replaces("syscall(SYS_rt_sigaction)"); break;
    case SYS_close: spare_kernel(a, "close", place); break;
    case SYS_dup3: spare_kernel(b, "dup3", place); break;
    case SYS_close_range: if (!(c & 4)) spare_range(a, b, "close_range", place); break; /* CLOSE_RANGE_CLOEXEC */
    case SYS_setrlimit: case SYS_prlimit64: if (number == SYS_setrlimit || c) leave(KIND_KERNEL, -1, "setrlimit", 0, place, 0); break;
#ifdef __x86_64__
    case SYS_fork: case SYS_vfork: return run_fork();
    case SYS_alarm: watched(SIGALRM, place); break;
    case SYS_dup2: spare_kernel(b, "dup2", place); break;
#endif
    default: break;
    }
    return syscall(number, a, b, c, d, e, f);
}
