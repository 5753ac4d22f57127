/* Descriptors that are the kernel's: its sockets, pipes, files and standard streams.

   In a call from Python C code may close, or put another in the place of, what C code has opened: the functions that open are noted,
   with what the descriptor then was (its device and inode), so that a number that somebody else has got since is nobody's. Closing
   any other descriptor that is open ends the call. In a child that C forked, all is as in C.

   Not here: what C reads from or writes to descriptors of others; descriptors of a FILE (fclose knows them). */
#include "frames.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { MOST = 1 << 16 };
static word opened[MOST]; /* what a descriptor was when C code got it; 0: not C's */

static word what_is(int number)
{
    struct stat found;
    if (fstat(number, &found)) return 0;
    return (found.st_dev * 0x9e3779b97f4a7c15ul ^ found.st_ino) | 1;
}

static int ours(int number)
{
    if (number >= 0 && number < MOST && is_called()) opened[number] = what_is(number);
    return number;
}

_Bool is_kernels(int number) __asm__("em.run.is_kernels");
_Bool is_kernels(int number)
{
    word now = number < 0 ? 0 : what_is(number);
    return now && (number >= MOST || opened[number] != now);
}

/* The call ends where this is a descriptor of the kernel. */
static void spare(int number, const char *name, const void *place)
{
    if (is_called() && is_kernels(number)) leave(KIND_KERNEL, number, name, 0, place, 0);
    if (number >= 0 && number < MOST) opened[number] = 0;
}
#define SPARE(number, name) spare(number, name, __builtin_return_address(0))
#define PLACED __attribute__((noinline))

PLACED int run_close(int number) __asm__("em.run.close");
int run_close(int number)
{
    SPARE(number, "close");
    return close(number);
}

PLACED int run_shutdown(int number, int how) __asm__("em.run.shutdown");
int run_shutdown(int number, int how)
{
    if (is_called() && is_kernels(number)) leave(KIND_KERNEL, number, "shutdown", 0, __builtin_return_address(0), 0);
    return shutdown(number, how);
}

PLACED int run_dup2(int from, int to) __asm__("em.run.dup2");
int run_dup2(int from, int to)
{
    if (from == to) return dup2(from, to);
    SPARE(to, "dup2");
    return ours(dup2(from, to));
}

PLACED int run_dup3(int from, int to, int flags) __asm__("em.run.dup3");
int run_dup3(int from, int to, int flags)
{
    if (from == to) return dup3(from, to, flags);
    SPARE(to, "dup3");
    return ours(dup3(from, to, flags));
}

void spare_range(unsigned first, unsigned last, const char *name, const void *place) __asm__("em.run.spare_range");
void spare_range(unsigned first, unsigned last, const char *name, const void *place)
{
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur > 1 << 20) limit.rlim_cur = 1 << 20;
    for (unsigned number = first; number <= last && number < limit.rlim_cur; number++) spare(number, name, place);
}

PLACED int run_close_range(unsigned first, unsigned last, int flags) __asm__("em.run.close_range");
int run_close_range(unsigned first, unsigned last, int flags)
{
    if (is_called() && !(flags & 4)) spare_range(first, last, "close_range", __builtin_return_address(0)); /* CLOSE_RANGE_CLOEXEC */
    return syscall(SYS_close_range, (word)first, (word)last, (word)(unsigned)flags);
}

PLACED void run_closefrom(int first) __asm__("em.run.closefrom");
void run_closefrom(int first)
{
    if (is_called()) spare_range(first < 0 ? 0 : first, -1, "closefrom", __builtin_return_address(0));
    syscall(SYS_close_range, (word)(first < 0 ? 0 : first), (word)(unsigned)-1, 0ul);
}

/* Of streams only the standard ones are not C's: Python has no others. */
static void spare_stream(FILE *file, const char *name, const void *place)
{
    int number = file ? fileno(file) : -1;
    if (is_called() && (file == stdin || file == stdout || file == stderr)) leave(KIND_KERNEL, number, name, 0, place, 0);
    if (number >= 0 && number < MOST) opened[number] = 0;
}

PLACED int run_fclose(FILE *file) __asm__("em.run.fclose");
int run_fclose(FILE *file)
{
    spare_stream(file, "fclose", __builtin_return_address(0));
    return fclose(file);
}

PLACED FILE *run_freopen(const char *path, const char *mode, FILE *file) __asm__("em.run.freopen");
FILE *run_freopen(const char *path, const char *mode, FILE *file)
{
    spare_stream(file, "freopen", __builtin_return_address(0));
    return freopen(path, mode, file);
}

PLACED int run_fcloseall(void) __asm__("em.run.fcloseall");
int run_fcloseall(void)
{
    if (is_called()) leave(KIND_KERNEL, 1, "fcloseall", 0, __builtin_return_address(0), 0);
    return fcloseall();
}

