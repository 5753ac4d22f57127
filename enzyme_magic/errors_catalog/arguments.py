"""Error codes: what a call or an option was given."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import ErrorEntry

ARGUMENTS: dict[str, ErrorEntry] = {
    "EM300": ErrorEntry(
        "an argument does not fit", "A call whose arguments do not fit the C signature; print(f) shows it."
    ),
    "EM301": ErrorEntry(
        "the wrong arguments",
        "Too few, too many, given twice, or a name that the C function does not have. Arguments are given in the order of C, by "
        "name, or both; sizes that follow from arrays may be left out.",
    ),
    "EM302": ErrorEntry(
        "a number that the C type cannot hold exactly",
        "Numbers are converted only where nothing is lost: 2 for a double, but not 2.5 for an int, nor 300 for a char.",
        "Convert it yourself: int(x), round(x), np.float32(x).",
    ),
    "EM303": ErrorEntry(
        "an array for a scalar",
        "The C parameter is one number.",
        "f.map(...) applies a scalar function to every element, f.grad.map(...) its gradient.",
    ),
    "EM304": ErrorEntry(
        "not an array",
        "A pointer parameter takes an object that shares its memory: a NumPy array, or anything with the array interface or "
        "DLPack, on the CPU. Lists would have to be copied, and what C writes would be lost.",
        "np.asarray(x, dtype=...) once, outside the call.",
    ),
    "EM305": ErrorEntry(
        "an array of another dtype",
        "double * takes float64 and nothing else: a hidden conversion would copy, and lose what C writes.",
        "x.astype(np.float64), or create it so.",
    ),
    "EM306": ErrorEntry(
        "an array with gaps or in another order",
        "C reads element after element, row after row. Slices with a step, transposed and Fortran-ordered arrays lie otherwise.",
        "np.ascontiguousarray(x)",
    ),
    "EM307": ErrorEntry(
        "an unaligned array",
        "Its first element lies at an address that the C type may not have, as in views of packed records.",
        "x.copy()",
    ),
    "EM308": ErrorEntry(
        "a read-only array that C writes to",
        "The function may write through this pointer. Read-only arrays are fine where it only reads.",
        "x.copy(); or const in the C signature, if it never writes.",
    ),
    "EM309": ErrorEntry(
        "an array too short",
        "The declarator (double x[n]) or --shape says how many elements the function needs. Nothing was called.",
        "Pass a longer array or a smaller size.",
    ),
    "EM310": ErrorEntry("no such optimization level", "opt and post_opt are 0, 1, 2 or 3."),
    "EM311": ErrorEntry(
        "arrays disagree about a size",
        "The size was left out to be taken from the arrays, and two arrays give different ones.",
        "Pass the size.",
    ),
    "EM312": ErrorEntry(
        "arrays that share memory",
        "Two arguments overlap and the function writes to one of them: a derivative would mix them up. Where both are only read, "
        "sharing is fine.",
        "x.copy()",
    ),
    "EM313": ErrorEntry(
        "a C type without a Python form",
        "Function pointers, pointers to pointers and variable argument lists cannot be passed from Python.",
        "Write a driver in C that takes numbers and plain pointers.",
    ),
    "EM314": ErrorEntry(
        "an array of another rank",
        "The declarator has other dimensions than the array; a flat array fits every declarator.",
    ),
    "EM315": ErrorEntry(
        "wrt names no parameter",
        "wrt takes names or numbers of C parameters, counted from 0 over all of them.",
    ),
    "EM316": ErrorEntry(
        "no gradient with respect to this parameter",
        "Integers, parameters declared const with --activity, and memory that is only written have no gradient.",
    ),
    "EM317": ErrorEntry(
        "out= does not fit",
        "The array for the result must be writable, contiguous, and of the argument's shape and dtype.",
    ),
    "EM318": ErrorEntry(
        "map of a function that is not scalar",
        "map applies functions from plain numbers to a number, element by element.",
    ),
    "EM319": ErrorEntry("shapes that do not broadcast", "The arrays given to map follow NumPy's broadcasting rules."),
    "EM324": ErrorEntry(
        "weights of another structure",
        "A pullback takes what vjp gave as value: bare for one output, otherwise one entry per output, None for zero.",
    ),
    "EM325": ErrorEntry(
        "a derivative that does not fit",
        "Tangents and cotangents have the shape of what they belong to, and numbers that its C type holds.",
    ),
    "EM326": ErrorEntry(
        "tangents and primals differ",
        "Tangents have one entry per primal, in the same order, or are given by C names. Only parameters in wrt have one.",
    ),
    "EM327": ErrorEntry(
        "no such output", "outputs= takes the names of what a function gives back: result, and the buffers it writes."
    ),
    "EM328": ErrorEntry(
        "this mode cannot give the Jacobian",
        "Forward mode goes through the input's numbers one by one, reverse mode through the output's; structs and complex numbers "
        "are not taken apart for that.",
    ),
    "EM329": ErrorEntry(
        "NULL where memory is used",
        "None is NULL in C. With these arguments the function is certain to read or write behind the pointer.",
    ),
    "EM330": ErrorEntry(
        "--at cannot be evaluated",
        "The words behind --at are evaluated in Python, among your variables, as the arguments of a call.",
        'Quote them: --at "x=np.arange(4.), n=4"',
    ),
    "EM331": ErrorEntry(
        "--check without arguments",
        "The check calls the function, so it needs to know with what.",
        "Add --at, for instance --at 2.0",
    ),
    "EM320": ErrorEntry(
        "no such function in the program",
        "Static, merely declared or misspelled functions cannot be had; the message lists those that can.",
    ),
    "EM321": ErrorEntry(
        "nothing there to explain", "The optimized function has no instruction of this line, or no value of this name."
    ),
    "EM332": ErrorEntry(
        "command line does not fit", "The file that is read, or the options beside it, do not go together; see --help."
    ),
    "EM333": ErrorEntry(
        "a rule that cannot be used",
        "custom takes what em.custom_vjp, em.custom_jvp and em.inactive make. A handler is the name of a C function, C text that "
        "defines one, or a Python function of numbers.",
    ),
    "EM334": ErrorEntry(
        "a text that is no report",
        "Report.from_json reads what report.to_json() gave, of this version of enzyme_magic or an earlier one.",
        "Make the report again: f.report.to_json()",
    ),
    "EM335": ErrorEntry(
        "nothing that can be assumed",
        "assume= takes parameters by their C names: restrict for a pointer, const for an active one, a number for a whole one. "
        "try_fix takes a hint of the report, and needs a declarator in the C text where it can be written.",
        'f.cache(assume={"out": "restrict"})',
    ),
    "EM336": ErrorEntry(
        "a cache plan that cannot be",
        "A value is computed again only where that gives the same bits, and stored only where the reverse sweep needs it.",
        'f.cache() says of each value why it is stored; em.grad(f, caching="recompute-all") computes again what can be',
    ),
    "EM337": ErrorEntry(
        "no cache plan of that name",
        "caching= takes minimum-cut, store-all, recompute-all, checkpoint, or decisions for single values.",
        'em.grad(f, caching={"%0": "recompute"})',
    ),
    "EM343": ErrorEntry(
        "nothing that C text can use",
        "uses= and --uses take C functions that were compiled before. Their text is compiled again, with the one that calls them, "
        "so both need the same macros, folders of headers, words for clang and rules.",
        "Give the same options to both, or write both functions in one cell",
    ),
    "EM345": ErrorEntry(
        "no such cpu, or one that this machine is not",
        "cpu= takes x86-64, x86-64-v2, x86-64-v3 or x86-64-v4; code for a processor that can do more would end the process.",
        "Leave cpu out: code is then made for this machine.",
    ),
    "EM338": ErrorEntry(
        "masked elements",
        "A NumPy masked array says which of its elements do not count. C, and a derivative, would count them all.",
        "x.filled(0.0), x.compressed(), or a mask as an array parameter of its own.",
    ),
    "EM353": ErrorEntry(
        "Python in an isolated program",
        "Rules written in Python are called by C code in the kernel; an isolated one runs in a process that has no such functions.",
        "Write the rule in C, or compile without isolate.",
    ),
    "EM354": ErrorEntry(
        "an array that cannot be shared",
        "em.shared_empty takes a shape and a dtype of numbers, as np.empty does.",
        "em.shared_empty((3, 4), np.float64)",
    ),
    "EM352": ErrorEntry(
        "a limit that is no time",
        "A limit of time is a positive, finite number of seconds.",
        "with em.time_limit(2.0): ...",
    ),
    "EM346": ErrorEntry(
        "no such exercise",
        "em.workshop knows the exercises of the notebooks by their numbers.",
        'em.workshop.check("01.1", 27)',
    ),
    "EM347": ErrorEntry(
        "no folder of answers",
        "em.workshop.gather reads the files that em.workshop.export wrote, from one folder.",
        "Put the files into one folder and give its path.",
    ),
    "EM348": ErrorEntry(
        "a package that a notebook needs",
        "Some notebooks for afterwards use PyTorch or others; the 90 minutes need nothing more.",
    ),
    "EM322": ErrorEntry(
        "an option that does not exist, or of the wrong form",
        "The options of compile_c and of the transformations are checked.",
    ),
    "EM341": ErrorEntry(
        "no such method or property of a C function",
        "The nearest name is in the message; Tab behind the dot, and dir(f), list all of them.",
    ),
    "EM323": ErrorEntry(
        "no such mode or stage", "Modes are reverse and forward; stages input, optimized, gradient, gradient-optimized."
    ),
    "EM339": ErrorEntry(
        "axes that do not fit",
        "em.vmap maps an axis of at least one argument, and mapped axes have one size. in_axes has a number or None for each "
        "positional argument, out_axes a number for each entry of what the function gives.",
        "in_axes=(0, None), or in_axes={'x': 0}",
    ),
    "EM340": ErrorEntry(
        "no loop over a batch for this function",
        "em.vmap makes native loops around functions of real numbers and pointers. Structs and complex numbers by value are passed "
        "in another way.",
        "Write a C function that takes pointers to them.",
    ),
}
