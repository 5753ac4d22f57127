"""Everything enters LLVM verified, for this host, in a context of its own; what cannot be compiled is an error, not an abort."""

import subprocess
import sys

import pytest

from enzyme_magic.backend.llvm import binding, irtext, optimize
from enzyme_magic.errors import InternalError, ToolchainError, UnsupportedIRError

IDENTITY = "define double @f(double %x) {\n  ret double %x\n}\n"


def test_facts_of_the_host():
    assert binding.llvm_version()[0] == binding.LLVM_MAJOR
    assert binding.host_cpu()
    assert binding.host_features().split(",")[0][0] in "+-"
    assert binding.host_triple().count("-") == 3
    assert not any(character.isdigit() for character in binding.host_triple().split("-", 1)[1])


def test_another_llvm_is_refused():
    with pytest.raises(ToolchainError, match=r"21\.1\.0.*needs LLVM 22.*EM106"):
        binding.check_version((21, 1, 0))


def test_missing_llvmlite_is_an_error_with_a_hint():
    code = (
        "import sys; sys.modules['llvmlite'] = None\n"
        "from enzyme_magic.backend.llvm import binding\n"
        "try: binding.llvm_version()\n"
        "except Exception as error: print(type(error).__name__, error.code, error.hint)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "ToolchainError EM105 pip install llvmlite"


def test_canonical_is_for_this_host_and_a_fixpoint_of_the_printer():
    text = binding.canonical(
        'target triple = "' + binding.host_triple().split("-")[0] + '-unknown-linux5.10.0-gnu2.31.0"\n' + IDENTITY
    )
    assert f'target triple = "{binding.host_triple()}"' in text
    assert f'target datalayout = "{binding.host_layout()}"' in text
    assert binding.canonical(text) == text


def test_names_and_types_do_not_depend_on_what_was_compiled_before():
    text = (
        "%struct.P = type { double, double }\n"
        "define double @f(ptr %p) {\n"
        "  %q = getelementptr %struct.P, ptr %p, i32 0, i32 1\n"
        "  %r = load double, ptr %q\n"
        "  ret double %r\n}\n"
    )
    first = binding.canonical(text)
    binding.canonical(text.replace("double, double }", "double, i64, double }").replace("i32 1", "i32 2"))
    assert binding.canonical(text) == first
    assert "%struct.P.0" not in first


UNDOMINATED = """
define double @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = fadd double 1.0, 2.0
  br label %b
b:
  ret double %x
}
"""


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("this is no IR", "EM910", "does not parse"),
        ("define double @f() {\n  ret double %nowhere\n}\n", "EM910", "use of undefined value"),
        ("define double @f() {\n  ret double 0.0\n}\n\0", "EM910", "zero byte"),
        (UNDOMINATED, "EM911", "does not dominate"),
        ("define i32 @f() {\na:\n  %x = phi i32 [ 0, %a ]\n  ret i32 %x\n}\n", "EM911", "does not accept"),
        ('target triple = "powerpc64-unknown-linux-gnu"\n' + IDENTITY, "EM912", "powerpc64"),
        ('target datalayout = "E-m:e-i64:64"\n' + IDENTITY, "EM912", "data layout"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("operation", [binding.verify, lambda text: optimize.post_ad(text, 3)])
def test_bad_ir_is_an_error(text, code, words, operation):
    with pytest.raises(InternalError, match=words) as caught:
        operation(text)
    assert caught.value.code == code


THREAD_LOCAL = (
    "static int fine;\n_Thread_local double state;\ndouble f(double x) { state += x; return state + fine; }\n"
)


def test_thread_locals_are_refused_with_their_line(clang):
    with pytest.raises(UnsupportedIRError) as caught:
        optimize.pre_ad(clang(THREAD_LOCAL), 2)
    assert (caught.value.code, caught.value.line) == ("EM121", 2)
    assert "'state'" in caught.value.message
    assert "static" in caught.value.hint


@pytest.mark.parametrize(
    "line",
    [
        "@a = thread_local global i32 0",
        "@a = internal unnamed_addr thread_local(initialexec) global i32 0",
        "@a = external dso_local thread_local global i32",
        '@"a" = thread_local(localdynamic) constant i32 0',
    ],
)
def test_every_kind_of_thread_local(line):
    with pytest.raises(UnsupportedIRError, match=r"'a'.*EM121"):
        binding.verify(line + "\n")


def test_words_in_strings_and_names_are_no_thread_locals():
    binding.verify('@a = constant [16 x i8] c"= thread_local @x"\n@thread_local = global i32 0\n'.replace("[16", "[17"))


def test_strip_attributes():
    text = (
        "$f = comdat any\n"
        '@s = private unnamed_addr constant [14 x i8] c" comdat hidden"\n'
        "@g = hidden global i32 0, comdat($f), align 4\n"
        "define linkonce_odr dso_local hidden double @f(double %hidden) #0 comdat align 2 {\n  ret double %hidden\n}\n"
        'attributes #0 = { nounwind "frame-pointer"="all" "target-cpu"="x" "target-features"="+a,-b" '
        '"tune-cpu"="y" "no-trapping-math"="true" }\n'
    )
    stripped = binding.strip_attributes(text)
    assert 'attributes #0 = { nounwind "no-trapping-math"="true" }' in stripped
    assert "define linkonce_odr double @f(double %hidden) #0 align 2 {" in stripped
    assert '@s = private unnamed_addr constant [14 x i8] c" comdat hidden"' in stripped
    assert "@g = global i32 0, align 4" in stripped
    assert "$f" not in stripped
    binding.verify(stripped)
    assert binding.strip_attributes(stripped) == stripped


def test_symbols_of_a_text():
    text = '@a = global ptr @"b c"\n@s = constant [6 x i8] c"user@x"\n!0 = !{!"@no"}\n'
    assert irtext.symbols(text) == {"a", "b c", "s"}
    assert [irtext.symbol_of(name) for name in ("a.1", "b c", "1x")] == ["@a.1", '@"b c"', '@"1x"']


def test_importing_the_layer_does_not_import_llvmlite():
    code = (
        "import sys; from enzyme_magic.backend.llvm.objects import jit; "
        "from enzyme_magic.backend.llvm import link, opaque, optimize; print('llvmlite' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
