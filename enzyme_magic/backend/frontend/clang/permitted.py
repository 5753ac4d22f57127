"""Which options of clang a user may give, beside those that `arguments` knows by themselves.

Invariant: each says all in one word, and is about the language, the code or the messages: it neither takes the next
word, which would be one of ours, nor writes a file, nor changes what kind of text comes out.
"""

from __future__ import annotations

import re

_ON_OR_OFF = """
    access-control aligned-allocation approx-func associative-math asynchronous-unwind-tables blocks builtin
    caret-diagnostics cf-protection char8_t color-diagnostics common const-strings coroutines cx-fortran-rules
    cx-limited-range cxx-exceptions data-sections delete-null-pointer-checks diagnostics-show-option digraphs
    direct-access-external-data dollars-in-identifiers enable-matrix exceptions fast-math
    fine-grained-bitfield-accesses finite-loops finite-math-only fixed-point freestanding function-sections
    gnu-inline-asm gnu-keywords gnu89-inline honor-infinities honor-nans hosted implicit-templates inline
    inline-functions inline-hint-functions instrument-functions jump-tables keep-inline-functions keep-static-consts
    lax-vector-conversions math-errno merge-all-constants merge-constants ms-compatibility ms-extensions
    omit-frame-pointer omit-leaf-frame-pointer openmp openmp-simd operator-names optimize-sibling-calls pack-struct
    pascal-strings permissive plt protect-parens raw-string-literals reciprocal-math relaxed-template-template-args
    rounding-math rtti rtti-data semantic-interposition short-enums short-wchar show-column signed-char signed-zeros
    sized-deallocation slp-vectorize spell-checking stack-check stack-clash-protection stack-protector
    stack-protector-all stack-protector-strong strict-aliasing strict-enums strict-float-cast-overflow
    strict-overflow strict-return strict-vtable-pointers threadsafe-statics trapping-math trapv tree-slp-vectorize
    tree-vectorize trigraphs unique-internal-linkage-names unit-at-a-time unroll-loops unsafe-math-optimizations
    unsigned-char unwind-tables use-cxa-atexit vectorize virtual-function-elimination visibility-inlines-hidden
    wchar wrapv wrapv-pointer writable-strings xor-operator zero-initialized-in-bss zvector
"""
_WITH_A_VALUE = """
    bracket-depth builtin cf-protection complex-arithmetic constexpr-depth constexpr-loop-limit constexpr-steps
    debug-prefix-map denormal-fp-math denormal-fp-math-f32 excess-precision exec-charset file-prefix-map fp-contract
    fp-eval-method fp-exception-behavior fp-model gnuc-version input-charset lax-vector-conversions
    macro-backtrace-limit macro-prefix-map max-type-align ms-compatibility-version openmp openmp-version pack-struct
    spell-checking-limit strict-flex-arrays template-backtrace-limit template-depth tls-model trap-function
    trivial-auto-var-init visibility zero-call-used-regs
"""
_FEATURES = (
    "3dnow|a[depv]|bmi|cld|clf|clw|cmp|crc|cx1|f16c|fma|fsg|fxsr|gfni|hreset|invpcid|lwp|lzcnt|mmx|mov|mwaitx|pclmul|pku|popcnt"
    "|prf|ptw|rd|rtm|s[eh]|sse|ssse|sgx|tbm|uintr|vaes|vpc|vzeroupper|waitpkg|xop|xsave"
)


def _any_of(names: str) -> str:
    return "|".join(map(re.escape, names.split()))


_PERMITTED = re.compile(
    rf"-f(?:no-)?(?:{_any_of(_ON_OR_OFF)})|-fno-builtin-\w+|-f(?:{_any_of(_WITH_A_VALUE)})=[\w=+,.:/-]+"
    rf"|-m(?:no-)?(?:{_FEATURES})[\w.]*|-m(?:abi|arch|cmodel|cpu|float-abi|fpmath|fpu|long-double|prefer-vector-width|recip|tune)=[\w=+,.-]+"
    r"|-m(?:long-double-(?:64|80|128)|(?:no-)?(?:red-zone|ieee-fp|unaligned-access|soft-float|stack-arg-probe|implicit-float))"
    r"|-W(?![apl],)[\w=+,#-]*|-[DUI].+|-std=[\w+:]+|-pedantic(?:-errors)?|-ansi|-trigraphs|-undef|-pthread|-nostdinc|-nostdlibinc"
    r"|-nobuiltininc|-(?:include|isystem|iquote|idirafter|imacros)[^-].*|--?sysroot=.+",
    re.DOTALL,
)
# What may stand after -Xclang and -Xpreprocessor, where the option is written as the driver writes it.
_FOR_CC1 = re.compile(r"-(?:f|m|W|D|U|std=)[\w+=,.:/-]+")


def is_permitted(word: str) -> bool:
    """Whether the driver may get `word`."""
    return _PERMITTED.fullmatch(word) is not None


def is_permitted_inside(word: str) -> bool:
    """Whether the compiler proper may get `word`."""
    return _FOR_CC1.fullmatch(word) is not None and is_permitted(word)
