"""What each error code means and what usually helps: the table behind `%enzyme_doctor EM110`.

Invariant (tested): exactly the codes that the package raises are here. The message of an error says what happened
this time, at which line; an entry says what kind of thing that is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Entry:
    """`repair` is empty where the message's own hint says everything."""

    title: str
    meaning: str
    repair: str = ""


_REPORT = "This is a mistake in enzyme_magic, not in your code. Please report it with the cell and what %enzyme_doctor prints."

_TOOLCHAIN = {
    "EM100": Entry(
        "the compiler does not work",
        "clang or LLVM is missing, of the wrong version, or refused to work.",
        "Run %enzyme_doctor: it looks for both and tries them.",
    ),
    "EM105": Entry(
        "LLVM is missing",
        "The Python package llvmlite, which brings LLVM, cannot be imported.",
        "Install it again, for the same Python as the kernel's.",
    ),
    "EM106": Entry(
        "LLVM of another version",
        "llvmlite brings an LLVM whose textual IR this package does not read, or clang failed in an unexpected way.",
        "Install the llvmlite that pyproject.toml names, and run %enzyme_doctor.",
    ),
    "EM125": Entry(
        "no machine code",
        "LLVM could not translate the optimized IR for this processor. The usual cause is inline assembly, or an intrinsic that "
        "this processor does not have.",
    ),
    "EM132": Entry(
        "compiled code does not load",
        "The object code is complete, but could not be placed into this process.",
        "Restart the kernel; if it happens again, please report it.",
    ),
    "EM133": Entry(
        "a shared library does not load",
        "A library named with -l was not found, or is for another machine.",
        "Name the folder it is in with -L, or give its path.",
    ),
    "EM134": Entry("parts do not fit together", "LLVM refused to join the modules of one program."),
    "EM101": Entry(
        "no C compiler",
        "clang comes with the Python package ziglang; ENZYME_MAGIC_CLANG names another one. It is not there, or cannot be started.",
        "Install ziglang, or correct ENZYME_MAGIC_CLANG.",
    ),
    "EM102": Entry(
        "a clang that does not fit",
        "The program is no clang, or a newer one than the LLVM that has to read what it writes.",
        "Unset ENZYME_MAGIC_CLANG to use the bundled one.",
    ),
    "EM103": Entry(
        "an unsupported machine",
        "Supported are Linux on x86-64 and AArch64, with glibc.",
        "A container or a virtual machine with Linux will do.",
    ),
    "EM104": Entry(
        "clang broke down",
        "clang crashed or ran out of memory; it did not reject the text.",
        "Make the cell smaller, or leave out the part that was added last.",
    ),
    "EM109": Entry(
        "a pickle of another version",
        "Pickled functions carry the compiler's intermediate form, which may change between versions of this package.",
    ),
    "EM107": Entry(
        "data that cannot leave its process",
        "A pickle carries the numbers in a program's global and static variables. Addresses (memory from malloc, open files) mean"
        " nothing in another process, and a function that reads such a variable would find something else there than here.",
        "Keep the numbers in an array of fixed size, or let the function fill the variable itself when it is called first.",
    ),
    "EM108": Entry(
        "a pickle from another architecture",
        "A pickled function carries source and options and is compiled where it is loaded; types can have other sizes there.",
        "Compile the source on this machine.",
    ),
}

