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

int run_kill(int receiver, int number) __asm__("em.run.kill");

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

/* The variable arguments of syscall are in the registers of fixed ones, on the processors that we know. */
long run_syscall(long number, long a, long b, long c, long d, long e, long f) __asm__("em.run.syscall");
long run_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (is_called()) switch (number) {
    case SYS_exit: case SYS_exit_group: ends(a); break;
    case SYS_execve: replaces("execve()"); break;
    case SYS_kill: return run_kill(a, b);
    case SYS_tkill: if (a == syscall(SYS_gettid)) return run_kill(getpid(), b); break;
    case SYS_tgkill: if (a == getpid() && b == syscall(SYS_gettid)) return run_kill(a, c); break;
    default: break;
    }
    return syscall(number, a, b, c, d, e, f);
}
