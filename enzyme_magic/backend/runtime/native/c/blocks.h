/* Shadow blocks of the heap (heap.c): what lies before a shadow, HEADER bytes, so that the block behind it keeps its alignment. */
struct header { word freed, size, mark, rest[HEADER / 8 - 3]; };

/* What the header of a block's shadow is known by: a number that memory without a header does not hold by chance. */
#define MARK_OF(primal) ((word)(primal) ^ 0x9e3779b97f4a7c15ul)
