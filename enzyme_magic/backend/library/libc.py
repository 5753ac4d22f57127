"""What functions of the C library do: a table, one line per function, and its reader.

Invariant: a function that is not in the table is unknown, and unknown means anything. The table is consulted for
declarations only (a program may define its own `index`). Sources: ISO C17 clause 7, POSIX.1-2017.

Line format: names (comma separated), then words:
  reads K, writes K         the call reads / writes memory argument K points to; K* for every variadic argument
  K:8  K:$2  K:$1$2  K:str  how many bytes: a constant, the value of argument 2, a product, up to a terminator
  returns K|fresh|unknown|errno|static   what a returned pointer points into (static: memory of the library)
  alloc KIND, frees K       allocates; frees argument K
  store K<-J, K<-fresh      a pointer into J's memory (or fresh memory) is put into K's memory
  copies K<-J, fresh<-J     K's memory (fresh memory) gets bytes of J's memory, pointers included
  sets NAME, library        writes the global NAME; changes a state of the library no pointer of the program reaches
  stream K                  argument K is a FILE, which is such a state
  captures K                the pointer stays in the library
  errno  prints  exits  callback K  once     `once`: not repeatable (input, time, random numbers, a state of the library)
  refused TEXT              differentiation refuses it (TEXT to the end of the line)

Not modelled: `%n` in a printf format (it writes an integer, never a floating value), locale changes, signals.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from enzyme_magic.backend.library.summary import (
    ANYWHERE,
    ERRNO_PLACE,
    GLOBAL,
    NEW,
    NOTHING,
    Place,
    Summary,
    TouchedBytes,
    anything,
    argument,
    reachable,
)

TANGENT = "em.tangent"  # begins the names of the functions that forward mode computes tangents with

_REAL_MATH = """
acos asin atan cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 log log10 log1p log2 logb ilogb sqrt cbrt fabs
erf erfc tgamma ceil floor nearbyint rint lrint llrint round lround llround roundeven trunc atan2 pow hypot fmod remainder
copysign nextafter nexttoward fdim fmax fmin fma ldexp scalbn scalbln scalb j0 j1 jn y0 y1 yn significand drem
fmaximum fminimum fmaximum_num fminimum_num sinpi cospi tanpi asinpi acospi atanpi
"""

_COMPLEX_MATH = """
cabs carg cimag creal conj cproj cacos casin catan ccos csin ctan cacosh casinh catanh ccosh csinh ctanh cexp clog cpow csqrt
"""

_TABLE = """
# --- math with memory
frexp, frexpf, frexpl              writes 1:4
modf                               writes 1:8
modff                              writes 1:4
modfl                              writes 1:10
remquo, remquof, remquol           writes 2:4
sincos, sincospi                   writes 1:8  writes 2:8
sincosf, sincospif                 writes 1:4  writes 2:4
sincosl                            writes 1:10  writes 2:10
lgamma_r, lgammaf_r, lgammal_r     writes 1:4  errno
lgamma, lgammaf, lgammal           sets signgam  errno
gamma, gammaf, gammal              sets signgam  errno
nan, nanf, nanl                    reads 0:str
__fpclassify, __fpclassifyf, __fpclassifyl, __signbit, __signbitf, __signbitl, __isnan, __isinf, __finite, isnan
isinf, finite, isnanf, isinff, finitef, __isnanf, __isinff, __finitef
__powidf2, __powisf2, __powixf2, __muldc3, __mulsc3, __mulxc3, __divdc3, __divsc3, __divxc3
abs, labs, llabs, div, ldiv, lldiv, imaxabs
ffs, ffsl, ffsll, toascii, htonl, htons, ntohl, ntohs
isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit, tolower, toupper
__ctype_b_loc, __ctype_tolower_loc, __ctype_toupper_loc   returns static
fegetround, fetestexcept           once
fesetround, feclearexcept, feraiseexcept   once  library
__errno_location                   returns errno