_COMPILATION = {
    "EM110": Entry(
        "the C text does not compile",
        "clang's own message, at the line and column of the cell. Line 1 is the first line below %%enzyme_c. Nothing was compiled, "
        "and functions of earlier cells stay as they were.",
        "Mend the line under the caret; later messages are often consequences of the first.",
    ),
    "EM120": Entry(
        "not LLVM IR",
        "LLVM does not read the text given as IR; the message is LLVM's. IR of a much newer or older LLVM is a usual cause.",
    ),
    "EM123": Entry("a reserved name or section", "LLVM, the object format or the loader keeps this name for itself."),
    "EM121": Entry(
        "a thread-local variable",
        "Code compiled in memory cannot have variables of which every thread owns one.",
        "Make it an ordinary static, or a parameter.",
    ),
    "EM122": Entry(
        "an alias beside a function with a rule",
        "A function whose derivative is known by rule must keep its identity through optimization; an alias for it would not.",
    ),
    "EM130": Entry(
        "an undefined function or variable",
        "The cell uses a name that neither it, nor a linked library, nor this process defines.",
        "Define it in the cell, or link the library that has it with -l.",
    ),
    "EM131": Entry(
        "a name defined twice",
        "Two sources of one program define the same name.",
        "Make one of them static, or rename it.",
    ),
    "EM150": Entry(
        "IR outside the modelled subset",
        "The optimized IR contains something this version does not model. The message names the instruction and its C line.",
        "Write that line differently, or try another -O level.",
    ),
    "EM111": Entry(
        "no code",
        "The cell, or the text, has nothing but white space and comments.",
        "Write a function below the magic line.",
    ),
    "EM112": Entry("not UTF-8", "C source is read as UTF-8.", "Save the file as UTF-8."),
    "EM113": Entry("a NUL character", "C text cannot contain it; it usually comes from a file that is not text."),
    "EM114": Entry(
        "too much source",
        "A limit keeps a slip (a table of numbers pasted into a cell) from stopping the kernel for minutes.",
        "Pass data as an array argument, or raise ENZYME_MAGIC_SOURCE_LIMIT (bytes).",
    ),
    "EM115": Entry(
        "a header is not found",
        "No folder that is searched has the file that #include names.",
        "Name its folder with -I (include=[...] in Python).",
    ),
    "EM116": Entry(
        "an Enzyme attribute that would be lost",
        "An attribute that declares a derivative is spelled in a way the compiler would drop, and the derivative with it.",
    ),
    "EM117": Entry(
        "a compiler option that cannot be used",
        "Options that change what clang writes, where it writes it, or for which machine are not accepted.",
        "Options such as -ffast-math, -std=c11, -Wall, -I and -D are.",
    ),
    "EM118": Entry("a source file cannot be read", "A path given as source does not exist or is not readable."),
    "EM126": Entry(
        "a registration that cannot be understood",
        "A global variable or an attribute of Enzyme's names something that is not there, or not of the kind expected.",
        "void *__enzyme_register_gradient_f[3] = {f, augmented, gradient};",
    ),
    "EM140": Entry(
        "no function to differentiate",
        "The first argument of __enzyme_autodiff and its kin is a function of this program, or one of several.",
        "Pass the function by its name.",
    ),
    "EM141": Entry(
        "an unknown marker, or one too many",
        "The words between the arguments of a request are Enzyme's (docs/enzyme_c.md); at most one stands before an argument.",
    ),
    "EM142": Entry(
        "too many arguments of a request",
        "Behind the function come its own arguments, and behind each `dup` argument its shadow.",
    ),
    "EM143": Entry(
        "too few arguments of a request",
        "Each parameter of the function needs its argument, and each `dup` argument its shadow. A pointer without marker is `dup`.",
    ),
    "EM144": Entry(
        "an argument of a request does not fit",
        "Its type, or its marker, is not one that the parameter of the function can take. C does not convert variable arguments.",
        "Write 1.0 for a double, cast an int to long where the parameter is long.",
    ),
    "EM145": Entry(
        "the result of a request does not fit its prototype",
        "The derivatives of the arguments passed by value come back in their order; the prototype must name a struct with these "
        "fields, the type of the first of them, or void.",
    ),
    "EM146": Entry(
        "a width that cannot be used", "enzyme_width takes a constant, and the function runs once for each lane."
    ),
    "EM147": Entry(
        "a tape that does not fit",
        "A tape is a pointer, made by __enzyme_augmentfwd and used by __enzyme_reverse with the same arguments.",
    ),
    "EM148": Entry(
        "a request that leads to itself",
        "Nested requests are answered innermost first; here is no innermost one.",
    ),
    "EM149": Entry("not supported in a request", "The message names what is missing and another way to write it."),
    "EM119": Entry(
        "nothing that can be compiled",
        "The language is not supported, or the source defines no function that can be called.",
    ),
}

