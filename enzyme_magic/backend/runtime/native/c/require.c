/* A loaded pointer whose shadow nobody stored: it was kept from before the derivative began, and ends the call.
   Such a shadow is null, or near to null where the pointer was moved on before somebody needs it. A number below LOWEST in the place
   of a pointer (an integer of a union) leads to no memory. Pointers are compared as such: this is differentiated, too. */
#include "derivative.h"

#define NEAR 0x400000l
#define LOWEST 0x10000l
#define AT(place) ((void *)(place))

void shadow_require(void *primal, void *shadow, const char *text, const char *file, int line) NAMED("shadow.require");
void shadow_require(void *primal, void *shadow, const char *text, const char *file, int line)
{
    if ((shadow < AT(NEAR) || shadow >= AT(-NEAR)) && primal >= AT(LOWEST)) run_kept(text, file, line);
}
