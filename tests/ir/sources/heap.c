#include <stdlib.h>
#include <string.h>
struct list { double v; struct list *next; };
struct list *push(struct list *l, double v) { struct list *n = malloc(sizeof *n); n->v = v; n->next = l; return n; }
double drain(struct list *l) { double s = 0; while (l) { struct list *n = l->next; s += l->v; free(l); l = n; } return s; }
double *grow(double *p, size_t n) { p = realloc(p, n * 2 * sizeof *p); if (!p) abort(); memset(p + n, 0, n * sizeof *p); return p; }
void shift(double *p, size_t n) { memmove(p + 1, p, n * sizeof *p); memcpy(p, p + 1, sizeof *p); }
double *zeros(size_t n) { double *p = calloc(n, sizeof *p); void *q; if (posix_memalign(&q, 64, n) == 0) free(q); return p; }
char *twice(const char *s) { char *r = malloc(2 * strlen(s) + 1); strcpy(r, s); strcat(r, s); return r; }
