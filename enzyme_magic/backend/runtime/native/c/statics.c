/* Where in the shadow of a static variable a pointer into it leads (autodiff/memory/static_targets.py): null where it leads into none
   of the rows, and where one row ends and another begins. */
#include "derivative.h"

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