# --- memory blocks and strings
memcpy, memmove                    writes 0:$2  reads 1:$2  returns 0  copies 0<-1
mempcpy                            writes 0:$2  reads 1:$2  returns 0  copies 0<-1
memccpy                            writes 0  reads 1  returns 0
__memcpy_chk, __memmove_chk        writes 0:$2  reads 1:$2  returns 0  copies 0<-1
memset, __memset_chk               writes 0:$2  returns 0
bzero                              writes 0:$1
bcopy                              reads 0:$2  writes 1:$2  copies 1<-0
memcmp, bcmp                       reads 0:$2  reads 1:$2
memchr, memrchr                    reads 0:$2  returns 0
rawmemchr                          reads 0  returns 0
strlen                             reads 0:str
strnlen                            reads 0:str
strcpy, stpcpy, __strcpy_chk       writes 0  reads 1:str  returns 0
strncpy, stpncpy, __strncpy_chk    writes 0:$2  reads 1:str  returns 0
strcat, __strcat_chk               writes 0  reads 0  reads 1:str  returns 0
strncat, __strncat_chk             writes 0  reads 0  reads 1:str  returns 0
strcmp, strcoll, strcasecmp        reads 0:str  reads 1:str
strncmp, strncasecmp               reads 0:str  reads 1:str
strchr, strrchr, strchrnul, index, rindex   reads 0:str  returns 0
strstr, strpbrk, strcasestr        reads 0:str  reads 1:str  returns 0
strspn, strcspn                    reads 0:str  reads 1:str
strtok                             writes 0  reads 0  reads 1:str  captures 0  returns 0  returns unknown  library  once
strtok_r                           writes 0  reads 0  reads 1:str  writes 2:8  reads 2:8  store 2<-0  returns 0  returns 2>
strerror                           returns static  library  once
strdup, strndup                    reads 0:str  alloc strdup  returns fresh  errno
qsort                              callback 3  writes 0:$1$2  reads 0:$1$2
bsearch                            callback 4  reads 0  reads 1:$2$3  returns 1

# --- numbers and text
atoi, atol, atoll, atof            reads 0:str
strtod, strtof, strtold            reads 0:str  writes 1:8  store 1<-0  errno
strtol, strtoll, strtoul, strtoull, strtoimax, strtoumax   reads 0:str  writes 1:8  store 1<-0  errno

# --- allocation
malloc                             alloc malloc  returns fresh  errno
valloc, pvalloc                    alloc malloc  returns fresh  errno
calloc                             alloc calloc  returns fresh  errno
realloc                            alloc realloc  returns fresh  reads 0  frees 0  copies fresh<-0  errno
reallocarray                       alloc realloc  returns fresh  reads 0  frees 0  copies fresh<-0  errno
aligned_alloc, memalign            alloc aligned_alloc  returns fresh  errno
posix_memalign                     alloc posix_memalign  writes 0:8  store 0<-fresh
free, cfree                        frees 0
malloc_usable_size                 once

# --- output: prints, changes nothing of the program
printf, vprintf, wprintf           prints  reads 0:str  reads *  errno
puts, perror                       prints  reads 0:str  errno
putchar, putchar_unlocked          prints  errno
fprintf                            prints  reads 1:str  reads *  stream 0  errno
vfprintf                           prints  reads 1:str  reads 2  reads 2>  writes 2  stream 0  errno
fputs                              prints  reads 0:str  stream 1  errno
fputc, putc                        prints  stream 1  errno
fwrite                             prints  reads 0:$1$2  stream 3  errno
fflush                             prints  stream 0  errno
dprintf                            prints  reads 1:str  reads *  errno
write                              prints  reads 1:$2  errno
sprintf                            writes 0  reads 1:str  reads *  errno
snprintf                           writes 0:$1  reads 2:str  reads *  errno
vsnprintf                          writes 0:$1  reads 2:str  reads 3  reads 3>  writes 3  errno
__printf_chk                       prints  reads 1:str  reads *  errno
__fprintf_chk                      prints  reads 2:str  reads *  stream 0  errno
__sprintf_chk                      writes 0  reads 3:str  reads *  errno
__snprintf_chk                     writes 0:$1  reads 4:str  reads *  errno