_DIFFERENTIATION = {
    "EM200": Entry(
        "not differentiable",
        "The function, or a part of it, has no derivative that this version can write. It can still be called. Nothing is guessed: "
        "a gradient exists only where it is right.",
    ),
    "EM230": Entry(
        "a pointer without a shadow",
        "Active memory lies at an address that the program spells as a number, or computed from several pointers or from integers "
        "in memory. Where the memory beside it for the adjoints would be is not known.",
        "Pass the memory as a parameter, and keep pointers in pointers.",
    ),
    "EM261": Entry(
        "the program replaces a function of the math library",
        "A derivative calls a function of the C library under its name, but the cell defines a function of that name itself.",
        "Rename yours.",
    ),
    "EM262": Entry(
        "a vector operation the math library does not have",
        "The derivative of a math function on vectors would need a vector form of another one.",
        "Compile without vector types around this call.",
    ),
    "EM201": Entry("no such function", "A derivative was asked for of a function that the program does not have."),
    "EM202": Entry(
        "a result without gradient",
        "A gradient is the derivative of one floating number: the function must return float or double.",
    ),
    "EM203": Entry(
        "no output with derivatives",
        "vjp, jvp and jacobian look at the result and at the buffers the function writes. None of them holds floating numbers.",
    ),
    "EM210": Entry(
        "nothing to differentiate",
        "No parameter carries a derivative.",
    ),
    "EM211": Entry(
        "a derivative of a derivative that cannot be written",
        "A derivative is differentiated again like any other function, with its tapes and its shadows. What has no derivative of "
        "its own: a rule that is a Python function; from Python, functions that take or return structs by value.",
        "Give the rule in C; pass pointers to structs.",
    ),
    "EM212": Entry(
        "exceptions",
        "A call may throw past the function. The reverse sweep would have to run where the exception goes, and does not.",
        "Declare functions that do not throw so: __attribute__((nothrow)) in C, noexcept in C++.",
    ),
    "EM213": Entry(
        "a computed goto",
        "goto *p jumps to a label that is known only when it runs, so there is no way back from it.",
        "Use a switch.",
    ),
    "EM214": Entry(
        "a library function that changes the flow of the program",
        "setjmp and longjmp, signal handlers, threads, fork, contexts, code found at run time: what runs when is not in the text "
        "of the function.",
        "Keep the call out of the function that is differentiated; the message says what to use instead.",
    ),
    "EM215": Entry(
        "inline assembly",
        "Derivatives flow through assembly, which has no meaning to differentiate. Assembly without instructions (a compiler "
        "barrier) and assembly beside the path from parameters to result are fine.",
        "Write it in C.",
    ),
    "EM216": Entry(
        "an address space of its own",
        "A pointer that the processor reads in another way than ordinary ones (__seg_gs, address_space(1)) has no shadow.",
    ),
    "EM217": Entry(
        "variable arguments",
        "A function of the program takes active values through `...`. Printing them with printf is fine.",
        "Pass an array and its length.",
    ),
    "EM218": Entry(
        "scalable vectors",
        "Vectors whose length the processor decides (ARM's SVE types).",
        "Use arrays and ordinary loops.",
    ),
    "EM219": Entry("coroutines", "A function that is left in the middle and entered again has no reverse sweep."),
    "EM220": Entry(
        "a construct without derivative",
        "An instruction between an active parameter and the result cannot be differentiated; the message says where.",
    ),
    "EM221": Entry(
        "the derivative of a function is unknown",
        "The call goes to code whose text is not in the cell and for which there is no rule.",
        "Define the function in the cell, or include the header that defines it.",
    ),
    "EM222": Entry(
        "a library function that calls back",
        "Derivatives flow through qsort or another library function that calls a function of the program.",
        "Write the algorithm in C: a sort is a loop.",
    ),
    "EM223": Entry(
        "floating bits in an integer",
        "The C code moves the bits of a floating number as an integer; whether a derivative travels along cannot be known.",
        "Copy floating data as floating data, or with memcpy.",
    ),
    "EM224": Entry(
        "memory of unknown content",
        "A block of memory is copied or filled, and what the bytes hold (floating numbers, integers, pointers) is not known.",
        "Copy through pointers of the element type.",
    ),
    "EM240": Entry(
        "a call through a pointer",
        "Which function is called is known only when it runs. Functions of the program whose address is taken are tried; here none "
        "has the type of the call.",
        "Call the function by its name.",
    ),
    "EM242": Entry(
        "memory that a call returned", "Active memory from this call has no shadow yet.", "Use an array parameter."
    ),
    "EM271": Entry(
        "a handler that does not fit",
        "The functions of a custom rule take the parameters of the function they belong to, each pointer followed by its shadow; "
        "the gradient takes the adjoint of the result and the tape last, and gives the adjoints of the floating parameters.",
    ),
    "EM272": Entry(
        "a struct by value beside a custom rule",
        "How a struct is passed by value depends on the machine, so that handlers cannot be matched with it.",
        "Pass a pointer to the struct.",
    ),
    "EM273": Entry(
        "no rule for this mode",
        "A function with a derivative of its own is never differentiated by its body. Where all its parameters are numbers, one "
        "mode follows from the other; where it works on memory, each mode needs a rule.",
        "Register a derivative for forward mode, a gradient for reverse mode.",
    ),
    "EM274": Entry(
        "a gradient that reads overwritten memory",
        "The gradient of a custom rule runs in the reverse sweep. What it reads there must be what the primal read.",
        "Keep what it reads in the tape; restrict on the parameters may tell that nothing overwrites it.",
    ),
    "EM275": Entry(
        "an inactive function that overwrites active memory",
        "Whoever overwrites a value takes its derivative away, which a function without derivative cannot do.",
        "Let it return its result, or give it a derivative of its own.",
    ),
    "EM276": Entry(
        "memory of an allocator of the program, given back later",
        "In reverse mode what __enzyme_allocation_like names as releasing is called when the way back needs the memory no more. "
        "The function that calls it must not ask what it did: neither for its result nor for globals that it writes.",
        "Let it return nothing, and look at its counters in another function.",
    ),
    "EM247": Entry(
        "a null pointer that is read",
        "A null pointer given behind enzyme_dupnoneed says that results are not stored; here the function reads them back.",
        "Pass memory for the result.",
    ),
    "EM251": Entry(
        "forward and reverse mode disagree",
        "check_grads multiplied the Jacobian with one random vector from either side, and the two modes gave different numbers. "
        "One of them is wrong: please report it with the cell.",
    ),
    "EM248": Entry(
        "not several sweeps at once",
        "A derivative for several directions writes into memory of which it is not seen where it was made. em.jacobian then makes"
        " its sweeps one by one.",
    ),
    "EM250": Entry(
        "gradient and finite difference disagree",
        "check_grads compared them. Either the point is at a kink, where there is no derivative, or the gradient is wrong.",
        "Check at another point; if it disagrees there too, please report it with the cell.",
    ),
}

