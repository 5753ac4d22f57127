/* Memory that was there before a derivative began, with its shadows (autodiff/memory/kept_blocks.py): static variables (their serial
   is 0) and blocks of the heap, for each of several lanes. */
struct kept { char *start; word size, serial, lane; char *shadow; struct kept *next, *beside; };

/* All of one derivative. lanes: how many have shadows of static variables; serial: of the last block before it began; slots: a table
   of the blocks by where they begin. */
struct memory { struct kept *first, **slots; word mask, count, lanes, serial; };

#define NEAR 0x400000l /* shadows that are null, or moved on from there (require.c) */
#define LOWEST 0x10000l
#define AT(place) ((void *)(place))
#define NONE (~0ul)
#define INLINE static inline __attribute__((always_inline))

INLINE word lacks(void *shadow, void *primal)
{
    return (shadow < AT(NEAR) || shadow >= AT(-NEAR)) && primal >= AT(LOWEST);
}

/* The lane of a variable in which a pointer lies, by where its shadow lies; with one lane, all memory is of that. */
INLINE word lane_of_variable(struct memory *memory, char *place, char *shadow)
{
    if (memory->lanes < 2) return memory->lanes ? 0 : NONE;
    for (struct kept *node = memory->first; node; node = node->next) {
        word distance = place - node->start;
        if (!node->serial && distance < node->size && node->shadow + distance == shadow) return node->lane;
    }
    return NONE;
}

/* Where in the shadow of a static variable a pointer leads; null where it leads into none that has one. */
INLINE char *shadow_of_variable(struct memory *memory, word lane, char *pointer)
{
    for (struct kept *node = memory->first; node; node = node->next) {
        word distance = pointer - node->start;
        if (!node->serial && node->lane == lane && distance < node->size) return node->shadow + distance;
    }
    return 0;
}
