"""The C text of an operation: the function in a normal form, its derivatives in the same form, and the loop over a batch.

Invariant: a kernel is `void kernel(const long long *z, inputs…, outputs…)`, reads its inputs, overwrites its outputs, and touches
nothing else. z holds the integer parameters, then the elements of every base input, then of every base output. As the derivative
of a kernel is a kernel again (its shadows are inputs and outputs, what C would overwrite is copied), derivatives nest; each is a
request (`__enzyme_autodiff`, `__enzyme_fwddiff`) that the compiler answers, none is computed here.

A path names a kernel: "" the function, "v" its vjp, "vj" the jvp of that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from enzyme_magic.backend.frontend.c_types import Pointer, Scalar, Void, declare, innermost
from enzyme_magic.errors import ArgumentError
from enzyme_magic.integrations.contract import ArraySlot, Contract

# No header: a function of the user's may have the name of one in it (`system`).
HEADER = """void *malloc(unsigned long), *calloc(unsigned long, unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long), *memset(void *, int, unsigned long);
"""


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """A parameter of a kernel: a slot of the contract (or a derivative of one). size: which entry of z counts its elements."""

    name: str
    slot: ArraySlot
    size: int

    @property
    def type(self) -> str:
        return _c_type(self.slot)

    @property
    def bytes(self) -> str:
        return f"z[{self.size}]*sizeof({self.type})"


@dataclass(frozen=True, slots=True)
class Kernel:
    """inputs, outputs: its parameters in order. text: its definition and those it calls."""

    symbol: str
    inputs: tuple[KernelParameter, ...]
    outputs: tuple[KernelParameter, ...]
    text: str


def _c_type(slot: ArraySlot) -> str:
    kind, size = slot.dtype.kind, slot.dtype.itemsize
    if kind == "f":
        return "float" if size == 4 else "double"
    return ("unsigned " if kind == "u" else "signed ") + {1: "char", 2: "short", 4: "int", 8: "long long"}[size]


def kernel(contract: Contract, path: str) -> Kernel:
    """The kernel of a path, from the function outwards."""
    made = base(contract)
    for step, letter in enumerate(path):
        user = user_gradient(contract) if step == 0 and letter == "v" else None
        made = vjp(made, contract if user else None) if letter == "v" else jvp(made)
    return made


def base(contract: Contract) -> Kernel:
    """The function itself: outputs start as zeros, or as the input they come from."""
    first = len(contract.integers)
    inputs = tuple(KernelParameter(f"i{k}", slot, first + k) for k, slot in enumerate(contract.inputs))
    first += len(inputs)
    outputs = tuple(KernelParameter(f"o{k}", slot, first + k) for k, slot in enumerate(contract.outputs))
    body = []
    for k, place in enumerate(outputs):
        if k in contract.copied:
            body.append(f"memcpy({place.name}, {inputs[contract.copied[k]].name}, {place.bytes});")
        elif not place.slot.number:
            body.append(f"memset({place.name}, 0, {place.bytes});")
    call = f"{contract.name}({', '.join(_passed(contract, inputs, outputs))});"
    result = next((place for place in outputs if place.slot.parameter < 0), None)
    body.append(f"*{result.name} = {call}" if result else call)
    symbol = f"em_op_{contract.name}"
    text = HEADER + prototype(contract) + _definition(symbol, inputs, outputs, body)
    return Kernel(symbol, inputs, outputs, text)


def _passed(contract: Contract, inputs: tuple[KernelParameter, ...], outputs: tuple[KernelParameter, ...]) -> list[str]:
    by_parameter = {place.slot.parameter: place for place in (*inputs, *outputs)}  # an output wins over its input
    order = {index: z for z, index in enumerate(contract.integers)}
    passed = []
    for index, parameter in enumerate(contract.function.c_signature.parameters):
        place = by_parameter.get(index)
        if place is None:
            passed.append(f"({parameter.type})z[{order[index]}]")
        elif place.slot.number:
            passed.append(f"*{place.name}")
        else:
            passed.append(f"({place.type} *){place.name}")
    return passed


def prototype(contract: Contract) -> str:
    """A declaration that calls alike: pointers to the innermost numbers."""
    signature = contract.function.c_signature
    parts = []
    for parameter in signature.parameters:
        type_ = parameter.type
        if isinstance(type_, Pointer):
            parts.append(f"{spelled(innermost(type_.to))} *")
        else:
            parts.append(spelled(type_))
    result = "void" if isinstance(signature.result, Void) else spelled(signature.result)
    return f"{result} {contract.name}({', '.join(parts) or 'void'});\n"


def spelled(type_: object) -> str:
    """A type as another text can write it: enums as their integers, typedefs as what they stand for."""
    underlying = getattr(type_, "underlying", type_)
    return underlying.base if isinstance(underlying, Scalar) else declare(underlying)  # type: ignore[arg-type]


def vjp(of: Kernel, user: Contract | None = None) -> Kernel:
    """Inputs: those of the kernel, then a cotangent for each output. Outputs: the gradient of each active input.

    user: the contract of a function whose gradient the program brings along (`diffef`).
    """
    cotangents = tuple(_derived(place, f"c{k}") for k, place in enumerate(of.outputs))
    active = [place for place in of.inputs if place.slot.active]
    gradients = tuple(_derived(place, f"g{k}") for k, place in enumerate(active))
    inputs = (*_renamed(of.inputs, "i"), *cotangents)
    body = [f"memset({g.name}, 0, {g.bytes});" for g in gradients]
    passed, ends = ["enzyme_const, z"], []
    remaining = iter(gradients)
    for place, own in zip(of.inputs, inputs, strict=False):
        passed.append(
            f"enzyme_dup, {own.name}, {next(remaining).name}" if place.slot.active else f"enzyme_const, {own.name}"
        )
    for k, (place, cotangent) in enumerate(zip(of.outputs, cotangents, strict=True)):
        body.append(f"{place.type} *p{k} = calloc(z[{place.size}] + 1, sizeof({place.type}));")
        body.append(f"{place.type} *d{k} = malloc({place.bytes} + 1);")
        body.append(f"memcpy(d{k}, {cotangent.name}, {place.bytes});")
        passed.append(f"enzyme_dup, p{k}, d{k}")
        ends.append(f"free(p{k}); free(d{k});")
    text = ""
    if user is not None:
        call, text = _user_call(user, inputs, gradients)
    else:
        call = f"__enzyme_autodiff((void *){of.symbol}, {', '.join(passed)});"
    symbol = f"{of.symbol}_v"
    return Kernel(
        symbol, inputs, gradients, of.text + text + _definition(symbol, inputs, gradients, [*body, call, *ends])
    )


def jvp(of: Kernel) -> Kernel:
    """Inputs: those of the kernel, then a tangent for each active input. Outputs: the tangent of each output."""
    active = [place for place in of.inputs if place.slot.active]
    tangents = tuple(_derived(place, f"t{k}") for k, place in enumerate(active))
    inputs = (*_renamed(of.inputs, "i"), *tangents)
    outputs = tuple(_derived(place, f"o{k}") for k, place in enumerate(of.outputs))
    body = [f"memset({o.name}, 0, {o.bytes});" for o in outputs]
    passed, ends = ["enzyme_const, z"], []
    remaining = iter(tangents)
    for place, own in zip(of.inputs, inputs, strict=False):
        passed.append(
            f"enzyme_dup, {own.name}, {next(remaining).name}" if place.slot.active else f"enzyme_const, {own.name}"
        )
    for k, (place, output) in enumerate(zip(of.outputs, outputs, strict=True)):
        body.append(f"{place.type} *p{k} = calloc(z[{place.size}] + 1, sizeof({place.type}));")
        passed.append(f"enzyme_dup, p{k}, {output.name}")
        ends.append(f"free(p{k});")
    symbol = f"{of.symbol}_j"
    body += [f"__enzyme_fwddiff((void *){of.symbol}, {', '.join(passed)});", *ends]
    return Kernel(symbol, inputs, outputs, of.text + _definition(symbol, inputs, outputs, body))


def batched(of: Kernel) -> tuple[str, str]:
    """(symbol, text) of the loop over a batch. `s` holds the sizes of its axes, then for each array the elements from one example
    to the next along each of them: 0 where they share an input, and where an output is the sum over them (added up in double)."""
    symbol = f"{of.symbol}_run"
    passed = [f"{place.name} + at[{k}]" for k, place in enumerate(of.inputs)]
    before, after, last = [], [], []
    for k, place in enumerate(of.outputs, len(of.inputs)):
        given = {"name": place.name, "type": place.type, "size": place.size, "k": k}
        begin, end = SUM_IN_PLACE if place.type == "double" else SUM_APART
        before.append((SUM_BEGINS + begin).format(**given))
        after.append(SUM_GROWS.format(**given))
        last.append((end + SUM_ENDS).format(**given))
        passed.append(f"(adds_{place.name} ? own_{place.name} : {place.name} + at[{k}])")
    sizes = "long long axes, const long long *restrict z, const long long *restrict s"
    head = f"void {symbol}({sizes}, {_parameters(of.inputs, of.outputs)})"
    count = len(of.inputs) + len(of.outputs)
    body = LOOP.format(
        arrays=count,
        before="".join(before),
        call=f"{of.symbol}(z, {', '.join(passed)});",
        after="".join(after),
        last="".join(last),
    )
    return symbol, f"{of.text}{head} {{{body}}}\n"


LOOP = """
  const long long *t = s + axes;
  long long outer = 1, inner = axes ? s[axes - 1] : 1;
  for (long long a = 0; a + 1 < axes; a++) outer *= s[a];{before}
  for (long long o = 0; o < outer; o++) {{
    long long at[{arrays}] = {{0}}, rest = o;
    for (long long a = axes - 2; a >= 0; rest /= s[a--])
      for (int k = 0; k < {arrays}; k++) at[k] += rest % s[a] * t[k*axes + a];
    for (long long b = 0; b < inner; b++) {{
      {call}{after}
      for (int k = 0; k < {arrays}; k++) at[k] += axes ? t[k*axes + axes - 1] : 0;
    }}
  }}{last}
