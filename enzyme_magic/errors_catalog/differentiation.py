"""Error codes: derivatives that are refused."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import ErrorEntry

DIFFERENTIATION: dict[str, ErrorEntry] = {
    "EM200": ErrorEntry(
        "not differentiable",
        "The function, or a part of it, has no derivative that this version can write. It can still be called. Nothing is guessed: "
        "a gradient exists only where it is right.",
    ),
    "EM230": ErrorEntry(
        "a pointer without a shadow",
        "Active memory lies at an address that the program spells as a number, or computed from several pointers or from integers "
        "in memory. Where the memory beside it for the adjoints would be is not known.",
        "Pass the memory as a parameter, and keep pointers in pointers.",
    ),
    "EM261": ErrorEntry(
        "the program replaces a function of the math library",
        "A derivative calls a function of the C library under its name, but the cell defines a function of that name itself.",
        "Rename yours.",
    ),
    "EM262": ErrorEntry(
        "a vector operation the math library does not have",
        "The derivative of a math function on vectors would need a vector form of another one.",
        "Compile without vector types around this call.",
    ),
    "EM201": ErrorEntry("no such function", "A derivative was asked for of a function that the program does not have."),
    "EM202": ErrorEntry(
        "a result without gradient",
        "A gradient is the derivative of one floating number: the function must return float or double.",
    ),
    "EM203": ErrorEntry(
        "no output with derivatives",
        "vjp, jvp and jacobian look at the result and at the buffers the function writes. None of them holds floating numbers.",
    ),
    "EM210": ErrorEntry(
        "nothing to differentiate",
        "No parameter carries a derivative.",
    ),
    "EM211": ErrorEntry(
        "a derivative of a derivative that cannot be written",
        "A derivative is differentiated again like any other function, with its tapes and its shadows. What has no derivative of "
        "its own: a rule that is a Python function; from Python, functions that take or return structs by value.",
        "Give the rule in C; pass pointers to structs.",
    ),
    "EM212": ErrorEntry(
        "exceptions",
        "A call may throw past the function. The reverse sweep would have to run where the exception goes, and does not.",
        "Declare functions that do not throw so: __attribute__((nothrow)) in C, noexcept in C++.",
    ),
    "EM213": ErrorEntry(
        "a computed goto",
        "goto *p jumps to a label that is known only when it runs, so there is no way back from it.",
        "Use a switch.",
    ),
    "EM214": ErrorEntry(
        "a library function that changes the flow of the program",
        "setjmp and longjmp, signal handlers, threads, fork, contexts, code found at run time: what runs when is not in the text "
        "of the function.",
        "Keep the call out of the function that is differentiated; the message says what to use instead.",
    ),
    "EM215": ErrorEntry(
        "inline assembly",
        "Derivatives flow through assembly, which has no meaning to differentiate. Assembly without instructions (a compiler "
        "barrier) and assembly beside the path from parameters to result are fine.",
        "Write it in C.",
    ),
    "EM216": ErrorEntry(
        "an address space of its own",
        "A pointer that the processor reads in another way than ordinary ones (__seg_gs, address_space(1)) has no shadow.",
    ),
    "EM217": ErrorEntry(
        "variable arguments",
        "A function of the program takes active values through `...`, and is called by another type than its own; or the program "
        "reads from a list what is aligned to more than a word (long double, __m128); or the processor is no x86-64. Printing with "
        "printf is fine.",
        "Call it as it is declared, or pass an array and its length.",
    ),
    "EM218": ErrorEntry(
        "scalable vectors",
        "Vectors whose length the processor decides (ARM's SVE types).",
        "Use arrays and ordinary loops.",
    ),
    "EM219": ErrorEntry("coroutines", "A function that is left in the middle and entered again has no reverse sweep."),
    "EM220": ErrorEntry(
        "a construct without derivative",
        "An instruction between an active parameter and the result cannot be differentiated; the message says where.",
    ),
    "EM221": ErrorEntry(
        "the derivative of a function is unknown",
        "The call goes to code whose text is not in the cell and for which there is no rule.",
        "Define the function in the cell, or include the header that defines it.",
    ),
    "EM222": ErrorEntry(
        "a library function that calls back",
        "Derivatives flow through a library function that calls a function of the program, and that is declared in another way "
        "than the C library declares it.",
        "Include the header; qsort, qsort_r and bsearch are followed then. Or write the algorithm in C: a sort is a loop.",
    ),
    "EM223": ErrorEntry(
        "floating bits in an integer",
        "The C code moves the bits of a floating number as an integer; whether a derivative travels along cannot be known.",
        "Copy floating data as floating data, or with memcpy.",
    ),
    "EM224": ErrorEntry(
        "memory of unknown content",
        "A block of memory is copied or filled, or integers in it are computed with, and what the bytes hold (floating numbers, "
        "integers, pointers) is not known.",
        "Copy through pointers of the element type; keep numbers and integers in members of their own.",
    ),
    "EM240": ErrorEntry(
        "a call through a pointer",
        "Which function is called is known only when it runs. Functions of the program whose address is taken are tried; here none "
        "has the type of the call.",
        "Call the function by its name.",
    ),
    "EM242": ErrorEntry(
        "memory that a call returned", "Active memory from this call has no shadow yet.", "Use an array parameter."
    ),
    "EM271": ErrorEntry(
        "a handler that does not fit",
        "The functions of a custom rule take the parameters of the function they belong to, each pointer followed by its shadow; "
        "the gradient takes the adjoint of the result and the tape last, and gives the adjoints of the floating parameters.",
    ),
    "EM272": ErrorEntry(
        "a struct by value beside a custom rule",
        "How a struct is passed by value depends on the machine, so that handlers cannot be matched with it.",
        "Pass a pointer to the struct.",
    ),
    "EM273": ErrorEntry(
        "no rule for this mode",
        "A function with a derivative of its own is never differentiated by its body. Where all its parameters are numbers, one "
        "mode follows from the other; where it works on memory, each mode needs a rule.",
        "Register a derivative for forward mode, a gradient for reverse mode.",
    ),
    "EM274": ErrorEntry(
        "a gradient that reads overwritten memory",
        "The gradient of a custom rule runs in the reverse sweep. What it reads there must be what the primal read.",
        "Keep what it reads in the tape; restrict on the parameters may tell that nothing overwrites it.",
    ),
    "EM275": ErrorEntry(
        "an inactive function that overwrites active memory",
        "Whoever overwrites a value takes its derivative away, which a function without derivative cannot do: one that is declared "
        "inactive, or one of the C library (strftime, clock_gettime) that is given memory in which numbers are.",
        "Let it return its result, give it memory of its own, or a derivative of its own.",
    ),
    "EM276": ErrorEntry(
        "memory of an allocator of the program, given back later",
        "In reverse mode what __enzyme_allocation_like names as releasing is called when the way back needs the memory no more. "
        "The function that calls it must not ask what it did: neither for its result nor for globals that it writes.",
        "Let it return nothing, and look at its counters in another function.",
    ),
    "EM277": ErrorEntry(
        "a rule beside a global variable",
        "The functions of a custom rule are given the parameters of the function they belong to, and their shadows. What it reads "
        "from a global variable, or writes there, carries a derivative here, and the rule cannot know it.",
        "Pass the variable by a pointer, or declare it inactive: void *__enzyme_inactive_global_v = &v;.",
    ),
    "EM247": ErrorEntry(
        "a null pointer that is read",
        "A null pointer given behind enzyme_dupnoneed says that results are not stored; here the function reads them back.",
        "Pass memory for the result.",
    ),
    "EM251": ErrorEntry(
        "forward and reverse mode disagree",
        "check_grads multiplied the Jacobian with one random vector from either side, and the two modes gave different numbers. "
        "One of them is wrong: please report it with the cell.",
    ),
    "EM257": ErrorEntry(
        "no loop can be checkpointed",
        'caching="checkpoint" runs the iterations of a loop again. The message says of each loop that keeps values why that is not '
        "possible: what the iterations change must be known before the loop begins, and be all that they do. A "
        "gradient with checkpoints cannot be differentiated again.",
        'Leave out caching="checkpoint", or change what the message names.',
    ),
    "EM248": ErrorEntry(
        "not several sweeps at once",
        "A derivative for several directions writes into memory of which it is not seen where it was made. em.jacobian then makes"
        " its sweeps one by one.",
    ),
    "EM250": ErrorEntry(
        "gradient and finite difference disagree",
        "check_grads compared them. Either the point is at a kink, where there is no derivative, or the gradient is wrong.",
        "Check at another point; if it disagrees there too, please report it with the cell.",
    ),
}
