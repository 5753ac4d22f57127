"""Data: which standard header declares which name.

Invariant: a name appears once. Functions clang itself knows as library functions need no entry for the retry (clang names their
header), but those of <math.h>, <string.h>, <stdlib.h> and <stdio.h> are here so that a missing include can be foreseen. Macros,
types and constants are here because clang does not name their header. No name that a program is likely to use for itself.
"""

from __future__ import annotations

from types import MappingProxyType

_MATH = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod
frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow
remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc
"""
_MATH_MORE = """
j0 j1 jn y0 y1 yn exp10 sincos isnan isinf isfinite isnormal signbit fpclassify isunordered isgreater isless NAN INFINITY HUGE_VAL
HUGE_VALF HUGE_VALL FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI
M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 float_t double_t lgamma_r
"""

_BY_HEADER = {
    "stddef.h": "size_t ptrdiff_t max_align_t NULL offsetof",
    "stdint.h": """int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t
        int_fast8_t int_fast16_t int_fast32_t int_fast64_t uint_fast8_t uint_fast16_t uint_fast32_t uint_fast64_t
        int_least8_t int_least16_t int_least32_t int_least64_t uint_least8_t uint_least16_t uint_least32_t uint_least64_t
        INT8_MAX INT16_MAX INT32_MAX INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX INT8_MIN INT16_MIN INT32_MIN
        INT64_MIN SIZE_MAX PTRDIFF_MAX INTPTR_MAX UINTPTR_MAX""",
    "inttypes.h": "PRId8 PRId16 PRId32 PRId64 PRIu8 PRIu16 PRIu32 PRIu64 PRIx8 PRIx16 PRIx32 PRIx64 PRIdPTR PRIuPTR",
    "stdbool.h": "bool true false",
    "stdio.h": """FILE stdin stdout stderr EOF SEEK_SET SEEK_CUR SEEK_END BUFSIZ printf fprintf sprintf snprintf puts putchar
        fputs fputc scanf sscanf fscanf fopen fclose fread fwrite fflush perror getchar fgets""",
    "stdlib.h": """malloc calloc realloc free abort exit atexit abs labs llabs qsort bsearch rand srand atoi atol atof strtod
        strtof strtol strtoul getenv posix_memalign aligned_alloc div ldiv EXIT_SUCCESS EXIT_FAILURE RAND_MAX random srandom
        drand48 srand48""",
    "string.h": """memcpy memmove memset memcmp memchr strlen strcpy strncpy strcat strncat strcmp strncmp strchr strrchr strstr
        strdup strtok strerror""",
    "assert.h": "assert static_assert",
    "float.h": """DBL_EPSILON DBL_MAX DBL_MIN DBL_DIG DBL_MANT_DIG DBL_TRUE_MIN FLT_EPSILON FLT_MAX FLT_MIN FLT_DIG FLT_MANT_DIG
        LDBL_EPSILON LDBL_MAX LDBL_MIN LDBL_DIG LDBL_MANT_DIG""",
    "limits.h": """CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX SHRT_MAX SHRT_MIN USHRT_MAX INT_MAX INT_MIN UINT_MAX
        LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX""",
    "math.h": _MATH_MORE,
    "complex.h": """complex I cabs carg cexp clog cpow csqrt csin ccos ctan csinh ccosh ctanh casin cacos catan creal cimag conj
        cproj cabsf cexpf crealf cimagf conjf CMPLX CMPLXF""",
    "stdarg.h": "va_list va_start va_end va_arg va_copy",
    "errno.h": "errno EDOM ERANGE EINVAL ENOMEM",
    "time.h": "time_t clock_t clock CLOCKS_PER_SEC time difftime clock_gettime CLOCK_MONOTONIC CLOCK_REALTIME nanosleep",
    "ctype.h": "isalpha isdigit isalnum isspace isupper islower toupper tolower isxdigit ispunct isprint",
    "stdalign.h": "alignas alignof",
    "stdnoreturn.h": "noreturn",
    "stdatomic.h": "atomic_int atomic_uint atomic_long atomic_size_t atomic_bool atomic_load atomic_store atomic_fetch_add",
    "threads.h": "thread_local",
    "setjmp.h": "jmp_buf setjmp longjmp",
    "wchar.h": "wchar_t wint_t",
    "sys/types.h": "ssize_t off_t pid_t",
    "sys/time.h": "gettimeofday",
    "unistd.h": "usleep sleep getpid",
    "alloca.h": "alloca",
    "pthread.h": "pthread_t pthread_mutex_t pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock",
    "omp.h": "omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_set_num_threads omp_get_wtime",
    "immintrin.h": "__m128 __m128d __m128i __m256 __m256d __m256i __m512 __m512d __m512i",
}


def _table() -> dict[str, str]:
    table = {name: header for header, names in _BY_HEADER.items() for name in names.split()}
    table |= {name + suffix: "math.h" for name in _MATH.split() for suffix in ("", "f", "l")}
    return table


HEADER_OF = MappingProxyType(_table())
"""name -> header"""

GNU_NAMES = frozenset(
    [
        "exp10",
        "exp10f",
        "exp10l",
        "sincos",
        "sincosf",
        "sincosl",
        "pow10",
        "j0f",
        "j1f",
        "y0f",
        "y1f",
        "jnf",
        "ynf",
        "qsort_r",
    ]
)
"""Declared by their header only where _GNU_SOURCE is defined."""

FORESEEN_CALLS = frozenset(
    name
    for name, header in HEADER_OF.items()
    if header in ("math.h", "string.h", "stdlib.h", "stdio.h", "assert.h")
    and not name.isupper()
    and name not in GNU_NAMES
)
"""Functions whose undeclared call certainly fails to compile, and that a header cures."""
