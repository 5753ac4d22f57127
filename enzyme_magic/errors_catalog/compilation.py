"""Error codes: C that does not compile, and programs that cannot be used."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import ErrorEntry

COMPILATION: dict[str, ErrorEntry] = {
    "EM110": ErrorEntry(
        "the C text does not compile",
        "clang's own message, at the line and column of the cell. Line 1 is the first line below %%enzyme_c. Nothing was compiled, "
        "and functions of earlier cells stay as they were.",
        "Mend the line under the caret; later messages are often consequences of the first.",
    ),
    "EM120": ErrorEntry(
        "not LLVM IR",
        "LLVM does not read the text given as IR; the message is LLVM's. IR of a much newer or older LLVM is a usual cause.",
    ),
    "EM123": ErrorEntry(
        "a reserved name or section",
        "LLVM, the object format or the loader keeps this name for itself; or assembly in a function leaves its section.",
    ),
    "EM121": ErrorEntry(
        "a thread-local variable of a library",
        "Variables of which every thread owns one work where the cell defines them (`static _Thread_local double x;`). One that "
        "only a library defines, and those of IR texts, cannot be reached by code compiled in memory.",
        "Define it in the cell, or pass its value as a parameter.",
    ),
    "EM122": ErrorEntry(
        "an alias beside a function with a rule",
        "A function whose derivative is known by rule must keep its identity through optimization; an alias for it would not.",
    ),
    "EM130": ErrorEntry(
        "an undefined function or variable",
        "The cell uses a name that neither it, nor a linked library, nor this process defines.",
        "Define it in the cell, or link the library that has it with -l.",
    ),
    "EM131": ErrorEntry(
        "a name defined twice",
        "Two sources of one program define the same name.",
        "Make one of them static, or rename it.",
    ),
    "EM150": ErrorEntry(
        "IR outside the modelled subset",
        "The optimized IR contains something this version does not model. The message names the instruction and its C line.",
        "Write that line differently, or try another -O level.",
    ),
    "EM111": ErrorEntry(
        "no code",
        "The cell, or the text, has nothing but white space and comments.",
        "Write a function below the magic line.",
    ),
    "EM112": ErrorEntry("not UTF-8", "C source is read as UTF-8.", "Save the file as UTF-8."),
    "EM113": ErrorEntry("a NUL character", "C text cannot contain it; it usually comes from a file that is not text."),
    "EM114": ErrorEntry(
        "too much source",
        "A limit keeps a slip (a table of numbers pasted into a cell) from stopping the kernel for minutes.",
        "Pass data as an array argument, or raise ENZYME_MAGIC_SOURCE_LIMIT (bytes).",
    ),
    "EM115": ErrorEntry(
        "a header is not found",
        "No folder that is searched has the file that #include names, or it is no ordinary file but a device or a pipe.",
        "Name its folder with -I (include=[...] in Python).",
    ),
    "EM116": ErrorEntry(
        "an Enzyme attribute that would be lost",
        "An attribute that declares a derivative is spelled in a way the compiler would drop, and the derivative with it.",
    ),
    "EM117": ErrorEntry(
        "a compiler option that cannot be used",
        "Options that change what clang writes, where it writes it, or for which machine are not accepted.",
        "Options such as -ffast-math, -std=c11, -Wall, -I and -D are.",
    ),
    "EM118": ErrorEntry("a source file cannot be read", "A path given as source does not exist or is not readable."),
    "EM126": ErrorEntry(
        "a registration that cannot be understood",
        "A global variable or an attribute of Enzyme's names something that is not there, or not of the kind expected.",
        "void *__enzyme_register_gradient_f[3] = {f, augmented, gradient};",
    ),
    "EM140": ErrorEntry(
        "no function to differentiate",
        "The first argument of __enzyme_autodiff and its kin is a function of this program, or one of several.",
        "Pass the function by its name.",
    ),
    "EM141": ErrorEntry(
        "an unknown marker, or one too many",
        "The words between the arguments of a request are Enzyme's (docs/enzyme_c.md); at most one stands before an argument.",
    ),
    "EM142": ErrorEntry(
        "too many arguments of a request",
        "Behind the function come its own arguments, and behind each `dup` argument its shadow.",
    ),
    "EM143": ErrorEntry(
        "too few arguments of a request",
        "Each parameter of the function needs its argument, and each `dup` argument its shadow. A pointer without marker is `dup`.",
    ),
    "EM144": ErrorEntry(
        "an argument of a request does not fit",
        "Its type, or its marker, is not one that the parameter of the function can take. C does not convert variable arguments.",
        "Write 1.0 for a double, cast an int to long where the parameter is long.",
    ),
    "EM145": ErrorEntry(
        "the result of a request does not fit its prototype",
        "The derivatives of the arguments passed by value come back in their order; the prototype must name a struct with these "
        "fields, the type of the first of them, or void.",
    ),
    "EM146": ErrorEntry(
        "a width that cannot be used", "enzyme_width takes a constant, and the function runs once for each lane."
    ),
    "EM147": ErrorEntry(
        "a tape that does not fit",
        "A tape is a pointer, made by __enzyme_augmentfwd and used by __enzyme_reverse with the same arguments.",
    ),
    "EM148": ErrorEntry(
        "a request that leads to itself",
        "Nested requests are answered innermost first; here is no innermost one.",
    ),
    "EM149": ErrorEntry("not supported in a request", "The message names what is missing and another way to write it."),
    "EM119": ErrorEntry(
        "nothing that can be compiled",
        "The language is not supported, or the source defines no function that can be called.",
    ),
}
