"""From the tree of blocks to C statements: one function's body.

Invariant: a statement means what its instructions mean, in their order, or NotInC is raised. Which values are variables is
decided in plan.py, the words of a value in expressions.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TypeGuard

from enzyme_magic.backend.explain.gradient_c import structure as tree
from enzyme_magic.backend.explain.gradient_c.counted import CountedLoop
from enzyme_magic.backend.explain.gradient_c.lowering import Lowered, SourceOf
from enzyme_magic.backend.explain.gradient_c.plan import CPlan, is_pure_call, written
from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.explain.gradient_c.spelling.assignments import assignment
from enzyme_magic.backend.explain.gradient_c.spelling.calls import CallTexts
from enzyme_magic.backend.explain.gradient_c.spelling.expressions import Expressions
from enzyme_magic.backend.explain.gradient_c.spelling.scalars import unsaid
from enzyme_magic.backend.explain.gradient_c.statements import (
    If,
    LoopStatement,
    PlainStatement,
    Statement,
)
from enzyme_magic.backend.explain.words.c_operators import RELATIONAL, SHIFT
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.loops import Loop as IRLoop
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Call,
    Compare,
    Freeze,
    Instruction,
    Load,
    Phi,
    Return,
    Store,
)
from enzyme_magic.backend.ir.types import PointerType, VoidType
from enzyme_magic.backend.ir.values import Argument, Block, ConstantInt, Value


@dataclass(slots=True, eq=False)
class Bodies:
    """Writes the statements of one function."""

    lowered: Lowered
    plan: CPlan
    text: Expressions
    uses: dict[Value, list[Instruction]]
    labels: dict[Block, str]
    calls: CallTexts

    def statements(self, nodes: list[tree.Node]) -> list[Statement]:
        made: list[Statement] = []
        for node in nodes:
            made += (s for s in self._node(node) if not self._is_to_itself(s))
        return made

    def _is_to_itself(self, statement: Statement) -> bool:
        """`j = j`: what is a conversion in the IR, and none in C."""
        if not isinstance(statement, PlainStatement) or statement.writes is None:
            return False
        name = self.text.name(statement.writes)
        return statement.text == f"{name} = {name}"

    def _node(self, node: tree.Node) -> list[Statement]:
        if isinstance(node, tree.StraightRun):
            return self._run(node.block)
        if isinstance(node, tree.Along):
            return self._along(node.source, node.target)
        if isinstance(node, tree.IfNode):
            return [self._choice(node)]
        if isinstance(node, tree.Repeat):
            return self._repeat(node)
        if isinstance(node, tree.Break):
            return [PlainStatement("break", ends=True)]
        if isinstance(node, tree.Continue):
            return [PlainStatement("continue", ends=True)]
        if isinstance(node, tree.Goto):
            return [PlainStatement(f"goto {self.labels[node.target]}", ends=True, jumps=True)]
        return [self._give(node.instruction)]

    # One statement

    def reads(self, *values: Value) -> frozenset[Value]:
        found: set[Value] = set()
        for value in values:
            if value in self.text.same:
                found.add(self.plan.variable(self.text.same[value]))
            else:
                found |= {self.plan.variable(leaf) for leaf in self.plan.leaves(value)}
        return frozenset(found)

    def _run(self, block: Block) -> list[Statement]:
        made: list[Statement] = [PlainStatement(self.labels[block], label=True)] if block in self.labels else []
        for i in block.instructions:
            if isinstance(i, Phi) or i.is_terminator or i in self.plan.inlined:
                continue
            if isinstance(i, Store):
                made.append(self._store(i))
            elif isinstance(i, Call) and not is_pure_call(i):
                made += self._call(i)
            elif self.uses.get(i) and not isinstance(i, Alloca):
                text = self._computed(i)
                made.append(self._assign(i, i, text if isinstance(i, Load) else self._converted(i, i, text)))
            elif written(i) and not isinstance(i, Alloca):
                raise unsaid(i.opcode)
        return made

    def _computed(self, i: Instruction) -> str:
        if isinstance(i, (Binary, Load)) or self.uses.get(i):
            return self.text.operation(i)[0]
        raise unsaid(i.opcode)

    def _assign(self, target: Value, i: Instruction, value: str) -> PlainStatement:
        variable = self.plan.variable(target)
        name = self.text.name(variable)
        reads = self.reads(*i.operands[: len(i.argument_attributes)] if isinstance(i, Call) else i.operands)
        return PlainStatement(assignment(self.text, name, i, value), reads, variable, value, self.source(i))

    def _store(self, i: Store) -> PlainStatement:
        if i.volatile or i.ordering:
            raise refuse("it writes memory that others may read at any time")
        place = self.text.places.place(i.pointer, i.value.type, self.text)
        value = self.text.text(i.value)
        text = assignment(self.text, place, i.value, value) if i.value in self.plan.inlined else f"{place} = {value}"
        return PlainStatement(text, self.reads(*i.operands), source=self.source(i))

    def _call(self, i: Call) -> list[Statement]:
        name = str(getattr(i.callee, "name", ""))
        if intrinsics.is_marker(name):
            return []
        called = self.calls.called(i, name)
        if isinstance(i.type, VoidType) or not self.uses.get(i):
            return [PlainStatement(called, self.reads(*i.arguments), source=self.source(i))]
        return [self._assign(i, i, called)]

    def _give(self, i: Return) -> PlainStatement:
        if not i.operands:
            return PlainStatement("return", ends=True)
        value = i.operands[0]
        source = self.source(value) if isinstance(value, Instruction) and value in self.plan.inlined else None
        return PlainStatement(f"return {self.text.text(value)}", self.reads(value), source=source, ends=True)

    def source(self, i: Instruction) -> SourceOf | None:
        """Of the statement of `i`: its own, or of the first inlined operand that has a rule."""
        best: SourceOf | None = None
        pending: list[Value] = [i]
        while pending:
            current = pending.pop(0)
            if not isinstance(current, Instruction) or (current is not i and current not in self.plan.inlined):
                continue
            found = self.lowered.source(current)
            if found is not None and (best is None or (found.rule and not best.rule)):
                best = found
            if best is not None and best.rule:
                return best
            pending.extend(current.operands)
        return best

    # Assignments to phis

    def _along(self, source: Block, target: Block, skip: Value | None = None) -> list[Statement]:
        pending: list[PlainStatement] = []
        for phi in cfg.phis(target):
            value = phi.value_from(source)
            if phi is skip or not self.uses.get(phi):
                continue
            variable = self.plan.variable(phi)
            if value not in self.plan.inlined and self.plan.variable(value) is variable and value not in self.text.same:
                continue
            text = self._converted(variable, value, self.text.converted(value))
            written_ = assignment(
                self.text, self.text.name(variable), value if value in self.plan.inlined else phi, text
            )
            pending.append(PlainStatement(written_, self.reads(value), variable, text, self._copy_source(value)))
        return self._in_order(pending)

    def _converted(self, variable: Value, value: Value, text: str) -> str:
        """An address as the variable's type has it; C converts `void *` by itself."""
        if not isinstance(variable.type, PointerType) or not isinstance(value, (Instruction, Argument)):
            return text
        wanted = self.text.places.pointed(variable)
        if isinstance(value, Load) and value in self.plan.inlined:
            return text
        return text if self.text.places.pointed_at(value) == wanted else f"({wanted} *)({text})"

    def _copy_source(self, value: Value) -> SourceOf | None:
        return self.source(value) if isinstance(value, Instruction) and value in self.plan.inlined else None

    def _in_order(self, pending: list[PlainStatement]) -> list[Statement]:
        """Assignments that happen at once, one after the other: nobody is overwritten who is still read. Where two would change
        places, one is put aside first."""
        made: list[Statement] = []
        while pending:
            free = next((a for a in pending if not any(a.writes in b.reads for b in pending if b is not a)), None)
            if free is None:
                made.append(self._put_aside(pending))
                continue
            pending.remove(free)
            made.append(free)
        return made

    def _put_aside(self, pending: list[PlainStatement]) -> PlainStatement:
        """What the first assignment overwrites; the others then read it from there."""
        variable = pending[0].writes
        assert variable is not None
        saved = Freeze("freeze", variable.type, [variable])
        name, other = self.text.name(variable), self.text.name(saved)
        said = re.compile(rf"(?<![\w.>]){name}\b")
        for k, reader in enumerate(pending):
            if k and variable in reader.reads:
                reads = (reader.reads - {variable}) | {saved}
                text, value = said.sub(other, reader.text), said.sub(other, reader.value)
                pending[k] = replace(reader, text=text, value=value, reads=reads)
        return PlainStatement(f"{other} = {name}", frozenset([variable]), saved, name)

    # Ifs and loops

    def _choice(self, node: tree.IfNode) -> If:
        if node.equals is not None:
            left, right = self.text.text(node.test, RELATIONAL), self.text.text(node.equals, RELATIONAL)
            test, opposite = f"{left} == {right}", f"{left} != {right}"
        else:
            test, opposite = self.text.truth_text(node.test), self.text.truth_text(node.test, 0, False)
        then, otherwise = self.statements(node.then), self.statements(node.otherwise)
        return If(test, opposite, self.reads(node.test), then, otherwise, node.test)

    def _repeat(self, node: tree.Repeat) -> list[Statement]:
        tail = node.body[-1] if node.body else None
        if (
            isinstance(tail, tree.IfNode)
            and tail.equals is None
            and len(node.loop.latches) == 1
            and node.loop.header not in self.labels
            and _breaks(node.body) == 1
        ):
            for leaving, staying, stays in ((tail.then, tail.otherwise, False), (tail.otherwise, tail.then, True)):
                if leaving and isinstance(leaving[-1], tree.Break):
                    made = self._tested(node, tail, leaving[:-1], staying, stays)
                    return made if made is not None else self._left_inside(node, tail, leaving[:-1], staying, stays)
        return [LoopStatement("forever", _without_last_continue(self.statements(node.body)))]

    def _left_inside(
        self, node: tree.Repeat, tail: tree.IfNode, leaving: list[tree.Node], staying: list[tree.Node], stays: bool
    ) -> list[Statement]:
        """An endless loop with its one way out in the middle; what is done on that way stands behind it."""
        out = If(*self._arms(tail, not stays), self.reads(tail.test), [PlainStatement("break", ends=True)], [])
        body = [*self.statements(node.body[:-1]), out, *self.statements(staying)]
        return [LoopStatement("forever", _without_last_continue(body)), *self.statements(leaving)]

    def _arms(self, tail: tree.IfNode, holds: bool) -> tuple[str, str]:
        return self.text.truth_text(tail.test, 0, holds), self.text.truth_text(tail.test, 0, not holds)

    def _tested(
        self, node: tree.Repeat, tail: tree.IfNode, leaving: list[tree.Node], staying: list[tree.Node], stays: bool
    ) -> list[Statement] | None:
        """A loop that tests at the end of its body only; None where that would change what is read behind it. What stands between
        the test and the next iteration is then done in the last iteration too."""
        loop = node.loop
        count = self.text.counts.found.get(loop)
        if not staying or not isinstance(staying[-1], tree.Along) or staying[-1].target is not loop.header:
            return None
        latch = staying[-1].source
        merges = [p for p in cfg.phis(loop.header) if self.uses.get(p)]
        counter = count.counter if count is not None and count.counter in merges else None
        between = [n.block for n in staying if isinstance(n, tree.StraightRun)]
        if not all(isinstance(n, (tree.StraightRun, tree.Along)) for n in staying) or not _harmless(between):
            return None
        changed = {self.plan.variable(p) for p in merges if p is counter or not self._kept(p, latch)}
        changed |= {
            self.plan.variable(i) for block in between for i in block.instructions if i not in self.plan.inlined
        }
        behind = self.statements(leaving)
        if changed & self._read_behind(loop, behind):
            return None
        body = self.statements(node.body[:-1]) + self.statements(staying[:-1])
        if counter is not None and count is not None and len(self.plan.members[self.plan.variable(counter)]) == 1:
            body += self._along(latch, loop.header, counter)
            return [self._counting(count, body, tail), *behind]
        if between:
            return None
        made = self._do(loop, tail, latch, body, stays)
        return None if made is None else [made, *behind]

    def _kept(self, phi: Phi, latch: Block) -> bool:
        value = phi.value_from(latch)
        return value not in self.plan.inlined and self.plan.variable(value) is self.plan.variable(phi)

    def _read_behind(self, loop: IRLoop, behind: list[Statement]) -> set[Value]:
        found = {self.plan.variable(v) for _, target in loop.exits for v in self.plan.live_in.get(target, ())}
        found |= {self.plan.variable(p) for _, target in loop.exits for p in cfg.phis(target)}
        for statement in behind:
            found |= statement.reads
        return found

    def _do(
        self, loop: IRLoop, tail: tree.IfNode, latch: Block, body: list[Statement], stays: bool
    ) -> LoopStatement | None:
        """`do … while`: the test is read after the assignments for the next iteration. What a variable holds by then goes by it;
        a test of what is overwritten cannot be written like this, but for a counter's `i-- != 0`."""
        copies = self._along(latch, loop.header)
        merges = [p for p in cfg.phis(loop.header) if self.uses.get(p)]
        source = self.source(tail.test) if isinstance(tail.test, Instruction) else None
        stepped = self._stepped(tail.test, latch, merges, copies, stays)
        if stepped is not None:
            phi, text, copies = stepped
            return LoopStatement("do", body + copies, text, frozenset([self.plan.variable(phi)]), source=source)
        same = {p.value_from(latch): p for p in merges}
        self.text.same = {v: p for v, p in same.items() if isinstance(v, Instruction) and v in self.plan.inlined}
        try:
            reads = self._read_late(tail.test)
            text = self.text.truth_text(tail.test, 0, stays)
            held = {self.plan.variable(p) for p in self.text.same.values()}
        finally:
            self.text.same = {}
        overwritten = {c.writes for c in copies if isinstance(c, PlainStatement)}
        if overwritten & reads:
            return None
        return LoopStatement("do", body + copies, text, frozenset(reads | held), source=source)

    def _read_late(self, test: Value) -> set[Value]:
        """The variables the test reads by their own names."""
        found: set[Value] = set()
        pending: list[Value] = [test]
        while pending:
            current = pending.pop()
            if current in self.text.same:
                continue
            if isinstance(current, Instruction) and current in self.plan.inlined:
                pending.extend(current.operands)
            else:
                found |= self.reads(current)
        return found

    def _stepped(
        self, test: Value, latch: Block, merges: list[Phi], copies: list[Statement], stays: bool
    ) -> tuple[Phi, str, list[Statement]] | None:
        """`i-- != 0`: the test of a counter that is stepped right behind it."""
        if (
            not isinstance(test, Compare)
            or test not in self.plan.inlined
            or test.predicate != ("ne" if stays else "eq")
        ):
            return None
        phi, against = test.operands
        if not isinstance(phi, Phi) or phi not in merges or not isinstance(against, ConstantInt):
            return None
        value = phi.value_from(latch)
        if (
            not isinstance(value, Binary)
            or value.opcode != "add"
            or value.operands[0] is not phi
            or value not in self.plan.inlined
        ):
            return None
        variable, amount = self.plan.variable(phi), value.operands[1]
        if not isinstance(amount, ConstantInt) or amount.value not in (1, -1):
            return None
        others = [c for c in copies if not (isinstance(c, PlainStatement) and c.writes is variable)]
        if any(variable in c.reads for c in others):
            return None
        sign = "++" if amount.value == 1 else "--"
        return phi, f"{self.text.name(variable)}{sign} != {self.text.text(against)}", others

    def _counting(self, count: CountedLoop, body: list[Statement], tail: tree.IfNode) -> LoopStatement:
        """From n - 1 down to 0 is written `for (i = n; i-- > 0;)`: no number below 0 is made where n is unsigned or tiny."""
        variable = self.plan.variable(count.counter)
        name = self.text.name(variable)
        source = self.source(tail.test) if isinstance(tail.test, Instruction) else None
        start, step = count.start, f"{name}{'++' if count.step == 1 else '--'}"
        head = f"{name} {'<' if count.step == 1 else '>='} {self.text.converted(count.end, SHIFT)}"
        set_before = head, step
        if count.step == -1 and isinstance(start, Binary) and start in self.plan.inlined and start.opcode == "add":
            less = start.operands[1]
            if (
                isinstance(less, ConstantInt)
                and less.value == -1
                and isinstance(count.end, ConstantInt)
                and count.end.value == 0
            ):
                start, head, step = start.operands[0], f"{name}-- > 0", ""
        reads, first = self.reads(start, count.end), self.text.converted(start)
        return LoopStatement("for", body, head, reads, variable, first, step, set_before, count.guard, source=source)


