"""Loading object code: who wins which symbol, what is missing, how long things live, threads, forks and distances."""

import ctypes
import gc
import mmap
import os
import subprocess
import sys
import textwrap
import threading
import weakref

import pytest

import enzyme_magic as em
from enzyme_magic.backend.llvm import binding, optimize
from enzyme_magic.backend.llvm.objects import codegen, elf, jit
from enzyme_magic.errors import InternalError, ToolchainError


@pytest.fixture(scope="module", autouse=True)
def only_what_is_new():
    """What other tests of this process have left is not looked at again by each collection: that takes seconds."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def address_of(callback):
    return ctypes.cast(callback, ctypes.c_void_p).value


def twice(name="f"):
    return f"define double @{name}(double %x) {{\n  %r = fmul double %x, 2.0\n  ret double %r\n}}\n"


def test_an_object_serves_many_loads(call):
    """Object code holds no state of the process or of what was compiled before it."""
    image = jit.compile_object(twice())
    assert image == jit.compile_object(twice())
    assert [call(jit.Library.load([image], ["f"]), "f", x) for x in (1.0, 2.0)] == [2.0, 4.0]


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_levels_of_the_code_generator(call, level):
    assert call(jit.Library.load([jit.compile_object(twice(), level)], ["f"]), "f", 1.5) == 3.0


def test_an_object_survives_on_disk(tmp_path):
    """Compiled here, loaded in another process that has never compiled anything."""
    (tmp_path / "f.o").write_bytes(jit.compile_object(twice()))
    code = """
        import ctypes, sys
        from enzyme_magic.backend.llvm.objects import jit
        library = jit.Library.load([open(sys.argv[1], "rb").read()], ["f"])
        print(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.address("f"))(21.0))
    """
    assert run_python(code, str(tmp_path / "f.o")) == "42.0"


def run_python(code, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.strip()


EXITS = """
int exit(int); int abort(void); int _Exit(int);
int __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? 0 : __assert_fail(#e, "cell", 8, "f"))
int f(int x) {
    if (x == 1) exit(17);
    if (x == 2) abort();
    assert(x != 3);
    if (x == 4) _Exit(18);
    return x;
}
"""


@pytest.mark.parametrize("level", [0, 3])
def test_the_exit_family_goes_where_the_caller_says(clang, load, call, level):
    """`symbols` wins over the process: an exit in C code must not end the kernel. (The stand-ins of this test return, which
    is why the C text declares these functions itself, without noreturn.)"""
    seen = []
    one = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda status: seen.append(("exit", status)) or 0)
    none = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: seen.append(("abort",)) or 0)
    quick = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda status: seen.append(("_Exit", status)) or 0)
    failed = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint, ctypes.c_char_p)(
        lambda *what: seen.append(what) or 0
    )
    symbols = {"exit": one, "abort": none, "__assert_fail": failed, "_Exit": quick}
    text = clang(EXITS, "-fno-builtin").replace(" noreturn", "").replace("unreachable", "ret i32 0")
    library = load(text, ["f"], (), {name: address_of(callback) for name, callback in symbols.items()}, level)
    for x in range(5):
        call(library, "f", x, result=ctypes.c_int)
    assert seen == [("exit", 17), ("abort",), (b"x != 3", b"cell", 8, b"f"), ("_Exit", 18)]


def test_the_cells_own_definition_wins_over_symbols(clang, load, call):
    text = clang(
        "int calls; int puts(const char *s) { return ++calls; } int f(void) { return puts(0) + 10; }", "-fno-builtin"
    )
    stranger = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(lambda _: 99)
    assert call(load(text, ["f"], (), {"puts": address_of(stranger)}), "f", result=ctypes.c_int) == 11


def test_a_symbol_that_is_data(clang, load, call):
    value = ctypes.c_double(2.5)
    library = load(
        clang("extern double level; double f(void) { return level++; }"), ["f"], (), {"level": ctypes.addressof(value)}
    )
    assert call(library, "f") == 2.5
    assert value.value == 3.5


def returns(name, value):
    return f"define i32 @{name}() {{\n  ret i32 {value}\n}}\n"


def calls(name):
    return f"declare i32 @{name}()\ndefine i32 @f() {{\n  %r = call i32 @{name}()\n  ret i32 %r\n}}\n"


def test_needs_win_over_the_process_in_order(load, call):
    """A derivative that calls the cell's own `getpid` (or gamma, y0, round) must not get the C library's."""
    first, second = load(returns("getpid", -1), ["getpid"]), load(returns("getpid", -2), ["getpid"])
    assert call(load(calls("getpid"), ["f"], (first, second)), "f", result=ctypes.c_int) == -1
    assert call(load(calls("getpid"), ["f"], (second, first)), "f", result=ctypes.c_int) == -2
    assert call(load(calls("getpid"), ["f"]), "f", result=ctypes.c_int) == os.getpid()


def test_what_a_program_defines_wins_over_symbols(load, call):
    stranger = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: -3)
    need = load(returns("getpid", -1), ["getpid"])
    assert call(load(calls("getpid"), ["f"], (need,), {"getpid": address_of(stranger)}), "f", result=ctypes.c_int) == -1


def test_what_needs_hide_is_used_too(load, call):
    """Not only the exports of a needed library: everything it defines."""
    need = load(returns("getpid", -1) + twice("other"), ["other"])
    assert call(load(calls("getpid"), ["f"], (need,)), "f", result=ctypes.c_int) == -1


def test_missing_functions_are_named(clang, load):
    text = clang(
        "double heat(double); extern int level; double f(double x) { return heat(x) + level + __builtin_sin(x); }"
    )
    with pytest.raises(ToolchainError) as caught:
        load(text, ["f"])
    assert caught.value.code == "EM130"
    assert "'heat', 'level'" in caught.value.message
    assert "--link" in caught.value.hint


def test_missing_functions_are_reported_by_load_even_without_exports(clang, load):
    with pytest.raises(ToolchainError, match=r"'heat'.*EM130"):
        load(clang("double heat(double); double f(double x) { return heat(x); }"), [])


def test_what_is_missing_in_one_of_several_objects_is_reported(load):
    user = "declare double @cold(double)\ndefine double @g(double %x) {\n  %r = call double @cold(double %x)\n  ret double %r\n}\n"
    with pytest.raises(ToolchainError, match=r"'cold'.*EM130"):
        load([twice(), user], ["f"])


def test_missing_symbols_print_nothing(capfd, load):
    with pytest.raises(ToolchainError):
        load("declare void @nowhere()\ndefine void @f() {\n  call void @nowhere()\n  ret void\n}\n", ["f"])
    assert capfd.readouterr() == ("", "")


def test_a_failed_load_leaves_the_session_usable(load, call):
    with pytest.raises(ToolchainError):
        load("declare void @nowhere()\ndefine void @f() {\n  call void @nowhere()\n  ret void\n}\n", ["f"])
    assert call(load(twice(), ["f"]), "f", 1.0) == 2.0


def test_exports_must_exist(load):
    with pytest.raises(InternalError, match=r"g.*EM914"):
        load(twice(), ["f", "g"])
    with pytest.raises(InternalError, match=r"'g'.*EM914"):
        load(twice(), ["f"]).address("g")


@pytest.mark.parametrize("image", [b"", b"no object", b"\x7fELF\x02\x01" + bytes(70)])
def test_broken_objects_are_errors(image):
    """What comes back from disk damaged does not load; it does not crash."""
    with pytest.raises(ToolchainError, match="EM132"):
        jit.Library.load([image], ["f"])


def test_a_truncated_object_is_an_error():
    image = jit.compile_object(twice())
    for size in range(16, len(image), max(1, len(image) // 40)):
        with pytest.raises((ToolchainError, InternalError)):
            jit.Library.load([image[:size]], ["f"])


def test_objects_that_define_the_same_name(load):
    with pytest.raises(ToolchainError, match=r"duplicate definition.*EM132"):
        load([twice(), twice()], ["f"])


def test_libgcc_is_there(clang, load, call):
    text = clang("double f(double x, int n) { return __builtin_powi(x, n); }")
    assert "llvm.powi" in text
    assert call(load(text, ["f"]), "f", 1.5, 3) == 3.375


def test_shared_libraries(clang, load, call, tmp_path):
    jit.open_shared("m")
    with pytest.raises(ToolchainError, match=r"no_such_library.*EM133"):
        jit.open_shared("no_such_library", [str(tmp_path)])
    with pytest.raises(ToolchainError, match="EM133"):
        jit.open_shared(str(tmp_path / "libbroken.so"))
    (tmp_path / "libempty.so").write_text("no library")
    with pytest.raises(ToolchainError, match="EM133"):
        jit.open_shared("empty", [str(tmp_path)])


CPLUSPLUS = """
struct S { double x; };
extern "C" double f(double x) { S *s = new S{x}; double r = s->x; delete s; return r; }
"""


def test_cplusplus_runtime_when_asked_for(clang, load, call):
    text = clang(CPLUSPLUS, "-fno-builtin", language="cpp")
    jit.open_shared("stdc++")
    assert call(load(optimize.pre_ad(text, 0), ["f"], level=0), "f", 2.5) == 2.5


CONSTRUCTORS = """
static int order[3], next, state;
__attribute__((constructor(300))) static void second(void) { order[next++] = 2; }
__attribute__((constructor(200))) static void first(void) { order[next++] = 1; }
__attribute__((constructor)) static void last(void) { order[next++] = 3; state = next; }
int f(void) { return 1000 * state + 100 * order[0] + 10 * order[1] + order[2]; }
"""


@pytest.mark.parametrize("level", [0, 1, 3])
def test_constructors_run_once_in_order_when_the_library_is_loaded(clang, load, call, level):
    assert call(load(clang(CONSTRUCTORS), ["f"], level=level), "f", result=ctypes.c_int) == 3123


STATIC_OBJECT = """
extern "C" int puts(const char *);
struct S { int x; S() : x(4) {} ~S() { puts("the end"); } };
static S s;
extern "C" int f() { return s.x; }
"""


def test_static_objects_of_cplusplus(clang, tmp_path):
    """Constructed when loaded; never destructed, so that unloading and the end of the process are both safe."""
    (tmp_path / "s.o").write_bytes(jit.compile_object(optimize.pre_ad(clang(STATIC_OBJECT, language="cpp"), 0)))
    code = """
        import ctypes, gc, sys
        from enzyme_magic.backend.llvm.objects import jit
        jit.open_shared("stdc++")
        image = open(sys.argv[1], "rb").read()
        kept, dropped = (jit.Library.load([image], ["f"]) for _ in range(2))
        print(*(ctypes.CFUNCTYPE(ctypes.c_int)(library.address("f"))() for library in (kept, dropped)))
        del dropped
        gc.collect()
    """
    assert run_python(code, str(tmp_path / "s.o")) == "4 4"


EXCEPTIONS = """
#include <stdexcept>
extern "C" double thrower(double x) { if (x > 1) throw std::runtime_error("large"); return x; }
extern "C" double f(double x) { try { return thrower(x); } catch (std::exception &error) { return error.what()[0]; } }
"""


@pytest.mark.parametrize("level", [0, 2, 3])
def test_exceptions_within_a_library(clang, load, call, level):
    jit.open_shared("stdc++")
    library = load(optimize.pre_ad(clang(EXCEPTIONS, "-fexceptions", language="cpp"), level), ["f"], level=level)
    assert [call(library, "f", x) for x in (0.5, 2.0, 1.0, 3.0)] == [0.5, float(ord("l")), 1.0, float(ord("l"))]


COUNTER = "@state = internal global double 0.0\ndefine double @count() {\n  %a = load double, ptr @state\n  %b = fadd double %a, 1.0\n  store double %b, ptr @state\n  ret double %b\n}\n"  # noqa: E501
USER = "declare double @count()\ndefine double @use() {\n  %r = call double @count()\n  ret double %r\n}\n"


def test_a_library_outlives_the_program_it_came_from(load, call):
    """The derivative keeps what it needs: closing order is leaf first, whatever order Python drops names in."""
    owner = load(COUNTER, ["count"])
    call(owner, "count")
    derivative = load(USER, ["use"], (owner,))
    second = load(USER.replace("@use", "@again").replace("@count()", "@use()"), ["again"], (derivative,))
    watch = weakref.ref(owner)
    del owner, derivative
    gc.collect()
    assert watch() is not None
    assert call(second, "again") == 2.0
    del second
    gc.collect()
    assert watch() is None


def test_unloading_one_of_two_users_leaves_the_other(load, call):
    owner = load(COUNTER, ["count"])
    users = [load(USER, ["use"], (owner,)) for _ in range(3)]
    assert [call(user, "use") for user in users] == [1.0, 2.0, 3.0]
    del users[0]
    gc.collect()
    load(twice(), ["f"])  # reuses freed memory
    assert [call(user, "use") for user in users] == [4.0, 5.0]


def test_names_of_libraries_are_never_reused(load):
    names = set()
    for _ in range(5):
        library = load(twice(), ["f"])
        names.add(library.name)
        del library
        gc.collect()
    assert len(names) == 5


def test_unloading_returns_memory(load):
    text = "@big = global [4000000 x double] zeroinitializer\ndefine double @f(i64 %i) {\n  %p = getelementptr double, ptr @big, i64 %i\n  store double 1.0, ptr %p\n  ret double 0.0\n}\n"  # noqa: E501

    def mapped():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * mmap.PAGESIZE

    image = jit.compile_object(text)
    jit.Library.load([image], ["f"])
    gc.collect()
    before = mapped()
    for _ in range(8):
        jit.Library.load([image], ["f"])
        gc.collect()
    assert mapped() - before < 3 * 32_000_000


FAR = """
#include <math.h>
#include <stdio.h>
extern char **environ;
static double table[1 << 16];
double shared_table[1 << 10] = {3.0};
double f(double x, int i) { table[i] += sin(x); return table[i] + shared_table[0] + (environ != 0) + (stdout != 0); }
"""
FAR_USER = """
extern double shared_table[];
extern double f(double, int);
double (*pointer)(double, int) = f;
double g(double x, int i) { shared_table[0] += 1; return f(x, i) + pointer(x, i) + shared_table[0]; }
"""


@pytest.fixture
def far_page():
    """A page that can be written and executed, terabytes away from everything else of the process."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    # A wish only: the kernel gives another page where something (a sanitizer, an arena) is already. 2 TB from wish to wish.
    failed = ctypes.c_void_p(-1).value
    for wish in range(0x1000_0000_0000, 0x6000_0000_0000, 0x200_0000_0000):
        address = libc.mmap(wish, 1 << 16, 7, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        assert address not in (None, failed)
        if address == wish:
            break
        libc.munmap(ctypes.c_void_p(address), ctypes.c_size_t(1 << 16))
    else:
        pytest.skip("this kernel places pages where it likes")
    yield address
    libc.munmap(ctypes.c_void_p(address), ctypes.c_size_t(1 << 16))


@pytest.mark.parametrize("level", [0, 3])
def test_code_reaches_data_and_functions_at_any_distance(clang, load, call, far_page, level):
    """No relocation is tied to 2 GB: calls, data, and pointers in data lead to a page terabytes away."""
    near = load("define double @f(double %x, i32 %i) {\n  %r = fadd double %x, %x\n  ret double %r\n}\n", ["f"])
    ctypes.memmove(far_page, near.address("f"), 64)
    table = ctypes.c_double.from_address(far_page + 4096)
    table.value = 3.0
    user = load(clang(FAR_USER), ["g"], (), {"f": far_page, "shared_table": far_page + 4096}, level)
    assert abs(user.address("g") - far_page) > 1 << 40
    assert call(user, "g", 10.0, 0) == 20.0 + 20.0 + 4.0
    assert table.value == 4.0


def test_libraries_use_each_others_tables(clang, load, call):
    owner = load(clang(FAR), ["f", "shared_table"])
    users = [load(clang(FAR_USER), ["g"], (owner,)) for _ in range(20)]
    for count, user in enumerate(users):
        shared = 4.0 + count
        assert call(user, "g", 0.0, count) == 2 * (shared + 2) + shared


def test_many_libraries_with_tables(clang, load, call):
    image = jit.compile_object(optimize.post_ad(clang(FAR), 3))
    libraries = [jit.Library.load([image], ["f"]) for _ in range(200)]
    assert {call(library, "f", 0.0, 5) for library in libraries} == {5.0}


def test_modules_with_huge_statics_get_the_large_code_model(clang, load, call, monkeypatch):
    """Small code reaches 2 GB. (Run by hand with 3.2 GB of statics; here the limit is lowered, the code is the same.)"""
    text = clang(FAR)
    small = jit.compile_object(text)
    monkeypatch.setattr(codegen, "_LARGE_DATA", 1 << 16)
    large = jit.compile_object(text)
    assert small != large
    assert b"_GLOBAL_OFFSET_TABLE_" in large, "the large code model of position-independent code"
    owner = jit.Library.load([large], ["f", "shared_table"])
    assert call(owner, "f", 0.0, 65535) == 5.0
    with pytest.raises(ToolchainError, match=r"'nowhere', .*EM130|'nowhere' in") as caught:
        load(text.replace("@sin(", "@nowhere(").replace("@llvm.sin.f64(", "@nowhere("), ["f"])
    assert "_GLOBAL_OFFSET_TABLE_" not in caught.value.message


def test_threads(clang):
    """Two threads compile, load, call and drop libraries at the same time."""
    texts = [optimize.pre_ad(clang(f"double f(double x) {{ double s = 0; for (int i = 0; i < {k}; i++) s += x; return s; }}"), 2) for k in range(1, 5)]  # fmt: skip  # noqa: E501
    failures = []

    def work(offset):
        try:
            for step in range(12):
                k = (step + offset) % len(texts)
                library = jit.Library.load([jit.compile_object(optimize.post_ad(texts[k], 3))], ["f"])
                function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.address("f"))
                assert function(2.0) == 2.0 * (k + 1)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_fork_while_another_thread_compiles():
    """The child inherits LLVM at rest: it calls what the parent loaded, compiles and unloads."""
    code = """
        import ctypes, os, threading, warnings
        from enzyme_magic.backend.llvm.objects import jit
        from enzyme_magic.backend.llvm import optimize
        warnings.simplefilter("ignore")
        text = "define double @f(double %x) {\\n  %r = fmul double %x, 2.0\\n  ret double %r\\n}\\n"
        def load():
            library = jit.Library.load([jit.compile_object(optimize.post_ad(text, 3))], ["f"])
            return library, ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.address("f"))
        kept, before = load()
        stop = threading.Event()
        def work():
            while not stop.is_set():
                load()
        thread = threading.Thread(target=work)
        thread.start()
        results = []
        for _ in range(10):
            child = os.fork()
            if child == 0:
                library, function = load()
                ok = before(2.0) == 4.0 and function(3.0) == 6.0
                del library
                os._exit(0 if ok else 1)
            results.append(os.waitpid(child, 0)[1])
        stop.set()
        thread.join()
        print(results == [0] * 10 and before(1.0) == 2.0)
    """
    assert run_python(code) == "True"


def test_the_interpreter_ends_quietly_with_libraries_loaded():
    code = """
        import ctypes
        from enzyme_magic.backend.llvm.objects import jit
        text = "define double @f(double %x) {\\n  ret double %x\\n}\\n"
        needed = jit.Library.load([jit.compile_object(text)], ["f"])
        user = jit.Library.load([jit.compile_object("declare double @f(double)\\n" + text.replace("@f", "@g"))], ["g"], (needed,))
        class Cycle: pass
        cycle = Cycle(); cycle.cycle = cycle; cycle.library = user
        print(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(user.address("g"))(1.0))
    """
    assert run_python(code) == "1.0"


def test_repr(load):
    assert repr(load(twice(), ["f"])).endswith(": f>")


def test_symbol_tables():
    text = (
        "@a = global i32 1\n@b = external global i32\n@c = internal global i32 0\n" + twice("f") + "declare void @h()\n"
    )
    text += "define ptr @g() {\n  call void @h()\n  store i32 2, ptr @c\n  ret ptr @b\n}\n"
    symbols = elf.read(jit.compile_object(text))
    assert symbols.defined == {"a", "f", "g"}
    assert symbols.undefined == {"b", "h"}


def test_host_facts_are_those_of_the_session():
    assert str(jit._Session.current(False).compiler.target_data) == binding.host_layout()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("double f(double x) { __bf16 h = (__bf16)x; return h * x; }", "no instruction for"),
        (
            "struct s { double a, b, c; } w; _Atomic struct s v; double f(double x) { v = w; return x; }",
            "--link atomic",
        ),
        ('double g(double) __asm__("a@x"); double f(double x) { return g(x); }', "a name in assembly"),
        ("double g(double); double f(double x) { return g(x); }", "define it in the cell"),
    ],
)
def test_the_hint_says_who_asks_for_what_is_missing(text: str, hint: str) -> None:
    p = em.compile_c(text)
    with pytest.raises(ToolchainError, match="EM130") as caught:
        p.f(3.0)
    assert hint in (caught.value.hint or "")