"""
SUM_BEGINS = """
  int adds_{name} = 0;
  long long all_{name} = z[{size}];
  for (long long a = 0; a < axes; a++)
    if (t[{k}*axes + a]) all_{name} *= s[a];
    else adds_{name} = adds_{name} || s[a] != 1;
  {type} *own_{name} = adds_{name} ? malloc(z[{size}]*sizeof({type}) + 1) : 0;"""
SUM_GROWS = """
      if (adds_{name}) for (long long e = 0; e < z[{size}]; e++) sum_{name}[at[{k}] + e] += own_{name}[e];"""
SUM_ENDS = """
  free(own_{name});"""
SUM_IN_PLACE = (
    """
  double *sum_{name} = {name};
  if (adds_{name}) memset(sum_{name}, 0, all_{name}*sizeof(double));""",
    "",
)
SUM_APART = (
    """
  double *sum_{name} = adds_{name} ? calloc(all_{name} + 1, sizeof(double)) : 0;""",
    """
  if (adds_{name}) for (long long e = 0; e < all_{name}; e++) {name}[e] = sum_{name}[e];
  free(sum_{name});""",
)


def user_gradient(contract: Contract) -> str | None:
    """The name of the gradient the source brings along (`diffef` for `f`), if it does. ArgumentError EM603 if it does not fit."""
    name = f"diffe{contract.name}"
    found = contract.function.program.compiled.signatures.get(name)
    if found is None:
        return None
    wanted: list[str] = []
    for parameter in contract.function.c_signature.parameters:
        spelled = _kind(parameter.type)
        slot = next((s for s in (*contract.inputs, *contract.outputs) if s.name == parameter.name), None)
        wanted += [spelled, spelled] if isinstance(parameter.type, Pointer) and slot and slot.active else [spelled]
    numbers = any(slot.number for slot in (*contract.inputs, *contract.outputs)) or contract.copied
    if numbers or [_kind(parameter.type) for parameter in found.parameters] != wanted:
        raise ArgumentError(
            f"{name}{str(found)[len(name) :]} does not fit {contract.function.c_signature}",
            code="EM603",
            hint=f"void {name}(…) takes the parameters of {contract.name}, each float or double pointer followed by its shadow",
        )
    return name


def _kind(type_: object) -> str:
    if isinstance(type_, Pointer):
        return f"{spelled(innermost(type_.to))} *"
    return spelled(type_)


def _user_call(
    contract: Contract, inputs: tuple[KernelParameter, ...], gradients: tuple[KernelParameter, ...]
) -> tuple[str, str]:
    """The call of a gradient that the program brings along, and its declaration."""
    order = {index: z for z, index in enumerate(contract.integers)}
    remaining = iter(gradients)
    places: dict[int, list[str]] = {}
    for slot, place in zip(contract.inputs, inputs, strict=False):
        passed = [f"({place.type} *){place.name}"]
        places[slot.parameter] = [*passed, next(remaining).name] if slot.active else passed
    for k, slot in enumerate(contract.outputs):
        places[slot.parameter] = [f"p{k}", f"d{k}"]
    arguments, types = [], []
    for index, parameter in enumerate(contract.function.c_signature.parameters):
        given = places.get(index, [f"({spelled(parameter.type)})z[{order.get(index)}]"])
        arguments += given
        types += [_kind(parameter.type)] * len(given)
    name = f"diffe{contract.name}"
    return f"{name}({', '.join(arguments)});", f"void {name}({', '.join(types)});\n"


def _derived(place: KernelParameter, name: str) -> KernelParameter:
    return replace(place, name=name, slot=replace(place.slot, active=True))


def _renamed(places: tuple[KernelParameter, ...], prefix: str) -> tuple[KernelParameter, ...]:
    return tuple(replace(place, name=f"{prefix}{k}") for k, place in enumerate(places))


def _parameters(inputs: tuple[KernelParameter, ...], outputs: tuple[KernelParameter, ...]) -> str:
    """Outputs are fresh memory, and inputs are only read: nothing that is written overlaps."""
    read = [f"const {place.type} *restrict {place.name}" for place in inputs]
    return ", ".join([*read, *(f"{place.type} *restrict {place.name}" for place in outputs)])


def _definition(
    symbol: str, inputs: tuple[KernelParameter, ...], outputs: tuple[KernelParameter, ...], body: list[str]
) -> str:
    lines = "\n  ".join(body)
    return f"static void {symbol}(const long long *restrict z, {_parameters(inputs, outputs)}) {{\n  {lines}\n}}\n"
