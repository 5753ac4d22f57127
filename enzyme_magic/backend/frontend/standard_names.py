"""Which standard header declares which name: functions by the table of the C library, and here the macros, types and constants.

Invariant: a name appears once. Functions clang itself knows as library functions need no entry for the retry (clang names their
header), but a missing include can be foreseen by them. No name that a program is likely to use for itself.
"""

from __future__ import annotations

from types import MappingProxyType

from enzyme_magic.backend.library import libc

_BY_HEADER = {
    "stddef.h": "size_t ptrdiff_t max_align_t NULL offsetof",
    "stdint.h": """int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t
        uintmax_t int_fast8_t int_fast16_t int_fast32_t int_fast64_t uint_fast8_t uint_fast16_t uint_fast32_t
        uint_fast64_t int_least8_t int_least16_t int_least32_t int_least64_t uint_least8_t uint_least16_t uint_least32_t
        uint_least64_t INT8_MAX INT16_MAX INT32_MAX INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX INT8_MIN
        INT16_MIN INT32_MIN INT64_MIN SIZE_MAX PTRDIFF_MAX INTPTR_MAX UINTPTR_MAX""",
    "inttypes.h": "PRId8 PRId16 PRId32 PRId64 PRIu8 PRIu16 PRIu32 PRIu64 PRIx8 PRIx16 PRIx32 PRIx64 PRIdPTR PRIuPTR",
    "stdbool.h": "bool true false",
    "stdio.h": "FILE stdin stdout stderr EOF SEEK_SET SEEK_CUR SEEK_END BUFSIZ",
    "stdlib.h": "EXIT_SUCCESS EXIT_FAILURE RAND_MAX",
    "assert.h": "assert static_assert",
    "float.h": """DBL_EPSILON DBL_MAX DBL_MIN DBL_DIG DBL_MANT_DIG DBL_TRUE_MIN FLT_EPSILON FLT_MAX FLT_MIN FLT_DIG
        FLT_MANT_DIG LDBL_EPSILON LDBL_MAX LDBL_MIN LDBL_DIG LDBL_MANT_DIG""",
    "limits.h": """CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX SHRT_MAX SHRT_MIN USHRT_MAX INT_MAX INT_MIN
        UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX""",
    "math.h": """isfinite isnormal signbit fpclassify isunordered isgreater isless NAN INFINITY HUGE_VAL HUGE_VALF
        HUGE_VALL FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4
        M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 float_t double_t""",
    "complex.h": "complex I CMPLX CMPLXF",
    "stdarg.h": "va_list va_start va_end va_arg va_copy",
    "errno.h": "errno EDOM ERANGE EINVAL ENOMEM",
    "time.h": "time_t clock_t CLOCKS_PER_SEC CLOCK_MONOTONIC CLOCK_REALTIME",
    "stdalign.h": "alignas alignof",
    "stdnoreturn.h": "noreturn",
    "stdatomic.h": """atomic_int atomic_uint atomic_long atomic_size_t atomic_bool atomic_load atomic_store
        atomic_fetch_add""",
    "threads.h": "thread_local",
    "setjmp.h": "jmp_buf",
    "wchar.h": "wchar_t wint_t",
    "sys/types.h": "ssize_t off_t pid_t",
    "alloca.h": "alloca",
    "pthread.h": "pthread_t pthread_mutex_t",
    "immintrin.h": "__m128 __m128d __m128i __m256 __m256d __m256i __m512 __m512d __m512i",
}


def _table() -> dict[str, str]:
    table = {name: header for header, names in _BY_HEADER.items() for name in names.split()}
    functions = ((name, header) for name, (header, _) in libc.headers().items() if name not in libc.unhinted())
    return table | {name: header for name, header in functions if not name.startswith("__")}


HEADER_OF = MappingProxyType(_table())
"""name -> header"""

GNU_NAMES = frozenset(
    name for name, (_, macro) in libc.headers().items() if macro == "_GNU_SOURCE" and name in HEADER_OF
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
