"""Data: functions whose names mean something to clang or LLVM.

Invariant: a call of one of these names may become an intrinsic, a constant or another call, unless the compiler is told that the
program has its own (`-fno-builtin-NAME`). From LLVM's TargetLibraryInfo and clang's list of library functions. A name too many
costs one more run of clang, for a program that defines such a function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAMES = """
_Exit __log2l_finite __log_finite __logf_finite __logl_finite __memccpy_chk __memcpy_chk __memmove_chk __mempcpy_chk
__memset_chk __nvvm_reflect __pow_finite __powf_finite __powl_finite __sincospi_stret __sincospif_stret __sinh_finite
__sinhf_finite __sinhl_finite __sinpi __sinpif __small_fprintf __small_printf __small_sprintf __snprintf_chk __sprintf_chk
__sqrt_finite __sqrtf_finite __sqrtl_finite __stpcpy_chk __stpncpy_chk __strcat_chk __strcpy_chk __strdup __strlcat_chk
__strlcpy_chk __strlen_chk __strncat_chk __strncpy_chk __strndup __strtok_r __vsnprintf_chk __vsprintf_chk abort acos acosf
acosh acoshf acoshl acosl acospi acospif acospil aligned_alloc alloca asin asinf asinh asinhf asinhl asinl asinpi asinpif
asinpil atan atan2 atan2f atan2l atanf atanh atanhf atanhl atanl atanpi atanpif atanpil atof atoi atol atoll bcmp bcopy bzero
cabs cabsf cabsl cacos cacosf cacosh cacoshf cacoshl cacosl calloc carg cargf cargl casin casinf casinh casinhf casinhl casinl
catan catanf catanh catanhf catanhl catanl cbrt cbrtf cbrtl ccos ccosf ccosh ccoshf ccoshl ccosl ceil ceilf ceill cexp cexpf
cexpl chmod chown cimag cimagf cimagl clearerr clog clogf clogl closedir conj conjf conjl copysign copysignf copysignl cos
cosf cosh coshf coshl cosl cospi cospif cospil cpow cpowf cpowl cproj cprojf cprojl creal crealf creall csin csinf csinh
csinhf csinhl csinl csqrt csqrtf csqrtl ctan ctanf ctanh ctanhf ctanhl ctanl ctermid drem erf erfc erfcf erfcl erff erfl execl
execle execlp execv execvP execve execvp execvpe exit exp exp10 exp10f exp10l exp2 exp2f exp2l expf expl expm1 expm1f expm1l
fabs fabsf fabsl fclose fdim fdimf fdiml fdopen feof ferror fflush ffs ffsl ffsll fgetc fgetc_unlocked fgetpos fgets
fgets_unlocked fileno finite fiprintf flockfile floor floorf floorl fls flsl flsll fma fmaf fmal fmax fmaxf fmaximum
fmaximum_num fmaximum_numf fmaximum_numl fmaximumf fmaximuml fmaxl fmin fminf fminimum fminimum_num fminimum_numf
fminimum_numl fminimumf fminimuml fminl fmod fmodf fmodl fopen fopen64 fork fprintf fputc fputc_unlocked fputs fputs_unlocked
fread fread_unlocked free frexp frexpf frexpl fscanf fseek fseeko fseeko64 fsetpos fstat fstat64 fstatvfs fstatvfs64 ftell
ftello ftello64 ftrylockfile funlockfile fwrite fwrite_unlocked gamma getc getc_unlocked getchar getchar_unlocked getenv
getitimer getlogin_r getpwnam gets gettimeofday htonl htons hypot hypotf hypotl ilogb ilogbf ilogbl index iprintf isalnum
isalpha isascii isblank iscntrl isdigit isgraph isinf islower isnan isprint ispunct isspace isupper isxdigit j0 j0f j0l j1 j1f
j1l jn jnf jnl labs lchown ldexp ldexpf ldexpl lgamma lgamma_r lgammaf lgammal llabs llrint llrintf llrintl llround llroundf
llroundl log log10 log10f log10l log1p log1pf log1pl log2 log2f log2l logb logbf logbl logf logl longjmp lrint lrintf lrintl
lround lroundf lroundl lstat lstat64 malloc memalign memccpy memchr memcmp memcpy memmove mempcpy memrchr memset
memset_pattern16 memset_pattern4 memset_pattern8 mkdir mktime modf modff modfl nan nanf nanl nearbyint nearbyintf nearbyintl
nextafter nextafterf nextafterl nexttoward nexttowardf nexttowardl ntohl ntohs open open64 opendir pclose perror popen
posix_memalign pow pow10 powf powl pread printf putc putc_unlocked putchar putchar_unlocked puts pvalloc pwrite qsort read
readlink realloc reallocarray reallocf realpath remainder remainderf remainderl remove remquo remquof remquol rename rewind
rindex rint rintf rintl rmdir round roundeven roundevenf roundevenl roundf roundl scalb scalbln scalblnf scalblnl scalbn
scalbnf scalbnl scanf setbuf setitimer setjmp setvbuf signbit significand sin sincos sincosf sincosl sincospi sincospif
sincospil sinf sinh sinhf sinhl sinl sinpi sinpif sinpil siprintf snprintf sprintf sqrt sqrtf sqrtl sscanf stat stat64 statvfs
statvfs64 stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strlcat strlcpy strlen strncasecmp
strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr strtod strtof strtok strtok_r strtol strtold strtoll
strtoul strtoull strxfrm system tan tanf tanh tanhf tanhl tanl tanpi tanpif tanpil tgamma tgammaf tgammal times tmpfile
tmpfile64 toascii tolower toupper trunc truncf truncl uname ungetc unlink unsetenv utime utimes valloc vec_calloc vec_free
vec_malloc vec_realloc vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf wcslen write y0 y0f y0l y1 y1f y1l yn ynf
ynl
"""
NAMES = frozenset(_NAMES.split())
_DEFINED = re.compile(r"^define (?!internal |private )[^@\n]*@([\w.]+)\(", re.MULTILINE)
_DEFINITION = re.compile(r"^(define [^@\n]*@([\w.]+)\(.*\))((?: \w+)*? #\d+)", re.MULTILINE)


def defined(irs: Iterable[str]) -> tuple[str, ...]:
    """The library functions that modules define for themselves."""
    return tuple(sorted({name for ir in irs for name in _DEFINED.findall(ir)} & NAMES))


def marked(ir: str, own: Iterable[str]) -> str:
    """The module where the definitions of `own` say that they are no library functions."""
    names = frozenset(own)
    return _DEFINITION.sub(lambda d: f"{d[1]} nobuiltin{d[3]}" if d[2] in names else d[0], ir)