# --- input and files: read the world, once
scanf                              once  reads 0:str  writes *  library  errno
sscanf, __isoc99_sscanf            reads 0:str  reads 1:str  writes *  errno
fscanf, __isoc99_fscanf            once  reads 1:str  writes *  stream 0  errno
__isoc99_scanf, __isoc23_scanf     once  reads 0:str  writes *  library  errno
__isoc23_sscanf                    reads 0:str  reads 1:str  writes *  errno
__isoc23_fscanf                    once  reads 1:str  writes *  stream 0  errno
__isoc23_strtol, __isoc23_strtoll, __isoc23_strtoul, __isoc23_strtoull   reads 0:str  writes 1:8  store 1<-0  errno
fread                              once  writes 0:$1$2  stream 3  errno
fgets                              once  writes 0:$1  stream 2  returns 0  errno
getchar, getchar_unlocked          once  library  errno
fgetc, getc, ungetc                once  stream 0  stream 1  errno
fopen                              once  reads 0:str  reads 1:str  returns static  library  errno
fclose                             once  stream 0  errno
feof, ferror, clearerr, fseek, ftell, rewind, fileno   once  stream 0  errno
remove                             once  reads 0:str  errno
read                               once  writes 1:$2  errno
close                              once  errno

# --- time, random numbers, environment
time                               once  writes 0:8
clock                              once
difftime
clock_gettime                      once  writes 1:16  errno
gettimeofday                       once  writes 0:16  errno
nanosleep                          once  reads 0:16  writes 1:16  errno
usleep, sleep                      once  errno
rand, random, drand48, lrand48, mrand48   once  library
srand, srandom, srand48            once  library
rand_r                             reads 0:4  writes 0:4
erand48, nrand48, jrand48          once  reads 0:6  writes 0:6  library
getenv                             once  reads 0:str  returns static
getpid, getppid, sched_getcpu      once
omp_get_thread_num, omp_get_num_threads, omp_get_max_threads, omp_get_num_procs, omp_in_parallel, omp_get_wtime   once

# --- the end of the program
exit, _exit, _Exit, quick_exit, abort   exits  once
__assert_fail                      exits  prints  reads 0:str  reads 1:str  reads 3:str  once
__stack_chk_fail, __chk_fail       exits  prints  once