_ARGUMENTS = {
    "EM300": Entry("an argument does not fit", "A call whose arguments do not fit the C signature; print(f) shows it."),
    "EM301": Entry(
        "the wrong arguments",
        "Too few, too many, given twice, or a name that the C function does not have. Arguments are given in the order of C, by "
        "name, or both; sizes that follow from arrays may be left out.",
    ),
    "EM302": Entry(
        "a number that the C type cannot hold exactly",
        "Numbers are converted only where nothing is lost: 2 for a double, but not 2.5 for an int, nor 300 for a char.",
        "Convert it yourself: int(x), round(x), np.float32(x).",
    ),
    "EM303": Entry(
        "an array for a scalar",
        "The C parameter is one number.",
        "f.map(...) applies a scalar function to every element, f.grad.map(...) its gradient.",
    ),
    "EM304": Entry(
        "not an array",
        "A pointer parameter takes an object that shares its memory: a NumPy array, or anything with the array interface or "
        "DLPack, on the CPU. Lists would have to be copied, and what C writes would be lost.",
        "np.asarray(x, dtype=...) once, outside the call.",
    ),
    "EM305": Entry(
        "an array of another dtype",
        "double * takes float64 and nothing else: a hidden conversion would copy, and lose what C writes.",
        "x.astype(np.float64), or create it so.",
    ),
    "EM306": Entry(
        "an array with gaps or in another order",
        "C reads element after element, row after row. Slices with a step, transposed and Fortran-ordered arrays lie otherwise.",
        "np.ascontiguousarray(x)",
    ),
    "EM307": Entry(
        "an unaligned array",
        "Its first element lies at an address that the C type may not have, as in views of packed records.",
        "x.copy()",
    ),
    "EM308": Entry(
        "a read-only array that C writes to",
        "The function may write through this pointer. Read-only arrays are fine where it only reads.",
        "x.copy(); or const in the C signature, if it never writes.",
    ),
    "EM309": Entry(
        "an array too short",
        "The declarator (double x[n]) or --shape says how many elements the function needs. Nothing was called.",
        "Pass a longer array or a smaller size.",
    ),
    "EM310": Entry("no such optimization level", "opt and post_opt are 0, 1, 2 or 3."),
    "EM311": Entry(
        "arrays disagree about a size",
        "The size was left out to be taken from the arrays, and two arrays give different ones.",
        "Pass the size.",
    ),
    "EM312": Entry(
        "arrays that share memory",
        "Two arguments overlap and the function writes to one of them: a derivative would mix them up. Where both are only read, "
        "sharing is fine.",
        "x.copy()",
    ),
    "EM313": Entry(
        "a C type without a Python form",
        "Function pointers, pointers to pointers and variable argument lists cannot be passed from Python.",
        "Write a driver in C that takes numbers and plain pointers.",
    ),
    "EM314": Entry(
        "an array of another rank",
        "The declarator has other dimensions than the array; a flat array fits every declarator.",
    ),
    "EM315": Entry(
        "wrt names no parameter",
        "wrt takes names or numbers of C parameters, counted from 0 over all of them.",
    ),
    "EM316": Entry(
        "no gradient with respect to this parameter",
        "Integers, parameters declared const with --activity, and memory that is only written have no gradient.",
    ),
    "EM317": Entry(
        "out= does not fit",
        "The array for the result must be writable, contiguous, and of the argument's shape and dtype.",
    ),
    "EM318": Entry(
        "map of a function that is not scalar",
        "map applies functions from plain numbers to a number, element by element.",
    ),
    "EM319": Entry("shapes that do not broadcast", "The arrays given to map follow NumPy's broadcasting rules."),
    "EM324": Entry(
        "weights of another structure",
        "A pullback takes what vjp gave as value: bare for one output, otherwise one entry per output, None for zero.",
    ),
    "EM325": Entry(
        "a derivative that does not fit",
        "Tangents and cotangents have the shape of what they belong to, and numbers that its C type holds.",
    ),
    "EM326": Entry(
        "tangents and primals differ",
        "Tangents have one entry per primal, in the same order, or are given by C names. Only parameters in wrt have one.",
    ),
    "EM327": Entry(
        "no such output", "outputs= takes the names of what a function gives back: result, and the buffers it writes."
    ),
    "EM328": Entry(
        "this mode cannot give the Jacobian",
        "Forward mode goes through the input's numbers one by one, reverse mode through the output's; structs and complex numbers "
        "are not taken apart for that.",
    ),
    "EM329": Entry(
        "NULL where memory is used",
        "None is NULL in C. With these arguments the function is certain to read or write behind the pointer.",
    ),
    "EM330": Entry(
        "--at cannot be evaluated",
        "The words behind --at are evaluated in Python, among your variables, as the arguments of a call.",
        'Quote them: --at "x=np.arange(4.), n=4"',
    ),
    "EM331": Entry(
        "--check without arguments",
        "The check calls the function, so it needs to know with what.",
        "Add --at, for instance --at 2.0",
    ),
    "EM320": Entry(
        "no such function in the program",
        "Static, merely declared or misspelled functions cannot be had; the message lists those that can.",
    ),
    "EM321": Entry(
        "nothing there to explain", "The optimized function has no instruction of this line, or no value of this name."
    ),
    "EM332": Entry(
        "command line does not fit", "The file that is read, or the options beside it, do not go together; see --help."
    ),
    "EM333": Entry(
        "a rule that cannot be used",
        "custom takes what em.custom_vjp, em.custom_jvp and em.inactive make. A handler is the name of a C function, C text that "
        "defines one, or a Python function of numbers.",
    ),
    "EM334": Entry(
        "a text that is no report",
        "Report.from_json reads what report.to_json() gave, of this version of enzyme_magic or an earlier one.",
        "Make the report again: f.report.to_json()",
    ),
    "EM335": Entry(
        "nothing that can be assumed",
        "assume= takes parameters by their C names: restrict for a pointer, const for an active one, a number for a whole one.",
        'f.cache(assume={"out": "restrict"})',
    ),
    "EM336": Entry(
        "a cache plan that cannot be",
        "A value is computed again only where that gives the same bits, and stored only where the reverse sweep needs it.",
        'f.cache() says of each value why it is stored; em.grad(f, caching="recompute-all") computes again what can be',
    ),
    "EM337": Entry(
        "no cache plan of that name",
        "caching= takes minimum-cut, store-all, recompute-all, or decisions for single values.",
        'em.grad(f, caching={"%0": "recompute"})',
    ),
    "EM345": Entry(
        "no such cpu, or one that this machine is not",
        "cpu= takes x86-64, x86-64-v2, x86-64-v3 or x86-64-v4; code for a processor that can do more would end the process.",
        "Leave cpu out: code is then made for this machine.",
    ),
    "EM338": Entry(
        "masked elements",
        "A NumPy masked array says which of its elements do not count. C, and a derivative, would count them all.",
        "x.filled(0.0), x.compressed(), or a mask as an array parameter of its own.",
    ),
    "EM346": Entry(
        "no such exercise",
        "em.workshop knows the exercises of the notebooks by their numbers.",
        'em.workshop.check("01.1", 27)',
    ),
    "EM347": Entry(
        "no folder of answers",
        "em.workshop.gather reads the files that em.workshop.export wrote, from one folder.",
        "Put the files into one folder and give its path.",
    ),
    "EM348": Entry(
        "a package that a notebook needs",
        "Some notebooks for afterwards use PyTorch or others; the 90 minutes need nothing more.",
    ),
    "EM322": Entry(
        "an option that does not exist, or of the wrong form",
        "The options of compile_c and of the transformations are checked.",
    ),
    "EM323": Entry(
        "no such mode or stage", "Modes are reverse and forward; stages input, optimized, gradient, gradient-optimized."
    ),
}

