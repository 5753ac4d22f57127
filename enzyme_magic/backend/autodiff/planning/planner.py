"""The fixpoint: what every function of a derivative takes and keeps, before one of them is written.

A request leads to requests of the functions it calls (call_requests), and those are planned first. Then the function is tried: the
dry run of reverse mode, the attempt of forward mode. What it misses makes its request larger; who called it with less is tried
again. Lattice: sets of parameters, calls and stack variables of each function, by inclusion; so it ends. Within a recursive
component, calls of a function that is not tried yet assume its request as it stands and that it reads all its arguments.

Iterative, so that chains of calls may be as long as the program. It writes nothing that stays, but for forward mode: there the
trial that misses nothing is the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff import bit_operations, number_formats, refusals
from enzyme_magic.backend.autodiff.calls.calls import CalledDerivative
from enzyme_magic.backend.autodiff.calls.request import FORWARD, FunctionRequest
from enzyme_magic.backend.autodiff.calls.shells import forward_shell, shell
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.custom.custom_calls import CalledTangents
from enzyme_magic.backend.autodiff.memory import integer_addresses
from enzyme_magic.backend.autodiff.planning.call_requests import CallRequests
from enzyme_magic.backend.autodiff.planning.missing import MissingShadows
from enzyme_magic.backend.autodiff.planning.plan import DerivativePlan, FunctionPlan
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps import forward, reverse
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Trial
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.errors import DifferentiationError, InternalError

Signature = tuple[
    FunctionRequest, tuple[bool, ...] | None
]  # what callers know: the request, and which arguments it reads


@dataclass(slots=True, eq=False, repr=False)
class _Node:
    """A function under a request, on its way to the fixpoint. `used`: the signatures that its last trial was made with."""

    asked: FunctionRequest
    name: str
    subject: Subject
    calls: dict[Call, FunctionRequest] = field(default_factory=dict)
    by_name: set[FunctionRequest] = field(default_factory=set)
    used: dict[FunctionRequest, Signature] = field(default_factory=dict)
    callers: list[_Node] = field(default_factory=list)
    trial: Trial | ForwardDerivative | None = None
    grown: list[str] = field(default_factory=list)
    plan: FunctionPlan | None = None

    @property
    def signature(self) -> Signature:
        return self.subject.request, self.trial.reads_primal if isinstance(self.trial, Trial) else None


@dataclass(slots=True, eq=False, repr=False)
class Planner:
    """Plans of derivatives that share functions. name(request): the name of the function that answers it. custom(request): the
    derivative that the program itself brings along, None where it brings none."""

    context: SweepContext
    name: Callable[[FunctionRequest], str]
    custom_reverse: Callable[[FunctionRequest], CalledDerivative | None]
    custom_forward: Callable[[FunctionRequest], CalledTangents | None]
    trials: int = 0
    _nodes: dict[FunctionRequest, _Node] = field(default_factory=dict)

    def plan(self, asked: FunctionRequest) -> DerivativePlan:
        """The plan for a request. DifferentiationError for what cannot be differentiated."""
        path = [] if asked in self._nodes else [self._open(asked)]
        while path:
            node = path[-1]
            missing = next((key for key in self._callees(node) if key not in self._nodes), None)
            if missing is not None:
                path.append(self._open(missing))
            else:
                path.pop()
                path.extend(self._settle(node))
        return DerivativePlan(
            tuple(map(self._frozen, self._callees_first(asked))), self.context.kinds, self.context.asks
        )

    def _open(self, asked: FunctionRequest) -> _Node:
        refusals.check(self.context, self.context.analyses.module.functions[asked.function])
        name = self.name(asked)
        node = self._nodes[asked] = _Node(asked, name, self._subject(asked))
        self._ask(node)
        return node

    def _subject(self, request: FunctionRequest) -> Subject:
        """The function of a request, looked through for what loses derivatives in the bits of numbers."""
        subject = self.context.analyses.subject(request)
        bit_operations.check(self.context, subject)
        integer_addresses.check(self.context, subject)
        number_formats.check(self.context, subject)
        return subject

    def _ask(self, node: _Node) -> None:
        """What its calls ask for. A call that cannot be answered is an error where the trial comes to it."""
        requests = CallRequests(self.context, node.subject)
        node.calls = {}
        for call in requests.defined():
            try:
                node.calls[call] = requests.of(call)
            except DifferentiationError:
                continue

    def _callees(self, node: _Node) -> Iterator[FunctionRequest]:
        """The requests of its calls that are planned here."""
        rules = self.context.analyses.custom.rules
        return (key for key in node.calls.values() if key.function not in rules)

    # One function

    def _settle(self, node: _Node) -> list[_Node]:
        """Try a function with what is known of the others. Returned: who must be tried again, the most urgent last."""
        for key in self._callees(node):
            if self._nodes[key].trial is None:
                node.by_name.add(key)
        used = {key: self._known(node, key) for key in self._callees(node)}
        if node.trial is not None and used == node.used:
            return []
        before, node.used = node.signature, used
        for key in used:
            if node not in self._nodes[key].callers:
                self._nodes[key].callers.append(node)
        self._try(node)
        again = [node] if node.trial is None else []
        if node.signature != before:
            again = [c for c in node.callers if c.trial is not None and c not in again] + again
        return again

    def _known(self, node: _Node, key: FunctionRequest) -> Signature:
        """What a function knows of one that it calls."""
        request, reads = self._nodes[key].signature
        return request, None if key in node.by_name else reads

    def _try(self, node: _Node) -> None:
        """One trial, and the larger request where it misses something."""
        self.trials += 1
        subject = node.subject
        try:
            node.trial = self._trial(node)
        except DifferentiationError:
            if not subject.missing.any():
                raise
            self.context.doubted = self.context.questioned = False
            node.trial = None
        if not subject.missing.any():
            return
        larger = subject.missing.added_to(subject.request)
        node.grown += _reasons(node, larger)
        if isinstance(node.trial, Trial):  # a shadow parameter more: all that was found stays as it is
            subject.request, subject.missing = larger, MissingShadows()
        else:
            node.trial = None
            node.subject = self._subject(larger)
            self._ask(node)

    def _trial(self, node: _Node) -> Trial | ForwardDerivative | None:
        requests = CallRequests(self.context, node.subject)
        if node.subject.request.mode == FORWARD:
            return forward.differentiate(
                self.context, node.subject, node.name, lambda call: self._called_forward(node, requests, call)
            )
        return reverse.dry_run(self.context, node.subject, node.name, lambda call: self._called(node, requests, call))

    def _asked(self, node: _Node, requests: CallRequests, call: Call) -> FunctionRequest:
        known = node.calls.get(call)
        return known if known is not None else requests.of(call)

    def _called(self, node: _Node, requests: CallRequests, call: Call) -> CalledDerivative:
        key = self._asked(node, requests, call)
        custom = self.custom_reverse(key)
        if custom is not None:
            return custom
        callee = self._nodes[key]
        request, reads = self._known(node, key)
        return shell(self.context, request, callee.subject.prepared.function, callee.name, reads)

    def _called_forward(self, node: _Node, requests: CallRequests, call: Call) -> ForwardDerivative | CalledTangents:
        key = self._asked(node, requests, call)
        custom = self.custom_forward(key)
        if custom is not None:
            return custom
        callee = self._nodes[key]
        if isinstance(callee.trial, ForwardDerivative):
            return callee.trial
        return forward_shell(self.context, callee.subject, callee.name)

    # The result

    def _callees_first(self, asked: FunctionRequest) -> Iterator[_Node]:
        """What a request leads to, each once, in the order in which it is written."""
        seen = {asked}
        path = [(self._nodes[asked], self._callees(self._nodes[asked]))]
        while path:
            node, callees = path[-1]
            following = next((key for key in callees if key not in seen), None)
            if following is None:
                yield node
                path.pop()
            else:
                seen.add(following)
                path.append((self._nodes[following], self._callees(self._nodes[following])))

    def _frozen(self, node: _Node) -> FunctionPlan:
        if node.plan is None:
            if node.trial is None:
                raise InternalError(f"the plan of {node.name} has no fixpoint")
            node.subject.missing.closed = node.name
            node.plan = FunctionPlan(
                node.asked,
                node.subject.request,
                node.name,
                node.subject,
                node.calls,
                frozenset(node.by_name),
                node.trial,
                tuple(node.grown),
                node.subject.vector_math if self.context.vectors else None,
            )
        return node.plan


def _reasons(node: _Node, larger: FunctionRequest) -> list[str]:
    """Why a request became larger."""
    request, subject = node.subject.request, node.subject
    names = [f"%{a.name or a.index}" for a in subject.prepared.function.arguments]
    shadows = [k for k, kind in enumerate(larger.activities) if kind != request.activities[k]]
    found = [f"the shadow of {names[k]} is used" for k in shadows if k not in larger.followed - request.followed]
    found += [
        f"pointers behind {names[k]} are used with their shadows" for k in sorted(larger.followed - request.followed)
    ]
    memory = {k: i for k, i in enumerate(subject.prepared.function.instructions())} if larger.shadowed else {}
    for number in sorted(larger.shadowed - request.shadowed):
        name = memory[number].name or memory[number].opcode
        found.append(f"the memory of %{name} is used where memory with derivatives may be")
    return found
