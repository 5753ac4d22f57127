/* Where in the shadow of a static variable a pointer into it leads (autodiff/memory/static_targets.py): null where it leads into none
   of the rows, and where one row ends and another begins. */
#include "derivative.h"
#include "kept.h"

struct row { char *start; word size; char *shadow; };

void *kept_static(char *pointer, struct row *table, word count) NAMED("kept.static");
void *kept_static(char *pointer, struct row *table, word count)
{
    char *found = 0;
    word hits = 0;
    for (word k = 0; k != count; k++) {
        struct row *row = table + k;
        word distance = (word)pointer - (word)row->start;
        if (distance <= row->size) {
            found = row->shadow ? row->shadow + distance : 0;
            hits++;
        }
    }
    return hits == 1 ? found : 0;
}

/* The shadow of a static variable, for one lane. */
void kept_variable(struct memory *memory, char *start, word size, char *shadow, word lane) NAMED("kept.variable");
void kept_variable(struct memory *memory, char *start, word size, char *shadow, word lane)
{
    struct kept *new = malloc(sizeof *new);
    *new = (struct kept){start, size, 0, lane, shadow, memory->first, 0};
    memory->first = new;
    if (memory->lanes <= lane) memory->lanes = lane + 1;
}

/* Like em.kept.follow (kept.c), for programs that keep no blocks of the heap. */
word kept_follow_static(struct memory *memory, char *place, void **shadow, char *pointer) NAMED("kept.follow.static");
word kept_follow_static(struct memory *memory, char *place, void **shadow, char *pointer)
{
    if (!lacks(*shadow, pointer)) return 0;
    word lane = lane_of_variable(memory, place, (char *)shadow);
    void *found = lane == NONE ? 0 : shadow_of_variable(memory, lane, pointer);
    if (!found) return 0;
    *shadow = found;
    return sizeof found;
}

void kept_end_static(struct memory *memory) NAMED("kept.end.static");
void kept_end_static(struct memory *memory)
{
    for (struct kept *node = memory->first, *next; node; node = next) {
        next = node->next;
        free(node);
    }
}