_EXECUTION = {
    "EM400": Entry("the C code ended abnormally", "It left by another way than return. The kernel is unharmed."),
    "EM401": Entry(
        "exit was called", "In a program of its own it would have ended the process; here it ended the call."
    ),
    "EM402": Entry("abort was called", "The C code, or a library it uses, gave up."),
    "EM403": Entry("an assertion failed", "assert(...) in the C code was false; the message has its text and line."),
    "EM404": Entry(
        "the tape limit",
        "The values saved for the reverse sweep would need more memory than the limit allows.",
        "Set ENZYME_MAGIC_TAPE_LIMIT (bytes) before the kernel starts; %enzyme_show NAME --view cache shows what is saved.",
    ),
    "EM405": Entry(
        "no memory for the tape", "The operating system refused memory for values saved for the reverse sweep."
    ),
    "EM407": Entry(
        "a pointer from before the gradient",
        "A static or global pointer, or one inside memory that was there before, leads to memory whose derivative nobody keeps: "
        "only what is allocated or given while the gradient is computed has a shadow, and heap blocks of the program that static "
        "pointers hold.",
        "Set the pointer in the call that is differentiated, or give the memory as a parameter.",
    ),
    "EM406": Entry(
        "the C stack is too small",
        "A recursion is too deep, or local arrays are too large.",
        "Write a loop, or static arrays.",
    ),
    "EM408": Entry(
        "a signal",
        "The C code used memory that is not its own, divided an integer by zero, or came to where C leaves undefined what happens.",
        "Correct the function that is named. What the call wrote may be damaged: save what matters and restart the kernel.",
    ),
}

