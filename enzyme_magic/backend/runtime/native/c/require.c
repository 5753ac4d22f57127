/* A loaded pointer whose shadow nobody stored: it was kept from before the derivative began, and ends the call.
   Such a shadow is null, or near to null where the pointer was moved on before somebody needs it. A number below LOWEST in the place
   of a pointer (an integer of a union) leads to no memory. */
#include "derivative.h"

#define NEAR 0x400000ul
#define LOWEST 0x10000ul

void shadow_require(void *primal, void *shadow, const char *text, const char *file, int line) NAMED("shadow.require");
void shadow_require(void *primal, void *shadow, const char *text, const char *file, int line)
{
    if ((unsigned long)shadow + NEAR < 2*NEAR && (unsigned long)primal >= LOWEST) run_kept(text, file, line);
}
