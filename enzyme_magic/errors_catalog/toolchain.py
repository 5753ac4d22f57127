"""Error codes: finding clang and LLVM, and what both make."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import ErrorEntry

TOOLCHAIN: dict[str, ErrorEntry] = {
    "EM100": ErrorEntry(
        "the compiler does not work",
        "clang or LLVM is missing, of the wrong version, or refused to work.",
        "Run %enzyme_doctor: it looks for both and tries them.",
    ),
    "EM105": ErrorEntry(
        "LLVM is missing",
        "The Python package llvmlite, which brings LLVM, cannot be imported.",
        "Install it again, for the same Python as the kernel's.",
    ),
    "EM106": ErrorEntry(
        "LLVM of another version",
        "llvmlite brings an LLVM whose textual IR this package does not read, or clang failed in an unexpected way.",
        "Install the llvmlite that pyproject.toml names, and run %enzyme_doctor.",
    ),
    "EM125": ErrorEntry(
        "no machine code",
        "LLVM could not translate the optimized IR for this processor. The usual cause is inline assembly, or an intrinsic that "
        "this processor does not have.",
    ),
    "EM132": ErrorEntry(
        "compiled code does not load",
        "The object code is complete, but could not be placed into this process.",
        "Restart the kernel; if it happens again, please report it.",
    ),
    "EM133": ErrorEntry(
        "a shared library does not load",
        "A library named with -l was not found, or is for another machine.",
        "Name the folder it is in with -L, or give its path.",
    ),
    "EM134": ErrorEntry("parts do not fit together", "LLVM refused to join the modules of one program."),
    "EM151": ErrorEntry(
        "isolated code is wanted in the kernel",
        "The program was compiled with isolate: its code and variables are in a worker process. Addresses, em.vmap over arrays, "
        "pickles of a program that has run, and views that follow a call need it in the kernel.",
        "Compile the same text without isolate.",
    ),
    "EM152": ErrorEntry(
        "no shared memory",
        "Isolated programs share memory with their worker process, at the same addresses. That needs Linux and address space.",
        "Compile without isolate.",
    ),
    "EM153": ErrorEntry(
        "the worker process does not start",
        "Isolated programs run in a Python process of their own, which could not be started or did not answer.",
    ),
    "EM135": ErrorEntry(
        "no limits of time here",
        "Calls of C code are ended by signals, on Linux on x86-64 and AArch64, for up to 4,096 threads at once.",
        "Leave em.time_limit out.",
    ),
    "EM101": ErrorEntry(
        "no C compiler",
        "clang comes with the Python package ziglang; ENZYME_MAGIC_CLANG names another one. It is not there, or cannot be started.",
        "Install ziglang, or correct ENZYME_MAGIC_CLANG.",
    ),
    "EM102": ErrorEntry(
        "a clang that does not fit",
        "The program is no clang, or a newer one than the LLVM that has to read what it writes.",
        "Unset ENZYME_MAGIC_CLANG to use the bundled one.",
    ),
    "EM103": ErrorEntry(
        "an unsupported machine",
        "Supported are Linux on x86-64 and AArch64, with glibc.",
        "A container or a virtual machine with Linux will do.",
    ),
    "EM104": ErrorEntry(
        "clang broke down",
        "clang crashed or ran out of memory; it did not reject the text.",
        "Make the cell smaller, or leave out the part that was added last.",
    ),
    "EM109": ErrorEntry(
        "a pickle of another version, or a damaged one",
        "Pickled functions carry the compiler's intermediate form, which may change between versions of this package, and a"
        " digest of it: with a byte changed it would be another function.",
    ),
    "EM107": ErrorEntry(
        "data that cannot leave its process",
        "A pickle carries the numbers in a program's global and static variables. Addresses (memory from malloc, open files) mean"
        " nothing in another process, and a function that reads such a variable would find something else there than here.",
        "Keep the numbers in an array of fixed size, or let the function fill the variable itself when it is called first.",
    ),
    "EM108": ErrorEntry(
        "a pickle from another architecture",
        "A pickled function carries source and options and is compiled where it is loaded; types can have other sizes there.",
        "Compile the source on this machine.",
    ),
}
