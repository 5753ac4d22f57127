/* Shadows of blocks that were there before the derivative began (autodiff/memory/kept_blocks.py): one for each lane. */
#include "derivative.h"
#include "kept.h"

#define FEWEST 64ul

/* The block around an address; the serial is 0 where there is none. */
struct block { char *start; word size, serial; };
void block_find(void *address, struct block *found) __asm__("em.run.block_find");
word block_latest(void) __asm__("em.run.block_latest");

void *calloc(word, word);
void *shadow_allocate(void *primal, word bytes) NAMED("shadow.allocate");
void shadow_free(void *primal, void *shadow) NAMED("shadow.free");
void heap_release(void *primal, void *shadow) NAMED("heap.release");

void kept_begin(struct memory *memory) NAMED("kept.begin");
void kept_begin(struct memory *memory) { memory->serial = block_latest(); }

INLINE struct kept **slot_of(struct memory *memory, char *start)
{
    return memory->slots + ((word)start/16*0x9e3779b97f4a7c15ul >> 20 & memory->mask);
}

INLINE struct kept *found_in(struct memory *memory, struct block *block, word lane)
{
    if (!memory->slots) return 0;
    struct kept *node = *slot_of(memory, block->start);
    while (node && (node->start != block->start || node->serial != block->serial || node->lane != lane)) node = node->beside;
    return node;
}

INLINE void put(struct memory *memory, struct kept *node)
{
    struct kept **slot = slot_of(memory, node->start);
    node->beside = *slot;
    *slot = node;
}

INLINE void grow(struct memory *memory)
{
    word wanted = memory->slots ? 2*(memory->mask + 1) : FEWEST;
    free(memory->slots);
    memory->slots = calloc(wanted, sizeof *memory->slots);
    memory->mask = wanted - 1;
    for (struct kept *node = memory->first; node; node = node->next)
        if (node->serial) put(memory, node);
}

INLINE struct kept *added(struct memory *memory, struct block *block, word lane)
{
    if (!memory->slots || memory->count > memory->mask) grow(memory);
    struct kept *new = malloc(sizeof *new);
    *new = (struct kept){block->start, block->size, block->serial, lane, shadow_allocate(block->start, block->size), memory->first, 0};
    memory->first = new;
    memory->count++;
    put(memory, new);
    return new;
}

/* The shadow of a pointer into a block that was there before; null of any other. */
void *kept_shadow(struct memory *memory, char *pointer, word lane) NAMED("kept.shadow");
void *kept_shadow(struct memory *memory, char *pointer, word lane)
{
    if (!pointer) return 0;
    struct block block;
    block_find(pointer, &block);
    if (!block.serial || block.serial > memory->serial) return 0;
    struct kept *node = found_in(memory, &block, lane);
    if (!node) node = added(memory, &block, lane);
    return node->shadow + (pointer - block.start);
}

INLINE word lane_of_block(struct memory *memory, char *place, char *shadow)
{
    struct block block;
    block_find(place, &block);
    for (word lane = 0; block.serial && lane < memory->lanes; lane++) {
        struct kept *node = found_in(memory, &block, lane);
        if (node && node->shadow + (place - block.start) == shadow) return lane;
    }
    return NONE;
}

/* A pointer was loaded from `place`; where its shadow belongs lies nothing: the program stored it before the derivative began. It is
   as if it had been there from the start. Gives back how many bytes were filled. */
word kept_follow(struct memory *memory, char *place, void **shadow, char *pointer) NAMED("kept.follow");
word kept_follow(struct memory *memory, char *place, void **shadow, char *pointer)
{
    if (!lacks(*shadow, pointer)) return 0;
    word lane = lane_of_variable(memory, place, (char *)shadow);
    if (lane == NONE) lane = lane_of_block(memory, place, (char *)shadow);
    if (lane == NONE) return 0;
    void *found = kept_shadow(memory, pointer, lane);
    if (!found) found = shadow_of_variable(memory, lane, pointer);
    if (!found) return 0;
    *shadow = found;
    return sizeof found;
}

/* The end of a derivative in reverse mode: what the program freed goes once. */
void kept_end(struct memory *memory) NAMED("kept.end");
void kept_end(struct memory *memory)
{
    for (struct kept *node = memory->first, *next; node; node = next) {
        next = node->next;
        if (node->serial && node->lane) shadow_free(node->start, node->shadow);
        else if (node->serial) heap_release(node->start, node->shadow);
        free(node);
    }
    free(memory->slots);
}

/* In forward mode a block that was released meanwhile has taken its shadow along. */
void kept_end_forward(struct memory *memory) NAMED("kept.end.forward");
void kept_end_forward(struct memory *memory)
{
    struct block block;
    for (struct kept *node = memory->first, *next; node; node = next) {
        next = node->next;
        block_find(node->start, &block);
        if (node->serial && block.serial == node->serial) shadow_free(node->start, node->shadow);
        free(node);
    }
    free(memory->slots);
}
