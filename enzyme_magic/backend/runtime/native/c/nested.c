/* Derivatives of derivatives: what frees two blocks and has shadows of both. A program with these in it is differentiated again with
   their bodies (passes/nesting.py). */
#include "derivative.h"
#include "blocks.h"

void shadow_free(void *primal, void *shadow) NAMED("shadow.free");
void heap_freed(void *primal, void *shadow) NAMED("heap.freed");

static inline __attribute__((always_inline)) word was_freed(void *shadow) { return ((struct header *)shadow - 1)->freed; }

/* Forward over reverse: `primal` and `shadow` are about to be released, and have shadows of their own. */
void release_shadows(void *primal, void *shadow, void *primal_shadow, void *shadow_shadow) NAMED("heap.release.shadows");
void release_shadows(void *primal, void *shadow, void *primal_shadow, void *shadow_shadow)
{
    if (!primal) return;
    if (was_freed(shadow)) shadow_free(primal, primal_shadow);
    shadow_free(shadow, shadow_shadow);
}

/* Reverse over reverse: `primal` and `shadow` would be released here, and are later, where their allocations are reversed. */
void released(void *primal, void *shadow, void *primal_shadow, void *shadow_shadow) NAMED("heap.released");
void released(void *primal, void *shadow, void *primal_shadow, void *shadow_shadow)
{
    if (!primal) return;
    if (was_freed(shadow)) heap_freed(primal, primal_shadow);
    heap_freed(shadow, shadow_shadow);
}

/* The same as heap_release where the primal is itself a shadow. */
void release_shadow(void *shadow, void *shadow_shadow) NAMED("heap.release.shadow");
void release_shadow(void *shadow, void *shadow_shadow)
{
    if (!shadow) return;
    if (was_freed(shadow_shadow)) shadow_free(shadow, shadow);
    shadow_free(shadow, shadow_shadow);
}
