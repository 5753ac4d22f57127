/* A network of three dense layers, tanh between them, softmax cross-entropy, summed over a batch. */
#include "kernel.h"

enum { IN = 64, WIDTH = 128, OUT = 10, FIRST = WIDTH*IN + WIDTH, SECOND = WIDTH*WIDTH + WIDTH };

static void dense(int in, int out, const double *p, const double *x, double *y)
{
    for (int i = 0; i < out; i++) {
        double s = p[out*in + i];
        for (int j = 0; j < in; j++)
            s += p[i*in + j]*x[j];
        y[i] = s;
    }
}

double mlp(int count, const double *parameters, const double *inputs, const int *labels)
{
    const double *p1 = parameters, *p2 = p1 + FIRST, *p3 = p2 + SECOND;
    double a[WIDTH], b[WIDTH], y[OUT], loss = 0;
    for (int s = 0; s < count; s++) {
        dense(IN, WIDTH, p1, inputs + s*IN, a);
        for (int i = 0; i < WIDTH; i++)
            a[i] = tanh(a[i]);
        dense(WIDTH, WIDTH, p2, a, b);
        for (int i = 0; i < WIDTH; i++)
            b[i] = tanh(b[i]);
        dense(WIDTH, OUT, p3, b, y);
        double largest = y[0], sum = 0;
        for (int i = 1; i < OUT; i++)
            largest = y[i] > largest ? y[i] : largest;
        for (int i = 0; i < OUT; i++)
            sum += exp(y[i] - largest);
        loss += largest + log(sum) - y[labels[s]];
    }
    return loss;
}

#ifndef __cplusplus
/* dx = W' dy; dW += dy x'; db += dy */
static void dense_back(int in, int out, const double *restrict p, double *restrict d_p, const double *restrict x,
                       const double *restrict d_y, double *restrict d_x)
{
    for (int j = 0; j < in; j++)
        d_x[j] = 0;
    for (int i = 0; i < out; i++) {
        double g = d_y[i];
        d_p[out*in + i] += g;
        for (int j = 0; j < in; j++) {
            d_p[i*in + j] += g*x[j];
            d_x[j] += g*p[i*in + j];
        }
    }
}

void mlp_by_hand(int count, const double *restrict parameters, const double *restrict inputs, const int *restrict labels,
                 double *restrict d_parameters)
{
    const double *p1 = parameters, *p2 = p1 + FIRST, *p3 = p2 + SECOND;
    double *d1 = d_parameters, *d2 = d1 + FIRST, *d3 = d2 + SECOND;
    double a[WIDTH], b[WIDTH], y[OUT], d_a[WIDTH], d_b[WIDTH];
    for (int s = 0; s < count; s++) {
        const double *x = inputs + s*IN;
        dense(IN, WIDTH, p1, x, a);
        for (int i = 0; i < WIDTH; i++)
            a[i] = tanh(a[i]);
        dense(WIDTH, WIDTH, p2, a, b);
        for (int i = 0; i < WIDTH; i++)
            b[i] = tanh(b[i]);
        dense(WIDTH, OUT, p3, b, y);
        double largest = y[0], sum = 0;
        for (int i = 1; i < OUT; i++)
            largest = y[i] > largest ? y[i] : largest;
        for (int i = 0; i < OUT; i++) {
            y[i] = exp(y[i] - largest);
            sum += y[i];
        }
        for (int i = 0; i < OUT; i++)
            y[i] /= sum;
        y[labels[s]] -= 1;
        dense_back(WIDTH, OUT, p3, d3, b, y, d_b);
        for (int i = 0; i < WIDTH; i++)
            d_b[i] *= 1 - b[i]*b[i];
        dense_back(WIDTH, WIDTH, p2, d2, a, d_b, d_a);
        for (int i = 0; i < WIDTH; i++) {
            double g = d_a[i]*(1 - a[i]*a[i]);
            d1[WIDTH*IN + i] += g;
            for (int j = 0; j < IN; j++)
                d1[i*IN + j] += g*x[j];
        }
    }
}
#endif

#ifdef ENZYME
void mlp_enzyme(int count, const double *parameters, const double *inputs, const int *labels, double *d_parameters)
{
    __enzyme_autodiff((void *)mlp, enzyme_const, count, enzyme_dup, parameters, d_parameters, enzyme_const, inputs, enzyme_const,
                      labels);
}
#endif
