/* Shadows of blocks that were there before the derivative began (autodiff/memory/kept_blocks.py): a list, its head in `list`. */
#include "derivative.h"

struct kept { void *start; word size, serial; char *shadow; struct kept *next; };

/* The block around an address; the serial is 0 where there is none. */
struct block { void *start; word size, serial; };
void block_find(void *address, struct block *found) __asm__("em.run.block_find");

void *shadow_allocate(void *primal, word bytes) NAMED("shadow.allocate");
void shadow_free(void *primal, void *shadow) NAMED("shadow.free");
void heap_release(void *primal, void *shadow) NAMED("heap.release");

void *kept_shadow(struct kept **list, void *pointer) NAMED("kept.shadow");
void *kept_shadow(struct kept **list, void *pointer)
{
    if (!pointer) return 0;
    struct kept **place = list;
    for (; *place; place = &(*place)->next) {
        word distance = (word)pointer - (word)(*place)->start;
        if (distance < (*place)->size) return (*place)->shadow + distance;
    }
    struct block block;
    block_find(pointer, &block);
    if (!block.serial) return 0;
    struct kept *new = malloc(sizeof *new);
    new->start = block.start;
    new->size = block.size;
    new->serial = block.serial;
    new->shadow = shadow_allocate(block.start, block.size);
    new->next = 0;
    *place = new;
    return new->shadow + ((word)pointer - (word)block.start);
}

/* The end of a derivative in reverse mode. */
void kept_end(struct kept **list) NAMED("kept.end");
void kept_end(struct kept **list)
{
    for (struct kept *node = *list, *next; node; node = next) {
        next = node->next;
        heap_release(node->start, node->shadow);
        free(node);
    }
}

/* Of one lane among several: what the program freed is not its own. */
void kept_end_lane(struct kept **list) NAMED("kept.end.lane");
void kept_end_lane(struct kept **list)
{
    for (struct kept *node = *list, *next; node; node = next) {
        next = node->next;
        shadow_free(node->start, node->shadow);
        free(node);
    }
}

/* In forward mode a block that was released meanwhile has taken its shadow along. */
void kept_end_forward(struct kept **list) NAMED("kept.end.forward");
void kept_end_forward(struct kept **list)
{
    struct block block;
    for (struct kept *node = *list, *next; node; node = next) {
        next = node->next;
        block_find(node->start, &block);
        if (block.serial == node->serial) shadow_free(node->start, node->shadow);
        free(node);
    }
}
