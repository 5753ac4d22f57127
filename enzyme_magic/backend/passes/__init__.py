"""Rewrites of a whole program around differentiation.

Before it: requests that C makes become calls of derivatives (`entry_calls`), rules from Python become registrations
(`registering`), sorts and searches of the C library get bodies (`library_bodies`), structs with pointers are returned through
memory (`results_in_memory`), recursion in the compiled code is checked against the stack (`primal_stack`), and the sanitizer's
checks are put in (`sanitizing`, `bounds`, `unwritten`, by `regions` and `instrumentation`). After it: what derivatives call is
joined to them (`supports`, `native_code`), and a program with derivatives in it is made ready to be differentiated again
(`nesting`).

The derivatives themselves are written in `autodiff`.
"""
