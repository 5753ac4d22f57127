"""Functions of the C library and LLVM intrinsics whose results and effects carry no derivative, each group with the sentence
that says why (the views quote it).

Invariant: nothing here can pass a floating value on to where it is used as a number again: not through its result, not
through memory. What reads or writes memory at all is told by the effects analysis, not here. A name counts only while it is
a declaration: a function the program defines under one of these names is differentiated like any other.
"""

from __future__ import annotations

from functools import cache

_OUTPUT = "prints and computes nothing that is used again"
_TEXT = "text and bytes carry no derivative"
_CLASS = "a truth value carries no derivative"
_INTEGER = "whole numbers carry no derivative"
_NUMBER_FROM_TEXT = "a number read from text depends on no input of the function"
_RANDOM = "a random number depends on no input of the function"
_TIME = "the time depends on no input of the function"
_ENVIRONMENT = "the environment depends on no input of the function"
_FILE = "files are not followed: what is read from one depends on no input of the function"
_ENDS = "does not return"
_ROUNDING = "sets or reads the floating-point environment, which has no slope"
_COMPILER = "speaks to the compiler, computes nothing"
_THREADS = "threads and locks compute nothing"

FUNCTIONS: dict[str, str] = {
    _OUTPUT: """printf fprintf vprintf vfprintf puts fputs putchar putc fputc fputs_unlocked putchar_unlocked fflush perror
        __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk dprintf write fwrite setbuf setvbuf setlinebuf""",
    _TEXT: """strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll memcmp bcmp strchr strrchr strstr strspn strcspn
        strpbrk strerror isalpha isdigit isalnum isspace isupper islower ispunct isprint isgraph iscntrl isxdigit isblank
        toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc snprintf sprintf __snprintf_chk __sprintf_chk""",
    _CLASS: """isnan isnanf isnanl isinf isinff isinfl finite finitef finitel __isnan __isnanf __isnanl __isinf __isinff
        __isinfl __finite __finitef __finitel __fpclassify __fpclassifyf __fpclassifyl __signbit __signbitf __signbitl
        __issignaling __issignalingf __issignalingl __iscanonicall""",
    _INTEGER: "abs labs llabs div ldiv lldiv ffs ffsl ffsll",
    _NUMBER_FROM_TEXT: "atof atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull",
    _RANDOM: """rand rand_r srand random srandom drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 seed48 initstate
        setstate arc4random arc4random_uniform getrandom getentropy""",
    _TIME: """time clock clock_gettime clock_getres gettimeofday difftime ftime nanosleep sleep usleep mktime localtime gmtime
        localtime_r gmtime_r asctime ctime strftime omp_get_wtime omp_get_wtick""",
    _ENVIRONMENT: """getenv secure_getenv setenv unsetenv putenv getpid getppid getuid sysconf sched_getcpu sched_yield
        __errno_location strsignal system getcwd isatty""",
    _FILE: """fopen fopen64 fdopen freopen fclose fseek ftell rewind feof ferror clearerr fileno remove rename tmpfile open
        close lseek getchar getc fgetc ungetc fgets""",
    _ENDS: "exit _exit _Exit quick_exit abort __assert_fail __assert __stack_chk_fail __chk_fail",
    _ROUNDING: """feclearexcept fegetexceptflag feraiseexcept fesetexceptflag fetestexcept fegetround fesetround fegetenv
        feholdexcept fesetenv feupdateenv fegetexcept feenableexcept fedisableexcept""",
    _THREADS: """omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_num_procs omp_in_parallel
        omp_set_num_threads omp_get_level omp_init_lock omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock
        pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_self""",
}

# Functions that write characters, or what a format reads: without derivatives where that is text or whole numbers.
_WRITE_TEXT = """
strcpy stpcpy strncpy stpncpy strcat strncat __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk fgets sscanf fscanf scanf
__isoc99_sscanf __isoc23_sscanf __isoc99_fscanf __isoc23_fscanf __isoc99_scanf __isoc23_scanf
"""
WRITE_TEXT = frozenset(_WRITE_TEXT.split())

INTRINSICS: dict[str, str] = {
    _COMPILER: """assume expect expect.with.probability annotation ptr.annotation var.annotation lifetime.start lifetime.end
        invariant.start invariant.end dbg.value dbg.declare dbg.assign dbg.label experimental.noalias.scope.decl sideeffect
        donothing prefetch objectsize is.constant allow.runtime.check allow.ubsan.check pseudoprobe codeview.annotation
        fake.use instrprof.increment""",
    _ENDS: "trap debugtrap ubsantrap",
    _ENVIRONMENT: "readcyclecounter readsteadycounter returnaddress frameaddress thread.pointer",
    _ROUNDING: "get.rounding set.rounding get.fpenv set.fpenv reset.fpenv get.fpmode set.fpmode reset.fpmode",
    _INTEGER: """abs smax smin umax umin ctlz cttz ctpop bitreverse sadd.with.overflow uadd.with.overflow ssub.with.overflow
        usub.with.overflow smul.with.overflow umul.with.overflow sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat
        scmp ucmp fptosi.sat fptoui.sat vscale""",
}  # fmt: skip

_BY_NAME: dict[str, str] = {name: why for why, names in FUNCTIONS.items() for name in names.split()}
_BY_INTRINSIC: dict[str, str] = {name: why for why, names in INTRINSICS.items() for name in names.split()}


@cache
def reason(name: str) -> str | None:
    """Why a declared function of this name carries no derivative, None if that is not known."""
    if not name.startswith("llvm."):
        return _BY_NAME.get(name)
    parts = name.removeprefix("llvm.").split(".")
    for length in range(len(parts), 0, -1):  # what is left off are type suffixes: smax.i32
        found = _BY_INTRINSIC.get(".".join(parts[:length]))
        if found is not None:
            return found
    return None
