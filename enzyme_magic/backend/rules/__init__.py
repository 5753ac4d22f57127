"""What a derivative is, per operation: tables of formulas, and the ways to write and to question them.

`registry` finds the rule of an instruction, `ir_emitter` writes its contributions, `lowering` brings calls with results behind
pointers into a form that has a rule. Knows single operations only: nothing of control flow, memory or whole functions.
"""
