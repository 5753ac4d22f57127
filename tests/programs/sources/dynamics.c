/* Time steppers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

double euler(double x, double rate, double dt, int steps)
{
    for (int i = 0; i < steps; i++)
        x += dt*(rate*x*(1 - x) + 0.1*sin(x));
    return x;
}

/* u' = a + u²v - (b+1)u + k∇²u,  v' = bu - u²v + k∇²v on an n by n torus */
static void brusselator(int n, const double *state, double *slope, double a, double b, double k)
{
    const double *u = state, *v = state + n*n;
    double *du = slope, *dv = slope + n*n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int up = (i + n - 1)%n, down = (i + 1)%n, left = (j + n - 1)%n, right = (j + 1)%n, c = i*n + j;
            double lu = u[up*n + j] + u[down*n + j] + u[i*n + left] + u[i*n + right] - 4*u[c];
            double lv = v[up*n + j] + v[down*n + j] + v[i*n + left] + v[i*n + right] - 4*v[c];
            du[c] = a + u[c]*u[c]*v[c] - (b + 1)*u[c] + k*lu;
            dv[c] = b*u[c] - u[c]*u[c]*v[c] + k*lv;
        }
}

double brusselator_rk4(int n, int steps, double dt, const double *initial, double a, double b, double k)
{
    int size = 2*n*n;
    double *state = malloc(6*size*sizeof(double)), *trial = state + size, *slopes[4];
    for (int i = 0; i < 4; i++)
        slopes[i] = state + (2 + i)*size;
    memcpy(state, initial, size*sizeof(double));
    for (int step = 0; step < steps; step++) {
        brusselator(n, state, slopes[0], a, b, k);
        for (int i = 0; i < size; i++)
            trial[i] = state[i] + 0.5*dt*slopes[0][i];
        brusselator(n, trial, slopes[1], a, b, k);
        for (int i = 0; i < size; i++)
            trial[i] = state[i] + 0.5*dt*slopes[1][i];
        brusselator(n, trial, slopes[2], a, b, k);
        for (int i = 0; i < size; i++)
            trial[i] = state[i] + dt*slopes[2][i];
        brusselator(n, trial, slopes[3], a, b, k);
        for (int i = 0; i < size; i++)
            state[i] += dt/6*(slopes[0][i] + 2*slopes[1][i] + 2*slopes[2][i] + slopes[3][i]);
    }
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += state[i]*state[i];
    free(state);
    return sum;
}

/* a system y' = f(t, y, parameters) behind a function pointer, classical Runge-Kutta */
typedef void (*rhs)(double t, const double *y, double *dy, const void *parameters);

__attribute__((noinline)) static void rk4(rhs f, int n, double *y, double t, double h, int steps, const void *parameters)
{
    double k1[n], k2[n], k3[n], k4[n], z[n];
    for (int s = 0; s < steps; s++, t += h) {
        f(t, y, k1, parameters);
        for (int i = 0; i < n; i++) z[i] = y[i] + h/2*k1[i];
        f(t + h/2, z, k2, parameters);
        for (int i = 0; i < n; i++) z[i] = y[i] + h/2*k2[i];
        f(t + h/2, z, k3, parameters);
        for (int i = 0; i < n; i++) z[i] = y[i] + h*k3[i];
        f(t + h, z, k4, parameters);
        for (int i = 0; i < n; i++) y[i] += h/6*(k1[i] + 2*k2[i] + 2*k3[i] + k4[i]);
    }
}

struct rates { double birth, eaten, growth, death; };

static void predator_prey(double t, const double *y, double *dy, const void *parameters)
{
    const struct rates *r = parameters;
    (void)t;
    dy[0] = r->birth*y[0] - r->eaten*y[0]*y[1];
    dy[1] = r->growth*y[0]*y[1] - r->death*y[1];
}

double lotka_volterra(double prey, double predators, double birth, double eaten, double growth, double death)
{
    struct rates r = {birth, eaten, growth, death};
    double y[2] = {prey, predators};
    rk4(predator_prey, 2, y, 0, 0.1, 12, &r);
    return y[0]*y[1] + y[1];
}

/* n bodies with softened gravity, leapfrog; the energy at the end */
struct body { double mass, position[3], velocity[3]; int fixed; };

static void kick(int n, struct body *b, double dt)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], square = 1e-3;
            for (int k = 0; k < 3; k++) {
                d[k] = b[j].position[k] - b[i].position[k];
                square += d[k]*d[k];
            }
            double strength = dt*pow(square, -1.5);
            for (int k = 0; k < 3; k++) {
                if (!b[i].fixed)
                    b[i].velocity[k] += strength*b[j].mass*d[k];
                if (!b[j].fixed)
                    b[j].velocity[k] -= strength*b[i].mass*d[k];
            }
        }
}

double nbody(int n, const double *mass, const double *position, const double *velocity, double dt, int steps)
{
    struct body *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++) {
        b[i].mass = mass[i];
        b[i].fixed = i == 0;
        for (int k = 0; k < 3; k++) {
            b[i].position[k] = position[3*i + k];
            b[i].velocity[k] = velocity[3*i + k];
        }
    }
    for (int s = 0; s < steps; s++) {
        kick(n, b, dt/2);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                b[i].position[k] += dt*b[i].velocity[k];
        kick(n, b, dt/2);
    }
    double energy = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            energy += 0.5*b[i].mass*b[i].velocity[k]*b[i].velocity[k];
        for (int j = 0; j < i; j++) {
            double square = 1e-3;
            for (int k = 0; k < 3; k++)
                square += pow(b[i].position[k] - b[j].position[k], 2);
            energy -= b[i].mass*b[j].mass/sqrt(square);
        }
    }
    free(b);
    return energy;
}

/* a pendulum until it has swung for `end`, the step halved where the two half steps disagree */
double adaptive(double angle, double speed, double length, double end)
{
    double t = 0, h = 0.1;
    while (t < end) {
        if (t + h > end)
            h = end - t;
        double force = -9.81/length*sin(angle);
        double whole_speed = speed + h*force, whole = angle + h*speed + 0.5*h*h*force;
        double half_speed = speed + 0.5*h*force, half = angle + 0.5*h*speed + 0.125*h*h*force;
        double again = -9.81/length*sin(half);
        double end_speed = half_speed + 0.5*h*again, end_angle = half + 0.5*h*half_speed + 0.125*h*h*again;
        if (fabs(end_angle - whole) + fabs(end_speed - whole_speed) > 0.02 && h > 1e-4) {
            h *= 0.5;
            continue;
        }
        angle = end_angle;
        speed = end_speed;
        t += h;
        h *= 1.3;
    }
    return angle + 0.5*speed;
}
