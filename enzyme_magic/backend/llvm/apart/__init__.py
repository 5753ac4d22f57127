"""LLVM's work in other processes: where it may end the process, and where it may take long and must obey an interrupt.

`worker`: one warm process that takes texts and gives texts or object code; `serving`: what it does. `quick`: which texts need none.
`rehearsal`: what is done there first, to be done here later. `printed_passes`: a process for passes that LLVM prints.
"""