/* A limit of the process that C code sets stays when its call is over, and some end the process when they are reached. */
PLACED int run_setrlimit(int what, const struct rlimit *new) __asm__("em.run.setrlimit");
int run_setrlimit(int what, const struct rlimit *new)
{
    if (is_called()) leave(KIND_KERNEL, -1, "setrlimit", 0, __builtin_return_address(0), 0);
    return setrlimit(what, new);
}

PLACED int run_prlimit(int process, int what, const struct rlimit *new, struct rlimit *old) __asm__("em.run.prlimit");
int run_prlimit(int process, int what, const struct rlimit *new, struct rlimit *old)
{
    if (is_called() && new && (!process || process == getpid()))
        leave(KIND_KERNEL, -1, "prlimit", 0, __builtin_return_address(0), 0);
    return prlimit(process, what, new, old);
}

/* What opens. Variable arguments are in the registers of fixed ones, on the processors that we know. */
int run_open(const char *path, int flags, int mode) __asm__("em.run.open");
int run_open(const char *path, int flags, int mode) { return ours(open(path, flags, mode)); }
int run_openat(int folder, const char *path, int flags, int mode) __asm__("em.run.openat");
int run_openat(int folder, const char *path, int flags, int mode) { return ours(openat(folder, path, flags, mode)); }
int run_creat(const char *path, int mode) __asm__("em.run.creat");
int run_creat(const char *path, int mode) { return ours(creat(path, mode)); }
int run_dup(int from) __asm__("em.run.dup");
int run_dup(int from) { return ours(dup(from)); }
int run_socket(int domain, int type, int protocol) __asm__("em.run.socket");
int run_socket(int domain, int type, int protocol) { return ours(socket(domain, type, protocol)); }
int run_accept(int from, struct sockaddr *who, socklen_t *size) __asm__("em.run.accept");
int run_accept(int from, struct sockaddr *who, socklen_t *size) { return ours(accept(from, who, size)); }
int run_accept4(int from, struct sockaddr *who, socklen_t *size, int flags) __asm__("em.run.accept4");
int run_accept4(int from, struct sockaddr *who, socklen_t *size, int flags) { return ours(accept4(from, who, size, flags)); }
int run_mkstemp(char *path) __asm__("em.run.mkstemp");
int run_mkstemp(char *path) { return ours(mkstemp(path)); }
int run_mkostemp(char *path, int flags) __asm__("em.run.mkostemp");
int run_mkostemp(char *path, int flags) { return ours(mkostemp(path, flags)); }
int run_memfd_create(const char *name, unsigned flags) __asm__("em.run.memfd_create");
int run_memfd_create(const char *name, unsigned flags) { return ours(memfd_create(name, flags)); }
int run_shm_open(const char *name, int flags, unsigned mode) __asm__("em.run.shm_open");
int run_shm_open(const char *name, int flags, unsigned mode) {
    int (*made)(const char *, int, unsigned) = dlsym(0, "shm_open"); /* in a library of its own, formerly */
    return ours(made(name, flags, mode));
}
int run_eventfd(unsigned first, int flags) __asm__("em.run.eventfd");
int run_eventfd(unsigned first, int flags) { return ours(eventfd(first, flags)); }
int run_epoll_create1(int flags) __asm__("em.run.epoll_create1");
int run_epoll_create1(int flags) { return ours(epoll_create1(flags)); }
int run_timerfd_create(int clock, int flags) __asm__("em.run.timerfd_create");
int run_timerfd_create(int clock, int flags) { return ours(timerfd_create(clock, flags)); }
int run_fileno(FILE *file) __asm__("em.run.fileno");
int run_fileno(FILE *file)
{
    int number = fileno(file);
    return file == stdin || file == stdout || file == stderr ? number : ours(number);
}

static int both(int failed, const int made[2])
{
    if (!failed) ours(made[0]), ours(made[1]);
    return failed;
}

int run_pipe(int made[2]) __asm__("em.run.pipe");
int run_pipe(int made[2]) { return both(pipe(made), made); }
int run_pipe2(int made[2], int flags) __asm__("em.run.pipe2");
int run_pipe2(int made[2], int flags) { return both(pipe2(made, flags), made); }
int run_socketpair(int domain, int type, int protocol, int made[2]) __asm__("em.run.socketpair");
int run_socketpair(int domain, int type, int protocol, int made[2]) { return both(socketpair(domain, type, protocol, made), made); }

int run_fcntl(int number, int what, long value) __asm__("em.run.fcntl");
int run_fcntl(int number, int what, long value)
{
    int answer = fcntl(number, what, value);
    return what == F_DUPFD || what == F_DUPFD_CLOEXEC ? ours(answer) : answer;
}
