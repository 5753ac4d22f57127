"""What is decided for a derivative before it is written: a fixpoint over the functions it leads to, and its frozen result.

missing: which shadows a trial asks for beyond its request. call_requests: what a call asks of the derivative of the called
function. address_integers: which integers are addresses, or parts of one. made_pointers: whether integers become pointers in the
program. planner: the fixpoint. plan: its result, as text too.
"""
