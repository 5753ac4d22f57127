/* Code in the manner of C++: vectors that are passed and returned by value, operators as functions. A body around a fixed star with
   drag, by the classical Runge-Kutta method; the squared distance at the end. */
#include "kernel.h"

typedef struct { double x, y, z; } vector;
typedef struct { vector place, speed; } body;

static vector plus(vector a, vector b) { vector c = {a.x + b.x, a.y + b.y, a.z + b.z}; return c; }
static vector scaled(double s, vector a) { vector c = {s*a.x, s*a.y, s*a.z}; return c; }
static double product(vector a, vector b) { return a.x*b.x + a.y*b.y + a.z*b.z; }

static body rate(body b, double pull, double drag)
{
    double square = product(b.place, b.place), fast = sqrt(product(b.speed, b.speed));
    body r = {b.speed, plus(scaled(-pull/(square*sqrt(square)), b.place), scaled(-drag*fast, b.speed))};
    return r;
}

static body moved(body b, double s, body r)
{
    body c = {plus(b.place, scaled(s, r.place)), plus(b.speed, scaled(s, r.speed))};
    return c;
}

double orbit(int steps, double dt, const double *start, double pull, double drag)
{
    body b = {{start[0], start[1], start[2]}, {start[3], start[4], start[5]}};
    for (int t = 0; t < steps; t++) {
        body k1 = rate(b, pull, drag), k2 = rate(moved(b, 0.5*dt, k1), pull, drag);
        body k3 = rate(moved(b, 0.5*dt, k2), pull, drag), k4 = rate(moved(b, dt, k3), pull, drag);
        b = moved(moved(moved(moved(b, dt/6, k1), dt/3, k2), dt/3, k3), dt/6, k4);
    }
    return product(b.place, b.place);
}

#ifndef __cplusplus
/* the adjoint of `b` where `g` is that of its rate; adds to those of pull and drag */
static body rate_back(body b, double pull, double drag, body g, double *d_pull, double *d_drag)
{
    double square = product(b.place, b.place), inverse = 1/(square*sqrt(square)), fast = sqrt(product(b.speed, b.speed));
    double along = product(g.speed, b.place), with = product(g.speed, b.speed);
    *d_pull -= inverse*along;
    *d_drag -= fast*with;
    body back = {plus(scaled(-pull*inverse, g.speed), scaled(3*pull*inverse*along/square, b.place)),
                 plus(g.place, plus(scaled(-drag*fast, g.speed), scaled(-drag*with/fast, b.speed)))};
    return back;
}

void orbit_by_hand(int steps, double dt, const double *restrict start, double pull, double drag, double *restrict d_start,
                   double *restrict d_pull, double *restrict d_drag)
{
    body *restrict states = (body *)kept(steps*sizeof *states), b = {{start[0], start[1], start[2]}, {start[3], start[4], start[5]}};
    double of_pull = 0, of_drag = 0;
    for (int t = 0; t < steps; t++) {
        states[t] = b;
        body k1 = rate(b, pull, drag), k2 = rate(moved(b, 0.5*dt, k1), pull, drag);
        body k3 = rate(moved(b, 0.5*dt, k2), pull, drag), k4 = rate(moved(b, dt, k3), pull, drag);
        b = moved(moved(moved(moved(b, dt/6, k1), dt/3, k2), dt/3, k3), dt/6, k4);
    }
    body g = {scaled(2, b.place), {0, 0, 0}}, none = {{0, 0, 0}, {0, 0, 0}};
    for (int t = steps - 1; t >= 0; t--) {
        body y = states[t];
        body b2 = moved(y, 0.5*dt, rate(y, pull, drag)), b3 = moved(y, 0.5*dt, rate(b2, pull, drag));
        body b4 = moved(y, dt, rate(b3, pull, drag));
        body g4 = rate_back(b4, pull, drag, moved(none, dt/6, g), &of_pull, &of_drag);
        body g3 = rate_back(b3, pull, drag, moved(moved(none, dt/3, g), dt, g4), &of_pull, &of_drag);
        body g2 = rate_back(b2, pull, drag, moved(moved(none, dt/3, g), 0.5*dt, g3), &of_pull, &of_drag);
        body g1 = rate_back(y, pull, drag, moved(moved(none, dt/6, g), 0.5*dt, g2), &of_pull, &of_drag);
        g = moved(moved(moved(moved(g, 1, g4), 1, g3), 1, g2), 1, g1);
    }
    d_start[0] += g.place.x, d_start[1] += g.place.y, d_start[2] += g.place.z;
    d_start[3] += g.speed.x, d_start[4] += g.speed.y, d_start[5] += g.speed.z;
    *d_pull += of_pull;
    *d_drag += of_drag;
}
#endif

#ifdef ENZYME
struct two { double pull, drag; };
struct two __enzyme_autodiff_two(void *, ...);

void orbit_enzyme(int steps, double dt, const double *start, double pull, double drag, double *d_start, double *d_pull,
                  double *d_drag)
{
    struct two g = __enzyme_autodiff_two((void *)orbit, enzyme_const, steps, enzyme_const, dt, enzyme_dup, start, d_start, enzyme_out,
                                         pull, enzyme_out, drag);
    *d_pull += g.pull;
    *d_drag += g.drag;
}
#endif
