/* Data structures on the heap. Everything allocated here is freed here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct item { double value; int count; struct item *next; };

double linked_list(int n, const double *x)
{
    struct item *head = NULL;
    for (int i = 0; i < n; i++) {
        struct item *new = malloc(sizeof *new);
        new->value = x[i]*x[i];
        new->count = i + 1;
        new->next = head;
        head = new;
    }
    double sum = 1;
    for (struct item *p = head; p; p = p->next)
        sum = sum*p->value/p->count + cos(p->value);
    while (head) {
        struct item *next = head->next;
        free(head);
        head = next;
    }
    return sum;
}

/* inserted in order, negative items removed, reversed in place */
double sorted_list(int n, const double *x)
{
    struct item *head = NULL, *before = NULL;
    for (int i = 0; i < n; i++) {
        struct item **place = &head, *new = malloc(sizeof *new);
        while (*place && (*place)->value < x[i])
            place = &(*place)->next;
        new->value = x[i];
        new->count = i;
        new->next = *place;
        *place = new;
    }
    for (struct item **place = &head; *place;) {
        struct item *p = *place;
        if (p->value < 0) {
            *place = p->next;
            free(p);
        } else {
            place = &p->next;
        }
    }
    while (head) {
        struct item *next = head->next;
        head->next = before;
        before = head;
        head = next;
    }
    double sum = 0, factor = 1;
    while (before) {
        struct item *next = before->next;
        sum += factor*before->value*before->value;
        factor *= 0.5;
        free(before);
        before = next;
    }
    return sum;
}

struct vector { double *data; size_t size, capacity; };

__attribute__((noinline)) static void push(struct vector *v, double x)
{
    if (v->size == v->capacity) {
        v->capacity = v->capacity ? 2*v->capacity : 2;
        v->data = realloc(v->data, v->capacity*sizeof *v->data);
    }
    v->data[v->size++] = x;
}

/* a vector grows while it is used: each new number depends on earlier ones */
double growing_vector(int n, const double *x)
{
    struct vector v = {0};
    for (int i = 0; i < n; i++) {
        push(&v, x[i]);
        if (i)
            push(&v, v.data[v.size - 1]*v.data[v.size/2]);
    }
    double sum = 0;
    for (size_t i = 0; i < v.size; i++)
        sum += v.data[i]*(i + 1);
    free(v.data);
    return sum;
}

/* an expression tree */
enum kind { CONSTANT, VARIABLE, ADD, MULTIPLY, SINE };
struct node { enum kind kind; int index; double value; struct node *left, *right; };

static struct node *node(enum kind kind, int index, double value, struct node *left, struct node *right)
{
    struct node *n = malloc(sizeof *n);
    n->kind = kind;
    n->index = index;
    n->value = value;
    n->left = left;
    n->right = right;
    return n;
}

static struct node *build(int depth, int *next, int variables, const double *constants)
{
    if (depth == 0) {
        int k = (*next)++;
        return k%3 == 2 ? node(CONSTANT, 0, constants[k%variables], NULL, NULL) : node(VARIABLE, k%variables, 0, NULL, NULL);
    }
    if (depth%3 == 2)
        return node(SINE, 0, 0, build(depth - 1, next, variables, constants), NULL);
    struct node *left = build(depth - 1, next, variables, constants);
    return node(depth%2 ? MULTIPLY : ADD, 0, 0, left, build(depth - 1, next, variables, constants));
}

static double evaluate(const struct node *n, const double *x)
{
    switch (n->kind) {
    case CONSTANT: return n->value;
    case VARIABLE: return x[n->index];
    case ADD: return evaluate(n->left, x) + evaluate(n->right, x);
    case MULTIPLY: return evaluate(n->left, x)*evaluate(n->right, x);
    case SINE: return sin(evaluate(n->left, x));
    }
    return 0;
}

static void release(struct node *n)
{
    if (!n)
        return;
    release(n->left);
    release(n->right);
    free(n);
}

double tree(int depth, int variables, const double *x, const double *constants)
{
    int next = 0;
    struct node *root = build(depth, &next, variables, constants);
    double value = evaluate(root, x);
    release(root);
    return value;
}

/* each node keeps what it evaluated to, its parent reads it back */
__attribute__((noinline)) static void decorate(struct node *n, const double *x)
{
    if (n->left)
        decorate(n->left, x);
    if (n->right)
        decorate(n->right, x);
    if (n->kind == VARIABLE)
        n->value = x[n->index];
    else if (n->kind == ADD)
        n->value = n->left->value + n->right->value;
    else if (n->kind == MULTIPLY)
        n->value = n->left->value*n->right->value;
    else if (n->kind == SINE)
        n->value = sin(n->left->value);
}

double decorated_tree(int depth, int variables, const double *x, const double *constants)
{
    int next = 0;
    struct node *root = build(depth, &next, variables, constants);
    decorate(root, x);
    double value = root->value + 0.5*root->left->value;
    release(root);
    return value;
}

/* a matrix as rows of different lengths */
double ragged_rows(int n, const double *x)
{
    double **rows = malloc(n*sizeof(double *)), sum = 0;
    for (int i = 0; i < n; i++) {
        rows[i] = calloc(i + 1, sizeof(double));
        for (int j = 0; j <= i; j++)
            rows[i][j] = i && j < i ? rows[i - 1][j]*x[j] + 0.1 : x[i];
    }
    for (int j = 0; j < n; j++)
        sum += rows[n - 1][j]*rows[n - 1][j];
    for (int i = n - 1; i >= 0; i--)
        free(rows[i]);
    free(rows);
    return sum;
}

/* a hash table of strings: counts and weights by key */
#define BUCKETS 4
struct entry { char *key; double weight; struct entry *next; };

static struct entry **find(struct entry **buckets, const char *key)
{
    unsigned hash = 5381;
    for (const char *c = key; *c; c++)
        hash = 33*hash + (unsigned char)*c;
    struct entry **place = &buckets[hash%BUCKETS];
    while (*place && strcmp((*place)->key, key))
        place = &(*place)->next;
    return place;
}

double dictionary(int n, const double *x)
{
    static const char *const words[] = {"mass", "force", "time", "mass", "length", "time", "mass"};
    struct entry *buckets[BUCKETS] = {0};
    for (int i = 0; i < n; i++) {
        const char *word = words[i%7];
        struct entry **place = find(buckets, word);
        if (!*place) {
            *place = calloc(1, sizeof **place);
            (*place)->key = strdup(word);
            (*place)->weight = 1;
        }
        (*place)->weight *= x[i];
    }
    double result = (*find(buckets, "mass"))->weight + 2*sin((*find(buckets, "time"))->weight);
    for (int b = 0; b < BUCKETS; b++)
        while (buckets[b]) {
            struct entry *e = buckets[b];
            buckets[b] = e->next;
            result += 0.01*e->weight*e->weight;
            free(e->key);
            free(e);
        }
    return result;
}

/* a ring buffer; aligned memory from posix_memalign */
double moving_product(int n, const double *x, int width, double fade)
{
    double *ring, sum = 0;
    if (posix_memalign((void **)&ring, 64, width*sizeof *ring))
        return -1;
    for (int i = 0; i < width; i++)
        ring[i] = 1;
    for (int i = 0; i < n; i++) {
        ring[i%width] = x[i] + fade*ring[i%width];
        double product = 1;
        for (int j = 0; j < width; j++)
            product *= ring[j];
        sum += product;
    }
    free(ring);
    return sum;
}
