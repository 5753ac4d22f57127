"""Error codes: what happens while compiled code runs."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import ErrorEntry

EXECUTION: dict[str, ErrorEntry] = {
    "EM400": ErrorEntry("the C code ended abnormally", "It left by another way than return. The kernel is unharmed."),
    "EM401": ErrorEntry(
        "exit was called", "In a program of its own it would have ended the process; here it ended the call."
    ),
    "EM402": ErrorEntry("abort was called", "The C code, or a library it uses, gave up."),
    "EM403": ErrorEntry(
        "an assertion failed", "assert(...) in the C code was false; the message has its text and line."
    ),
    "EM404": ErrorEntry(
        "the tape limit",
        "The values saved for the reverse sweep would need more memory than the limit allows.",
        "Set ENZYME_MAGIC_TAPE_LIMIT (bytes) before the kernel starts; %enzyme_show NAME --view cache shows what is saved.",
    ),
    "EM405": ErrorEntry(
        "no memory for the tape", "The operating system refused memory for values saved for the reverse sweep."
    ),
    "EM407": ErrorEntry(
        "a pointer from before the gradient",
        "A static or global pointer, or one inside memory that was there before, leads to memory whose derivative nobody keeps: "
        "only what is allocated or given while the gradient is computed has a shadow, and heap blocks and variables of the "
        "program that static pointers lead to, directly or through such memory. In second derivatives, nothing that was there "
        "before has one.",
        "Set the pointer in the call that is differentiated, or give the memory as a parameter.",
    ),
    "EM409": ErrorEntry(
        "bytes of another kind than expected",
        "Memory whose content no type tells is watched while a gradient is computed. A derivative lies in bytes of which nothing "
        "says whether they are a number (memory from outside through a void pointer), or a number is read as something else than "
        "it was stored as, or computed with as an integer.",
        "Copy through pointers of the element type, and read numbers as what they were stored as.",
    ),
    "EM406": ErrorEntry(
        "the C stack is too small",
        "A recursion is too deep, or local arrays are too large.",
        "Write a loop, or static arrays.",
    ),
    "EM408": ErrorEntry(
        "a signal",
        "The C code used memory that is not its own, divided an integer by zero, or came to where C leaves undefined what happens.",
        "Correct the function that is named. What the call wrote may be damaged: save what matters and restart the kernel.",
    ),
    "EM411": ErrorEntry(
        "the worker process ended",
        "Isolated code ended its process from inside a library (a heap that was damaged). The kernel is unharmed, and "
        "the next call starts another worker; arrays outside of shared memory hold what they held before the call.",
    ),
    "EM412": ErrorEntry(
        "an isolated call, or one of a learner's function, was interrupted",
        "The worker process was ended, and the next call starts another one; a call in the kernel was left where it stood. "
        "The error is a KeyboardInterrupt too.",
    ),
    "EM413": ErrorEntry(
        "the sanitizer found undefined behaviour",
        "The program was compiled with sanitize, and a check failed before C did what is left undefined: an access outside "
        "of an array (a parameter with an extent, a variable, a block from malloc), a division by zero, a shift, a signed "
        "overflow, a null pointer.",
        "Correct the line that is named.",
    ),
    "EM414": ErrorEntry(
        "free or realloc is given what is no block",
        "C code gives an address to free or realloc that no block of the heap can have: of a local variable, or in the middle of a "
        "block. The C library would end the process. A derivative knows the blocks that carry derivatives: every other address is "
        "an error there, and so is a block that was given back before.",
        "Give back what malloc, calloc or realloc gave, once. sanitize=True names the line.",
    ),
    "EM415": ErrorEntry(
        "what belongs to the kernel",
        "C code would close a file, socket or stream that the kernel has opened (close, dup2, fclose of stdout), or set "
        "a limit of the process (setrlimit) that holds when the call is over.",
        "Close what the C code has opened. isolate=True gives the code a process of its own.",
    ),
    "EM410": ErrorEntry(
        "the time limit",
        "em.time_limit ended a call of C code where it stood. What it was writing may be half written; the tape is given back.",
        "A longer limit, or a smaller problem.",
    ),
}
