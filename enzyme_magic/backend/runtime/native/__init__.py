"""Native code of the runtime, as LLVM text: leaving C code early, signals, the arena, loops over points."""
