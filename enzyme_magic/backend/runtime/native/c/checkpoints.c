/* Checkpoints: when they are taken, and from which of them iterations run again.

   The iterations come in pieces. While they run for the first time, their number may be unknown: a checkpoint is taken every
   `spacing` pieces, and where there is no slot left, every second one is given up and the spacing doubles. So between half of the
   slots and all of them hold checkpoints, evenly spaced, whatever the number turns out to be. In the reverse sweep each stretch
   between two checkpoints is reversed with the slots that are free by then, by the binomial schedule, which runs pieces again as
   seldom as can be (Griewank and Walther, Algorithm 799: revolve, 2000).

   After the reverse sweep memory holds what it held before it. The checkpoints lie in the arena of the thread, whose outermost
   function gives them back. */
#include "derivative.h"

typedef unsigned char byte;
enum { MOST_SLOTS = 1 << 14, LEAST_SLOTS = 4, BLOCKS = 15 };

void *arena(void) __asm__("em.run.arena_current");
void *allocate(void *, word) NAMED("allocate");

struct region { byte *at; long bytes; };
/* order: all slots; the first `used` hold checkpoints, of piece 0, spacing, 2*spacing, ... Slot k lies in block log2(k + 1). */
struct record { long used, slots, spacing, pieces, bytes; byte *blocks[BLOCKS + 1]; int order[]; };
struct loop {
    struct record *record;
    const struct region *regions;
    long count;
    int (*advance)(void *);
    void (*reverse)(void *);
    void *context;
};

static byte *place(struct record *record, long slot) {
    long block = 0;
    while ((slot + 1) >> (block + 1)) block++;
    if (!record->blocks[block]) {
        long rest = record->slots + 1 - (1L << block), room = 1L << block;
        record->blocks[block] = allocate(arena(), (word)record->bytes * (rest < room ? rest : room));
    }
    return record->blocks[block] + (slot + 1 - (1L << block)) * record->bytes;
}

static void save(const struct loop *loop, byte *to) {
    for (long k = 0; k < loop->count; to += loop->regions[k].bytes, k++)
        __builtin_memcpy(to, loop->regions[k].at, loop->regions[k].bytes);
}

static void restore(const struct loop *loop, const byte *from) {
    for (long k = 0; k < loop->count; from += loop->regions[k].bytes, k++)
        __builtin_memcpy(loop->regions[k].at, from, loop->regions[k].bytes);
}

static long bytes_of(const struct region *regions, long count) {
    long bytes = 0;
    for (long k = 0; k < count; k++) bytes += regions[k].bytes;
    return bytes ? bytes : 1;
}

typedef const struct region *regions_t;
typedef int (*advance_t)(void *);
typedef void (*back_t)(void *);
void *forward(void *context, advance_t advance, regions_t regions, long count, long most) NAMED("checkpoint.forward");
void *forward(void *context, advance_t advance, regions_t regions, long count, long most) {
    long bytes = bytes_of(regions, count), slots = most / bytes & ~1L;
    slots = slots < LEAST_SLOTS ? LEAST_SLOTS : slots > MOST_SLOTS ? MOST_SLOTS : slots;
    struct record *record = allocate(arena(), sizeof(struct record) + slots * sizeof(int));
    *record = (struct record){ .slots = slots, .spacing = 1, .bytes = bytes };
    for (long k = 0; k < slots; k++) record->order[k] = k;
    struct loop loop = { record, regions, count, advance, 0, context };
    for (;;) {
        if (record->pieces % record->spacing == 0) {
            if (record->used == slots) {
                record->used = slots / 2;
                record->spacing *= 2;
                for (long k = 1; k < record->used; k++) {
                    int kept = record->order[2 * k];
                    record->order[2 * k] = record->order[k];
                    record->order[k] = kept;
                }
            }
            save(&loop, place(record, record->order[record->used++]));
        }
        record->pieces++;
        if (advance(context)) return record;
    }
}

/* How many of `length` pieces come before the next checkpoint, if `free` more can be taken. */
static long split(long length, long free) {
    double s = free + 1, r = 1, reach = s + 1;
    while (reach < length) { r++; reach *= (s + r) / r; }
    double before = reach * r / (s + r), after = before * s / (s + r - 1);
    double at = before < length - after ? before : length - after;
    return at < 1 ? 1 : at > length - 1 ? length - 1 : (long)at;
}

/* Pieces `length` - 1 to 0 behind the checkpoint in `slot`; the slots from order[free] on are free. */
static void sweep(const struct loop *loop, int slot, long length, long free) {
    struct record *record = loop->record;
    while (length > 1 && free < record->slots) {
        long at = split(length, record->slots - free);
        restore(loop, place(record, slot));
        for (long k = 0; k < at; k++) loop->advance(loop->context);
        int next = record->order[free];
        save(loop, place(record, next));
        sweep(loop, next, length - at, free + 1);
        length = at;
    }
    for (; length; length--) {
        restore(loop, place(record, slot));
        for (long k = 1; k < length; k++) loop->advance(loop->context);
        loop->reverse(loop->context);
    }
}

void reverse(void *tape, void *context, advance_t advance, back_t back, regions_t regions, long count)
    NAMED("checkpoint.reverse");
void reverse(void *tape, void *context, advance_t advance, back_t back, regions_t regions, long count) {
    struct record *record = tape;
    struct loop loop = { record, regions, count, advance, back, context };
    byte *after = allocate(arena(), record->bytes);
    save(&loop, after);
    for (long end = record->pieces; record->used; record->used--) {
        long begin = (record->used - 1) * record->spacing;
        sweep(&loop, record->order[record->used - 1], end - begin, record->used);
        end = begin;
    }
    restore(&loop, after);
}
