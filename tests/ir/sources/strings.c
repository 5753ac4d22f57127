#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int words(const char *s) { int n = 0, in = 0; for (; *s; s++) { if (isspace((unsigned char)*s)) in = 0; else if (!in) { in = 1; n++; } } return n; }
double parse(const char *s) { char *e; double x = strtod(s, &e); return strcmp(e, "km") == 0 ? 1000 * x : x; }
void reverse(char *s) { for (char *e = s + strlen(s) - 1; s < e; s++, e--) { char c = *s; *s = *e; *e = c; } }
static int compare(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }
void sort(double *a, size_t n) { qsort(a, n, sizeof *a, compare); fprintf(stderr, "sorted %zu\n", n); puts("done"); }
const wchar_t *wide(void) { return L"wide \x3b1"; }
