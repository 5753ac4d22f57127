/* Reads a formula into a tree and evaluates it: blocks of several sizes, unions of a number, a pointer and a function, tables of
   constants, memory that is cleared and copied. */
#include <stdlib.h>
#include <string.h>
#include <math.h>
typedef struct expr { int kind; union { double value; const double *bound; const void *function; }; void *parameters[1]; } expr;
typedef struct { const char *name; const void *address; int kind; } name;
typedef struct { const char *next; int kind; union { double value; const double *bound; const void *function; };
                 const name *names; int count; } reader;
enum { NUMBER = 1, VARIABLE = 2, END, OPEN, CLOSE, FUNCTION = 16 };
static double add(double a, double b) { return a + b; }
static double times(double a, double b) { return a*b; }
static const name builtins[] = {{"add", add, FUNCTION + 2}, {"mul", times, FUNCTION + 2}, {"sin", sin, FUNCTION + 1}};
static const name *find(const name *from, int n, const char *word, int length) {
    for (int k = 0; k < n; k++) if (!strncmp(word, from[k].name, length) && !from[k].name[length]) return &from[k];
    return 0; }
static void advance(reader *r) {
    while (*r->next == ' ') r->next++;
    if (!*r->next) { r->kind = END; return; }
    if (*r->next >= '0' && *r->next <= '9') { r->value = strtod(r->next, (char **)&r->next); r->kind = NUMBER; return; }
    if (*r->next == '(' || *r->next == ')') { r->kind = *r->next++ == '(' ? OPEN : CLOSE; return; }
    const char *start = r->next;
    while (*r->next >= 'a' && *r->next <= 'z') r->next++;
    const name *found = find(r->names, r->count, start, r->next - start);
    if (!found) found = find(builtins, 3, start, r->next - start);
    r->kind = found->kind;
    if (found->kind == VARIABLE) r->bound = found->address; else r->function = found->address;
}
static expr *make(int kind, const expr *parameters[]) {
    int count = kind & FUNCTION ? kind & 7 : 0;
    expr *e = malloc(sizeof(expr) - sizeof(void *) + count*sizeof(void *));
    memset(e, 0, sizeof(expr) - sizeof(void *) + count*sizeof(void *));
    if (count && parameters) memcpy(e->parameters, parameters, count*sizeof(void *));
    e->kind = kind; e->bound = 0; return e; }
static expr *read(reader *r) {
    expr *e;
    if (r->kind == NUMBER) { e = make(NUMBER, 0); e->value = r->value; }
    else if (r->kind == VARIABLE) { e = make(VARIABLE, 0); e->bound = r->bound; }
    else { /* (name a b) */
        advance(r); e = make(r->kind, 0); e->function = r->function;
        for (int k = 0, n = e->kind & 7; k < n; k++) { advance(r); e->parameters[k] = read(r); }
        advance(r);
    }
    return e; }
static double value(const expr *e) {
    if (e->kind == NUMBER) return e->value;
    if (e->kind == VARIABLE) return *e->bound;
    if (e->kind == FUNCTION + 1) return ((double (*)(double))e->function)(value(e->parameters[0]));
    return ((double (*)(double, double))e->function)(value(e->parameters[0]), value(e->parameters[1])); }
static void release(expr *e) { for (int k = 0; e->kind & FUNCTION && k < (e->kind & 7); k++) release(e->parameters[k]); free(e); }
double f(double x) {
    const name names[] = {{"x", &x, VARIABLE}};
    reader r = {"(add (mul 2 x) (sin (mul x x)))", 0, {0}, names, 1};
    advance(&r); expr *e = read(&r); double v = value(e); release(e); return v; }
