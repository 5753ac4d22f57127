/* Every kernel K has K(...), the function; K_by_hand(..., one shadow pointer for each active parameter), which adds the gradient to
   the shadows; and, where the plugin is used, K_enzyme with the parameters of K_by_hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* memory of a gradient by hand, kept between calls as a tape is: fresh pages would cost more than the arithmetic */
static inline void *kept(size_t bytes)
{
    static void *memory;
    static size_t room;
    if (bytes > room) {
        free(memory);
        memory = malloc(bytes);
        room = bytes;
    }
    return memory;
}

#ifdef ENZYME
extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
#endif
