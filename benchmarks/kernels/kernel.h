/* Every kernel K has K(...), the function, in the part of C that is C++ too; K_by_hand(..., one shadow pointer for each active
   parameter), which adds the gradient to the shadows; and, where the plugin is used, K_enzyme with the parameters of K_by_hand.
   Arrays that K only works in have no shadow there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define restrict __restrict__
#else
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
#endif

#ifdef ENZYME
extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
#endif