# --- refused
setjmp, _setjmp, sigsetjmp, __sigsetjmp   refused setjmp makes one call return twice; use an error code instead
longjmp, _longjmp, siglongjmp      refused longjmp leaves functions without returning; use an error code instead
signal, sigaction, bsd_signal      refused a signal handler may run between any two instructions
pthread_create, thrd_create        refused threads of one's own are not followed; take gradients from several Python threads instead
fork, vfork                        refused fork makes a second process; differentiate in one process
atexit, at_quick_exit, on_exit     refused the handler runs after the gradient is gone
dlopen, dlsym                      refused code found at run time has no derivative; link the function into the cell
getcontext, setcontext, makecontext, swapcontext   refused contexts switch stacks; use ordinary calls
"""


def _location(text: str) -> tuple[int, str]:
    """`1:$2` → (1, "$2"); `*` → (-1, "")."""
    head, _, size = text.partition(":")
    return (-1 if head == "*" else int(head)), size


def _extent(index: int, size: str) -> TouchedBytes | None:
    if not size:
        return None
    if size == "str":
        return TouchedBytes(index, exact=False)
    if size.startswith("$"):
        return TouchedBytes(index, 1, tuple(int(part) for part in size[1:].split("$")))
    return TouchedBytes(index, int(size))


class _Reader:
    """Builds the summary of one line."""

    def __init__(self, reason: str) -> None:
        self.summary = replace(NOTHING, reason=reason)

    def apply(self, words: list[str]) -> Summary:
        pending = iter(words)
        for word in pending:
            action = getattr(self, f"on_{word}")
            if word == "refused":
                action(" ".join(pending))
            elif action.__code__.co_argcount == 2:
                action(next(pending))
            else:
                action()
        return self.summary

    def grow(self, **fields: object) -> None:
        self.summary = replace(self.summary, **fields)  # type: ignore[arg-type]

    def on_reads(self, text: str) -> None:
        if text.endswith(">"):
            self.grow(reads=self.summary.reads | {reachable(int(text[:-1]))})
            return
        index, size = _location(text)
        extent = _extent(index, size)
        self.grow(
            reads=self.summary.reads | {argument(index)},
            read_extents=self.summary.read_extents + ((extent,) if extent else ()),
        )

    def on_writes(self, text: str) -> None:
        index, size = _location(text)
        extent = _extent(index, size)
        self.grow(
            writes=self.summary.writes | {argument(index)},
            write_extents=self.summary.write_extents + ((extent,) if extent else ()),
        )

    def on_returns(self, text: str) -> None:
        named = {"fresh": NEW, "unknown": ANYWHERE, "static": ANYWHERE, "errno": ERRNO_PLACE}
        place = named.get(text) or (reachable(int(text[:-1])) if text.endswith(">") else argument(int(text)))
        self.grow(returns=self.summary.returns | {place})

    def on_alloc(self, kind: str) -> None:
        self.grow(allocates=kind, repeatable=False)

    def on_frees(self, text: str) -> None:
        self.grow(frees=self.summary.frees | {argument(int(text))}, repeatable=False)

    def on_copies(self, text: str) -> None:
        target, _, source = text.partition("<-")
        into = NEW if target == "fresh" else argument(int(target))
        self.grow(stores=self.summary.stores | {(into, reachable(int(source)))})

    def on_store(self, text: str) -> None:
        target, _, source = text.partition("<-")
        pointee = NEW if source == "fresh" else argument(int(source))
        self.grow(stores=self.summary.stores | {(argument(int(target)), pointee)})

    def on_sets(self, name: str) -> None:
        self.grow(writes=self.summary.writes | {Place(GLOBAL, name=name)}, repeatable=False)

    def on_captures(self, text: str) -> None:
        self.grow(captures=self.summary.captures | {int(text)})

    def on_stream(self, text: str) -> None:
        """A FILE: memory of the library, nobody else looks into it."""
        self.grow(repeatable=False)

    def on_callback(self, text: str) -> None:
        self.grow(callbacks=(*self.summary.callbacks, int(text)))

    def on_errno(self) -> None:
        self.grow(writes=self.summary.writes | {ERRNO_PLACE})

    def on_library(self) -> None:
        self.grow(repeatable=False)

    def on_prints(self) -> None:
        self.grow(prints=True, repeatable=False)

    def on_exits(self) -> None:
        self.grow(may_exit=True, repeatable=False)

    def on_once(self) -> None:
        self.grow(repeatable=False)

    def on_refused(self, text: str) -> None:
        self.summary = replace(anything(self.summary.reason), refused=text)


def _math() -> dict[str, Summary]:
    names = [name + suffix for name in (_REAL_MATH + _COMPLEX_MATH).split() for suffix in ("", "f", "l")]
    names += [f"__{operation}{letter}c3" for operation in ("mul", "div") for letter in "sdxt"]  # the compiler's own
    return {
        name: replace(NOTHING, writes=frozenset([ERRNO_PLACE]), reason=f"{name} computes from its arguments alone")
        for name in names
    }


@lru_cache(maxsize=1)
def table() -> dict[str, Summary]:
    """All known functions by name."""
    result = _math()
    for line in _TABLE.splitlines():
        if not line or line.startswith("#"):
            continue
        names, words = _split(line)
        for name in names:
            result[name] = _Reader(f"{name} is a function of the C library").apply(words)
    return result


def _split(line: str) -> tuple[list[str], list[str]]:
    words = line.split()
    names = []
    while words:
        word = words.pop(0)
        names.append(word.rstrip(","))
        if not word.endswith(","):
            break
    return names, words


def summary_of(name: str) -> Summary | None:
    """The summary of library function `name`, or of one that forward mode computes tangents with; None when the table does not
    know it."""
    if name.startswith(TANGENT):
        return replace(NOTHING, reason="it computes a tangent")
    return table().get(name.split("@")[0])
