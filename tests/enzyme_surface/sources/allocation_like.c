/* Allocators of the program's own: their memory has a shadow, and goes back to them when the way back needs it no more. */
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;

/* counted, with a header before each block, tiny enough to be inlined */
static int live;
static void *take(int tag, size_t bytes) {
    size_t *block = malloc(bytes + 16);
    block[0] = bytes;
    live += tag;
    return block + 2;
}
static void give_back(void *memory) { size_t *block = memory; live -= 7; free(block - 2); }
void *__enzyme_allocation_like_take[4] = {(void *)take, (void *)1, (void *)"-1", (void *)give_back};
static double squares(double x, int n) {
    double *work = take(7, n*sizeof(double)), sum = 0;
    for (int i = 0; i < n; i++) work[i] = x*(i + 1);
    for (int i = 0; i < n; i++) { sum += work[i]*work[i]; work[i] = 0; }
    give_back(work);
    return sum;
}

/* memory of a pool; it is given back with its size */
static char pool[4096];
static size_t used;
__attribute__((noinline)) static void *pooled(size_t bytes, long kind) {
    void *p = pool + used;
    used += (bytes + 15)/16*16;
    return used <= sizeof(pool) ? p : 0;
}
static int unpooled(long kind, void *p, size_t bytes) { used -= (bytes + 15)/16*16; return kind == 3; }
void *__enzyme_allocation_like_pooled[4] = {(void *)pooled, (void *)0, (void *)"1,-1,0", (void *)unpooled};
static double of_pool(double x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
        double *a = pooled(2*sizeof(double), 3), *b = pooled(8, 3);
        if (!a || !b) return -1;
        a[0] = x*(k + 1), a[1] = a[0]*x, b[0] = a[1]*a[1];
        sum += b[0]*a[0];
        unpooled(3, b, 8);
        unpooled(3, a, 2*sizeof(double));
    }
    return sum;
}

/* a list whose nodes are made in a helper and freed in another one */
struct node { double value; struct node *next; };
static struct node *push(struct node *list, double value) {
    struct node *made = take(7, sizeof(struct node));
    made->value = value*value;
    made->next = list;
    return made;
}
static void drop(struct node *list) {
    while (list) { struct node *next = list->next; give_back(list); list = next; }
}
static double listed(const double *x, int n) {
    struct node *list = 0;
    for (int i = 0; i < n; i++) list = push(list, x[i]);
    double product = 1;
    for (struct node *p = list; p; p = p->next) product *= p->value;
    drop(list);
    return product;
}
static void gradient(const double *x, double *dx, int n) { __enzyme_autodiff((void *)listed, enzyme_dup, x, dx, n); }
static double slope(double x, int n) { return __enzyme_autodiff((void *)squares, x, n); }

int check(void) {
    EXPECT(squares(2.0, 3), 4*14);
    EXPECT(__enzyme_autodiff((void *)squares, 2.0, 3), 2*2*14);
    EXPECT(live, 0);
    EXPECT(__enzyme_fwddiff((void *)squares, 2.0, 1.0, 3), 2*2*14);
    EXPECT(live, 0);

    double x = 1.5, total = of_pool(x, 3);
    EXPECT(used, 0);
    EXPECT(total, (1 + 8 + 27)*pow(x, 5));
    EXPECT(__enzyme_fwddiff((void *)of_pool, x, 1.0, 3), 5*total/x);
    EXPECT(used, 0);
    EXPECT(__enzyme_autodiff((void *)of_pool, x, 3), 5*total/x);
    EXPECT(used, 0);

    double y[3] = {2, 3, 5}, dy[3] = {0};
    gradient(y, dy, 3);
    for (int i = 0; i < 3; i++) EXPECT(dy[i], 2*900/y[i]);
    EXPECT(live, 0);
    EXPECT(__enzyme_fwddiff((void *)slope, 2.0, 1.0, 3), 28);
    EXPECT(__enzyme_autodiff((void *)slope, 2.0, 3), 28);
    EXPECT(live, 0);
    double v[3] = {1, 0, 0}, g[3] = {0}, h[3] = {0};
    __enzyme_fwddiff((void *)gradient, enzyme_dup, y, v, enzyme_dup, g, h, 3);
    EXPECT(h[0], 2*900/4);
    EXPECT(h[1], 4*900/6);
    EXPECT(live, 0);
    return 0;
}
