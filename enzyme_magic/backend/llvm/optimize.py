"""The two optimization pipelines around differentiation, and single passes.

Invariants: before differentiation nothing is vectorized, unrolled or interleaved, value names and debug info survive, and
calls of pure functions are hoisted before anything is inlined (first phase), which is what turns a norm computed inside a
loop into one computed before it. After differentiation everything is on, for the CPU of `tuning`. Texts in, texts out;
the caller decides what is opaque (see `opaque`) and what is exported. What may take long is done in LLVM's worker
(`apart`), where an interrupt ends it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from enzyme_magic.backend.llvm import binding, debuginfo, vector_library
from enzyme_magic.backend.llvm.apart import worker
from enzyme_magic.backend.llvm.objects import tuning
from enzyme_magic.errors import InternalError

# LLVM's names of single passes -> what adds them to llvmlite's module pass manager.
PASSES = {
    "adce": "add_aggressive_dce_pass",
    "always-inline": "add_always_inliner_pass",
    "constmerge": "add_constant_merge_pass",
    "dce": "add_dead_code_elimination_pass",
    "dse": "add_dead_store_elimination_pass",
    "globaldce": "add_global_dead_code_eliminate_pass",
    "instcombine": "add_instruction_combine_pass",
    "instnamer": "add_instruction_namer_pass",
    "lcssa": "add_lcssa_pass",
    "loop-deletion": "add_loop_deletion_pass",
    "loop-rotate": "add_loop_rotate_pass",
    "loop-simplify": "add_loop_simplify_pass",
    "lower-switch": "add_lower_switch_pass",
    "mergereturn": "add_unify_function_exit_nodes_pass",
    "newgvn": "add_new_gvn_pass",
    "reassociate": "add_reassociate_pass",
    "reg2mem": "add_register_to_memory_pass",
    "rpo-function-attrs": "add_rpo_function_attrs_pass",
    "sccp": "add_sccp_pass",
    "simplifycfg": "add_simplify_cfg_pass",
    "sroa": "add_sroa_pass",
    "strip-dead-prototypes": "add_strip_dead_prototype_pass",
}
_VALUES = (
    "sroa",
    "sccp",
    "instcombine",
    "simplifycfg",
    "newgvn",
    "dse",
    "adce",
    "loop-deletion",
    "instcombine",
    "simplifycfg",
)
_READABLE = ("adce", "simplifycfg", "instcombine")
_LOCAL = ("internal", "private")
# A block longer than this is not searched for operations to pack into vectors (SLP): nine tenths of LLVM's time went there on
# straight-line code of thousands of lines, and its gradients became no quicker.
_LONG_BLOCK = 2_000
# Nor is one with a function in which more variables than MANY, counted once for each way into one block, may become merges there:
# SLP compares each two merges of a block, way by way (98 of 100 parts of the time for a hundred nested conditions). With more than
# MOST the variables of that function stay in memory: to give them registers takes minutes for three hundred nested conditions.
_MANY_MERGES, _MOST_MERGES = 5_000, 200_000
# What SLP of LLVM 22.1 does wrong: lanes that hold a copy of a value where others compute (an assertion about a schedule ends the
# process), and bundles that are split in two (an instruction in front of what it uses, which the verifier finds or nobody does).
_BROKEN_SLP = ("slp-copyable-elements", "slp-split-alternate-instructions")
_DEFINED = re.compile(r'^define [^@]*@("[^"]*"|[^\s(]+)', re.MULTILINE)
_LABEL = re.compile(r'\blabel (%(?:"[^"]*"|[^\s,\]]+))')
_MERGED = ("available_externally", "linkonce_odr", "linkonce_any")


def pre_ad(text: str, level: int, keep: Collection[str] = frozenset(), *, unify_exits: bool = True) -> str:
    """The whole program before differentiation, at optimization level 0–3.

    keep: static functions that must survive under their names with their parameters (they become external).
    Level 0 inlines what must be inlined and promotes memory to values; every branch of the source stays.
    Loops come out simplified and in LCSSA form, functions with one exit.
    """
    if worker.wanted(text):
        return _apart("pre_ad", text, level=level, keep=sorted(keep), unify_exits=unify_exits)
    with binding.parsed(binding.strip_attributes(text)) as module:
        _own_definitions(module, keep)
        if level == 0:
            _run(module, ("always-inline", "sroa"))
        if level >= 2:
            _without_inlining(module, level)
        if level >= 1:
            _run_level(module, level, vectorize=False, then=_normal_form(text, unify_exits))
        else:
            _run(module, _normal_form(text, unify_exits))
        return binding.printed(module)


def normalise_pre_ad(text: str, *, unify_exits: bool = True) -> str:
    """Only the ending of `pre_ad`: one exit per function, simplified loops, LCSSA."""
    return passes(text, _normal_form(text, unify_exits))


def post_ad(
    text: str,
    level: int,
    keep_debug: bool = False,
    *,
    exports: Collection[str] | None = None,
    before: Callable[[str], None] | None = None,
) -> str:
    """The module after differentiation at level 0–3, vectorized for this CPU.

    exports: when given, every other definition becomes internal and, if unused, is dropped before it costs time.
    keep_debug: keep debug info (slower; for views that show C lines). before: is told the text that the level begins with.
    """
    if before is None and worker.wanted(text):
        named = None if exports is None else sorted(exports)
        return _apart("post_ad", text, level=level, keep_debug=keep_debug, exports=named)
    text = vector_library.fused(text)
    merges = _merges(text)
    slp = not merges and (text.count("\n") <= _LONG_BLOCK or _longest_block(text) <= _LONG_BLOCK)
    with binding.parsed(text if keep_debug else debuginfo.strip(text)) as module:
        _keep_in_memory(module, merges)
        if exports is not None:
            _internalize(module, exports)
            _run(module, ("globaldce",))
        if before is not None:
            before(binding.printed(module))
        wanted = dict.fromkeys(_BROKEN_SLP, False)
        if vector_library.calls_forms(text):
            wanted["force-ordered-reductions"] = True  # the terms of sums that keep their order: together
        with _switched(wanted):
            _run_level(module, level, vectorize=True, slp=slp)
        return vector_library.without_list(binding.printed(module))


def readable(text: str, exports: Collection[str], simple: bool = True) -> str:
    """The module after differentiation as people read it: every loop as it was written (nothing copied in front of it, vectorized
    or unrolled), debug info kept. Functions marked alwaysinline are inlined. simple: all of level 2, which also moves branches;
    without it values are simplified only."""
    if worker.wanted(text):
        return _apart("readable", text, exports=sorted(exports), simple=simple)
    with binding.parsed(text) as module:
        _internalize(module, exports)
        _run(module, ("always-inline", "globaldce"))
        for function in module.functions:
            if simple and not function.is_declaration:
                function.add_function_attribute("minsize")  # no loop header is copied in front of its loop
                function.add_function_attribute("sanitize_address")  # no load is moved to where it is needed next
        if simple:
            _run_level(module, 2, vectorize=False)
        _run(module, _READABLE if simple else (*_VALUES, *_READABLE))
        return binding.printed(module)


def passes(text: str, names: Iterable[str]) -> str:
    """`text` after the single passes `names` (LLVM's spelling, `_` for `-` allowed), in order. See PASSES."""
    if worker.wanted(text):
        return _apart("passes", text, names=list(names))
    with binding.parsed(text) as module:
        _run(module, names)
        return binding.printed(module)


def promote(text: str) -> str:
    """Memory to values (sroa), nothing else: the control flow stays as it is."""
    return passes(text, ("sroa",))


def strip_debug(text: str) -> str:
    """`text` without debug info: locations, variables, compile units and the metadata only they reach. Pure text."""
    return debuginfo.strip(text)


def _apart(operation: str, text: str, **options: Any) -> str:
    """The same in LLVM's worker: it may take long."""
    return worker.work(operation, text, **options).decode("utf-8", "surrogatepass")


def _normal_form(text: str, unify_exits: bool) -> tuple[str, ...]:
    # A musttail call must be followed by its own return.
    merge = ("mergereturn",) if unify_exits and "musttail call" not in text else ()
    return (*merge, "loop-simplify", "lcssa")


def _run(module: Any, names: Iterable[str]) -> None:
    manager = binding.llvm().create_new_module_pass_manager()
    try:
        _add(manager, names)
        _run_manager(module, manager, level=2)
    finally:
        binding.dispose_manager(manager)


def _add(manager: Any, names: Iterable[str]) -> None:
    for name in names:
        method = PASSES.get(name.replace("_", "-"))
        if method is None:
            raise InternalError(f"no LLVM pass named {name!r}; there are {', '.join(PASSES)}", code="EM913")
        getattr(manager, method)()


def _longest_block(text: str) -> int:
    """How many instructions the longest block of the text has. They are indented, labels and braces are not; debug records,
    which are indented too, do not count."""
    longest = length = 0
    for line in text.splitlines():
        if not line.startswith(" "):
            length = 0
        elif not line.lstrip().startswith("#dbg_"):
            length += 1
            longest = max(longest, length)
    return longest


def _merges(text: str) -> dict[str, int]:
    """By function, where that is more than MANY: how many values may come together in the block that most ways lead to, one of each
    variable for each way."""
    if text.count(" = alloca ") * text.count("label %") <= _MANY_MERGES:
        return {}
    found = {}
    for function in text.split("\n}\n"):
        ways = Counter(_LABEL.findall(function))
        bound = function.count(" = alloca ") * max(ways.values(), default=0)
        if bound > _MANY_MERGES and (name := _DEFINED.search(function)):
            found[name[1].strip('"')] = bound
    return found


def _keep_in_memory(module: Any, merges: Mapping[str, int]) -> None:
    """Functions with too many merges are left as they are, but for those that must be inlined or small."""
    for name, bound in merges.items():
        function = module.get_function(name)
        given = " ".join(str(attributes) for attributes in function.attributes)
        if bound > _MOST_MERGES and not any(word in given for word in ("alwaysinline", "minsize", "optsize")):
            for attribute in ("noinline", "optnone"):
                function.add_function_attribute(attribute)


def _run_level(
    module: Any,
    level: int,
    *,
    vectorize: bool,
    slp: bool = True,
    inlining_threshold: int | None = None,
    then: Iterable[str] = (),
) -> None:
    """A level's passes, and single ones behind them."""
    machine = _machine(level) if vectorize else _machine_with_pointers(level)
    builder = _builder(machine, level, vectorize, vectorize and slp, inlining_threshold)
    manager = builder.getModulePassManager()
    try:
        _add(manager, then)
        manager.run(module, builder)
    finally:
        binding.dispose_manager(manager)


@contextmanager
def _switched(options: Mapping[str, bool]) -> Iterator[None]:
    """In this block, options of LLVM are as told; they are the opposite without. They are the process's, so they are set for this
    block only (`binding.guard` is held)."""
    try:
        for option, on in options.items():
            binding.llvm().set_option("", f"-{option}={str(on).lower()}")
        yield
    finally:
        for option, on in options.items():
            binding.llvm().set_option("", f"-{option}={str(not on).lower()}")


def _run_manager(module: Any, manager: Any, level: int) -> None:
    manager.run(module, _builder(_machine(level), level))


def _machine(level: int) -> Any:
    return binding.kept_machine(level, "small", "pic", tuning.target())


def _machine_with_pointers(level: int) -> Any:
    """The machine before differentiation: for code that is position independent, LLVM makes tables of pointers to constants into
    tables of distances (`llvm.load.relative`), and no analysis would know where they lead."""
    return binding.kept_machine(level, "small", "static", tuning.target())


def _builder(machine: Any, level: int, vectorize: bool = False, slp: bool = False, inlining: int | None = None) -> Any:
    """What makes the passes of a level, for one run only: in each run llvmlite registers callbacks with it that point into the
    stack of that run, and a second run would call them. (It keeps 1.5 kB of each builder: fewer runs leave less.)"""
    options = binding.llvm().create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = vectorize
    options.slp_vectorization = slp
    options.loop_unrolling = vectorize
    options.loop_interleaving = vectorize
    if inlining is not None:
        options.inlining_threshold = inlining
    return binding.llvm().create_pass_builder(machine, options)


def _without_inlining(module: Any, level: int) -> None:
    """The first phase: everything but inlining, so that calls of pure functions can be hoisted and merged as calls.

    A static function with one call is inlined whatever the threshold; while this phase runs, none is static.
    """
    local = [function for function in module.functions if function.linkage.name in _LOCAL]
    linkages = [function.linkage for function in local]
    for function in local:
        function.linkage = "external"
    _run_level(module, level, vectorize=False, inlining_threshold=0)
    for function, linkage in zip(local, linkages, strict=True):
        function.linkage = linkage


def _own_definitions(module: Any, keep: Collection[str]) -> None:
    """The text is the whole program: what C and C++ let several files define (inline functions, templates) is defined here and
    nowhere else, so LLVM may look into it and need not keep it when unused."""
    for value in (*module.functions, *module.global_variables):
        if value.is_declaration or value.name.startswith("llvm."):
            continue
        if value.name in keep or value.linkage.name == "weak_odr":
            value.linkage = "external"
        elif value.linkage.name in _MERGED:
            value.linkage = "internal"


def _internalize(module: Any, exports: Collection[str]) -> None:
    """A constant of another library stays that one: a copy would have an address that no pointer to it holds."""
    for value in (*module.functions, *module.global_variables):
        if value.is_declaration or value.name in exports or value.name.startswith("llvm."):
            continue
        if value.is_function or value.linkage.name != "available_externally":
            value.linkage = "internal"
