"""Requests that C code makes itself: calls of `__enzyme_autodiff` and its kin become calls of derivatives.

entries: which calls are requests. callees: which function is meant. parse: a call as a frozen `EntryRequest` (deciding). write: the
function that answers one (writing). lower: the order, innermost requests first, and the module with the answers in it.
"""
