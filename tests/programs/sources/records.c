/* Structs: by value, nested, in arrays, with integers and pointers among the numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y, z; } vec3;
typedef struct { int kind; float gain; vec3 position; double *samples; int count; } sensor;
typedef struct { vec3 origin, direction; } ray;

static vec3 add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec3 scale(double s, vec3 a) { return (vec3){s*a.x, s*a.y, s*a.z}; }
static double dot(vec3 a, vec3 b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
__attribute__((noinline)) static vec3 normalized(vec3 a) { return scale(1/sqrt(dot(a, a)), a); }
__attribute__((noinline)) static vec3 reflected(vec3 d, const vec3 *n) { return add(d, scale(-2*dot(d, *n), *n)); }

/* a ray in a box of spheres: where it hits first decides where it goes next */
double trace(int spheres, const double *data, double dx, double dy, int bounces)
{
    ray r = {{0, 0, -5}, normalized((vec3){dx, dy, 1})};
    double path = 0;
    for (int b = 0; b < bounces; b++) {
        double nearest = INFINITY;
        vec3 center = {0, 0, 0};
        for (int i = 0; i < spheres; i++) {
            const double *s = data + 4*i;
            vec3 c = {s[0], s[1], s[2]}, to = add(c, scale(-1, r.origin));
            double along = dot(to, r.direction), under = along*along - dot(to, to) + s[3]*s[3];
            if (under > 0 && along - sqrt(under) > 1e-6 && along - sqrt(under) < nearest) {
                nearest = along - sqrt(under);
                center = c;
            }
        }
        if (nearest == INFINITY)
            break;
        path += nearest;
        r.origin = add(r.origin, scale(nearest, r.direction));
        vec3 normal = normalized(add(r.origin, scale(-1, center)));
        r.direction = reflected(r.direction, &normal);
    }
    return path + r.direction.x + 2*r.direction.y + r.origin.z;
}

/* sensors own their samples; one is copied, changed and written back */
double sensors(int n, int m, const double *readings, const double *where)
{
    sensor *all = malloc(n*sizeof *all);
    double total = 0;
    for (int i = 0; i < n; i++) {
        sensor *s = &all[i];
        s->kind = i%2;
        s->gain = 0.5f + i;
        s->position = (vec3){where[3*i], where[3*i + 1], where[3*i + 2]};
        s->count = m;
        s->samples = malloc(m*sizeof(double));
        memcpy(s->samples, readings + i*m, m*sizeof(double));
    }
    sensor spare = all[0];
    spare.position.x *= spare.position.y;
    all[n - 1].position = spare.position;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < all[i].count; j++)
            sum += all[i].samples[j]*(all[i].kind ? all[i].samples[j] : 1);
        total += all[i].gain*sum*exp(-dot(all[i].position, all[i].position));
        free(all[i].samples);
    }
    free(all);
    return total;
}

/* a struct by value in and out, larger than the registers */
typedef struct { double a[3][3]; } matrix3;

__attribute__((noinline)) static matrix3 multiplied(matrix3 l, matrix3 r)
{
    matrix3 out = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                out.a[i][j] += l.a[i][k]*r.a[k][j];
    return out;
}

double matrix_power(const double *a, int power)
{
    matrix3 result = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, base;
    memcpy(base.a, a, sizeof base.a);
    for (; power; power >>= 1) {
        if (power & 1)
            result = multiplied(result, base);
        base = multiplied(base, base);
    }
    return result.a[0][0] + result.a[1][2]*result.a[2][1];
}

/* numbers with a tag: what a union means depends on the tag */
struct tagged { char tag; union { double real; long whole; } value; };

double tagged_sum(int n, const double *x, const int *tags)
{
    struct tagged *t = malloc(n*sizeof *t);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        t[i].tag = tags[i];
        if (tags[i])
            t[i].value.real = x[i]*x[i];
        else
            t[i].value.whole = i;
    }
    for (int i = 0; i < n; i++)
        sum += t[i].tag ? sin(t[i].value.real) : (double)t[i].value.whole;
    free(t);
    return sum;
}

/* a small arena of one's own: structs placed one after another in a buffer */
struct pool { char *start; size_t used; };

static void *take(struct pool *p, size_t bytes)
{
    void *place = p->start + p->used;
    p->used += (bytes + 15) & ~(size_t)15;
    return place;
}

double pooled(int n, const double *x)
{
    struct pool p = {malloc(n*64), 0};
    ray **rays = take(&p, n*sizeof *rays);
    for (int i = 0; i < n - 1; i++) {
        rays[i] = take(&p, sizeof **rays);
        rays[i]->origin = (vec3){x[i], x[i + 1], x[i]*x[i + 1]};
    }
    vec3 sum = {0, 0, 1};
    for (int i = 0; i < n - 1; i++)
        sum = add(sum, scale(dot(sum, rays[i]->origin), rays[i]->origin));
    free(p.start);
    return sqrt(dot(sum, sum));
}
