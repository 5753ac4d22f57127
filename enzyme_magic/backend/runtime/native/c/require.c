/* A loaded pointer whose shadow nobody stored: it was kept from before the derivative began, and ends the call. */
#include "derivative.h"

void shadow_require(void *primal, void *shadow, const char *text, const char *file, int line) NAMED("shadow.require");
void shadow_require(void *primal, void *shadow, const char *text, const char *file, int line)
{
    if (!shadow && primal) run_kept(text, file, line);
}
