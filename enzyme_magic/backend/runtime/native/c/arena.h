/* The arena of a thread, or of a tape that C code holds. runtime/arena.py reads the numbers from outside. */
struct chunk { struct chunk *previous; word capacity, before; char *current, *end; word rest[3]; };
struct arena {
    char *current, *end, *start; /* of the last chunk; `end` is cut short where the limit is nearer */
    struct chunk *chunk, *spare;
    word limit, before; /* bytes that may be in use; that are, in earlier chunks */
    word peak, total, chunks; /* brought up to date on release */
    word stack_limit, stack_size, unused;
    void *signal_stack;
    word tape_word; /* which request a tape belongs to */
    void *tape_frame; /* where its derivative starts from */
    void *slot;
    void *tape_kinds; /* what the bytes of shadow memory hold between the two sweeps (kinds.c) */
    word rest[6];
};