_VIEWS = {
    "EM500": Entry("no such view", "A picture of that name does not exist; the message lists those that do."),
    "EM501": Entry("pictures are not available", "There is no theme of that name, or no picture room was loaded."),
    "EM502": Entry("no such stage", "The report has no IR stage of that name."),
    "EM503": Entry(
        "no such format", "The ending of a file name says what is written into it; the message lists the endings."
    ),
    "EM504": Entry("file cannot be written", "The folder or the file refuses it; the message names the cause."),
    "EM505": Entry(
        "no saved report", "The file cannot be read, is no report saved as .json, or another version wrote it."
    ),
    "EM506": Entry(
        "not available as C",
        "The gradient cannot be written as C text of which it is certain that it means the same; the message says why.",
    ),
    "EM510": Entry(
        "the picture cannot be drawn",
        "Neither the engine in the pygraphviz wheel nor a dot program could be started. The text form says the same things.",
        "Install pygraphviz again, or Graphviz with dot on PATH.",
    ),
    "EM511": Entry(
        "drawing took too long", "Laying the picture out was stopped after a few seconds. The text form has all of it."
    ),
    "EM512": Entry(
        "the engine failed",
        "Graphviz reported an error.",
        "%enzyme_doctor draws a small picture to see whether it works at all.",
    ),
}