def is_put_aside(value: Value) -> TypeGuard[Freeze]:
    """Whether a variable stands for another one, as that was before an assignment. (It is no value of the IR.)"""
    return isinstance(value, Freeze) and value.parent is None


def _harmless(blocks: list[Block]) -> bool:
    """Whether nothing is changed but values, and nothing read but values: it may be done once more."""
    for block in blocks:
        for i in block.instructions:
            if isinstance(i, (Phi, Load, Store, Alloca)) or (isinstance(i, Call) and not is_pure_call(i)):
                return False
            if isinstance(i, Binary) and i.opcode in ("sdiv", "udiv", "srem", "urem"):
                return False
    return True


def _breaks(nodes: list[tree.Node]) -> int:
    """How often the loop around the nodes is left."""
    count = 0
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, (tree.Break, tree.Give, tree.Goto)):
            count += 1
        elif isinstance(node, tree.IfNode):
            pending += [*node.then, *node.otherwise]
        elif isinstance(node, tree.Repeat):
            count += _gives(node.body)
    return count


def _gives(nodes: list[tree.Node]) -> int:
    count = 0
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, (tree.Give, tree.Goto)):
            count += 1
        elif isinstance(node, tree.IfNode):
            pending += [*node.then, *node.otherwise]
        elif isinstance(node, tree.Repeat):
            pending += node.body
    return count


def _without_last_continue(statements: list[Statement]) -> list[Statement]:
    if statements and isinstance(statements[-1], PlainStatement) and statements[-1].text == "continue":
        return statements[:-1]
    return statements
