"""Writes the derivative that the analyses describe. Nothing here decides what is active or what is stored.

`derivation.py` drives: one derivative module, callees included. `subject.py` holds what the analyses say of one
function under one request, `ends.py` where it begins and ends; `planning` is the fixpoint over all of them before one
is written; `sweeps`, `cache`, `memory`, `calls`, `custom` and `lanes` are the collaborators that write; `requests`
answers calls that C code makes. `refusals.py` says what is not differentiated, before anything is analysed;
`bit_operations.py` and `asked_integers.py` judge integers that may hold numbers.
`lost_in_text.py` finds numbers that come back from text, tables or files (`texts.py`: what functions do with those),
`decided_by_bits.py` those whose bits other bits decided.
"""