_FRAMEWORKS = {
    "EM600": Entry(
        "an optional package is missing",
        "The framework is an extra of this package, and it is not installed.",
        "Install the extra that the message names.",
    ),
    "EM601": Entry(
        "a transformation that a framework cannot hand on",
        "The framework would take the derivative of a C function for zero there, or has no rule for it.",
        "The message names what can be used in its place.",
    ),
    "EM602": Entry(
        "a tensor that C cannot read",
        "Its dtype, device or memory layout is not that of the C parameter. Nothing is converted without being asked.",
        "Convert it first; the message says to what.",
    ),
    "EM603": Entry(
        "no operation on arrays",
        "The C signature, or the layer that is asked for, does not fit: "
        "inputs and outputs are numbers and arrays of float or double.",
    ),
    "EM604": Entry(
        "a shape that is not known or does not fit",
        "The sizes and the shapes of the outputs must follow from the inputs, from the declarations in C or from out_shape.",
    ),
    "EM605": Entry(
        "a gradient for a constant",
        "A tensor that asks for a gradient was given for a parameter that has none in C.",
        "Detach it, or compile the C function without the mark.",
    ),
    "EM607": Entry(
        "a SavedModel with C code",
        "A TensorFlow model that calls a C function was saved with its graph, which can be called in this process only.",
        "Save the weights (model.save_weights, tf.train.Checkpoint), and build the model anew where it is loaded.",
    ),
    "EM608": Entry(
        "a derivative of a function that remembers",
        "A framework calls a function, and its derivative later. Where a call reads what an earlier one wrote to a global or static"
        " variable, the derivative would be taken at another point than the value.",
        "Pass what it remembers as an input and an output.",
    ),
    "EM609": Entry(
        "calls that a framework would move",
        "The function prints or writes variables, so its calls have an order; the message names what does not keep it.",
        "Call the function outside of it.",
    ),
    "EM606": Entry(
        "a graph with an operation that is not here",
        "A graph names the C functions it calls by a hash of what they compute (text, options, compiler, rules). No operation of"
        " this process has that name: none was made yet, or the C text is another one now.",
        "Make the operation before the graph is called (op(p.f), of the same C text and options), and keep it.",
    ),
}

_INTERNAL = {
    "EM900": Entry("a violated invariant", _REPORT),
    "EM910": Entry("IR that LLVM cannot parse", _REPORT),
    "EM911": Entry("IR that LLVM rejects", _REPORT),
    "EM912": Entry(
        "IR of another machine", "The IR was made for another processor or system than this one. " + _REPORT
    ),
    "EM913": Entry("no such LLVM pass", _REPORT),
    "EM914": Entry("a symbol is not where it should be", _REPORT),
    "EM915": Entry("a call carried a derivative where the analysis says that there is none", _REPORT),
    "EM920": Entry("a native parameter of unknown kind", _REPORT),
    "EM921": Entry("a native result of unknown type", _REPORT),
    "EM923": Entry("a formula with foreign parts", _REPORT),
    "EM922": Entry("a native function of the wrong kind", _REPORT),
}

_GROUPS = (_TOOLCHAIN, _COMPILATION, _DIFFERENTIATION, _ARGUMENTS, _EXECUTION, _VIEWS, _FRAMEWORKS, _INTERNAL)
CATALOG: Mapping[str, Entry] = MappingProxyType(
    {code: entry for group in _GROUPS for code, entry in sorted(group.items())}
)
