/* ADBench's LSTM, whose gates have one weight for each element. weights: for every layer 4h weights and 4h biases; extra: the weights of
   the input, of the output, and the output's bias. */
#include "kernel.h"

enum { LAYERS = 2, WIDEST = 64 };

static double sigmoid(double x)
{
    return 1/(1 + exp(-x));
}

static void layer(int h, const double *weight, const double *bias, double *hidden, double *cell, const double *input)
{
    for (int i = 0; i < h; i++) {
        double forget = sigmoid(input[i]*weight[i] + bias[i]);
        double in = sigmoid(hidden[i]*weight[h + i] + bias[h + i]);
        double out = sigmoid(input[i]*weight[2*h + i] + bias[2*h + i]);
        double change = tanh(hidden[i]*weight[3*h + i] + bias[3*h + i]);
        cell[i] = cell[i]*forget + in*change;
        hidden[i] = out*tanh(cell[i]);
    }
}

double lstm(int count, int h, const double *weights, const double *extra, const double *sequence)
{
    double hidden[LAYERS*WIDEST], cell[LAYERS*WIDEST], y[WIDEST], total = 0;
    for (int i = 0; i < LAYERS*h; i++)
        hidden[i] = cell[i] = 0.1;
    for (int t = 0; t + 1 < count; t++) {
        const double *input = y;
        for (int i = 0; i < h; i++)
            y[i] = sequence[t*h + i]*extra[i];
        for (int l = 0; l < LAYERS; l++) {
            layer(h, weights + l*8*h, weights + l*8*h + 4*h, hidden + l*h, cell + l*h, input);
            input = hidden + l*h;
        }
        double sum = 2;
        for (int i = 0; i < h; i++) {
            y[i] = input[i]*extra[h + i] + extra[2*h + i];
            sum += exp(y[i]);
        }
        sum = log(sum);
        for (int i = 0; i < h; i++)
            total += sequence[(t + 1)*h + i]*(y[i] - sum);
    }
    return -total/((count - 1)*h);
}

#ifndef __cplusplus
/* what the way back needs of one layer at one time, h numbers each */
struct kept_layer { double *forget, *in, *out, *change, *before, *bent, *hidden, *input; };
enum { KEPT = 8 };

static struct kept_layer at(double *memory, int h, int t, int l)
{
    double *p = memory + ((size_t)t*LAYERS + l)*KEPT*h;
    return (struct kept_layer){p, p + h, p + 2*h, p + 3*h, p + 4*h, p + 5*h, p + 6*h, p + 7*h};
}

void lstm_by_hand(int count, int h, const double *restrict weights, const double *restrict extra, const double *restrict sequence,
                  double *restrict d_weights, double *restrict d_extra)
{
    double *memory = (double *)kept(((size_t)count*LAYERS*KEPT + 2*(size_t)count)*h*sizeof *memory);
    double *last = memory + (size_t)count*LAYERS*KEPT*h, *share = last + (size_t)count*h;
    double hidden[LAYERS*WIDEST], cell[LAYERS*WIDEST], scale = -1.0/((count - 1)*h);
    for (int i = 0; i < LAYERS*h; i++)
        hidden[i] = cell[i] = 0.1;
    for (int t = 0; t + 1 < count; t++) {
        double x[WIDEST], golden = 0, sum = 2;
        for (int i = 0; i < h; i++)
            x[i] = sequence[t*h + i]*extra[i];
        for (int l = 0; l < LAYERS; l++) {
            struct kept_layer k = at(memory, h, t, l);
            const double *w = weights + l*8*h, *b = w + 4*h;
            double *hi = hidden + l*h, *c = cell + l*h;
            for (int i = 0; i < h; i++) {
                k.input[i] = x[i];
                k.hidden[i] = hi[i];
                k.before[i] = c[i];
                k.forget[i] = sigmoid(x[i]*w[i] + b[i]);
                k.in[i] = sigmoid(hi[i]*w[h + i] + b[h + i]);
                k.out[i] = sigmoid(x[i]*w[2*h + i] + b[2*h + i]);
                k.change[i] = tanh(hi[i]*w[3*h + i] + b[3*h + i]);
                c[i] = c[i]*k.forget[i] + k.in[i]*k.change[i];
                k.bent[i] = tanh(c[i]);
                x[i] = hi[i] = k.out[i]*k.bent[i];
            }
        }
        double *s = share + (size_t)t*h, *final = last + (size_t)t*h;
        for (int i = 0; i < h; i++) {
            final[i] = x[i];
            s[i] = exp(x[i]*extra[h + i] + extra[2*h + i]);
            sum += s[i];
            golden += sequence[(t + 1)*h + i];
        }
        for (int i = 0; i < h; i++)
            s[i] = scale*(sequence[(t + 1)*h + i] - golden*s[i]/sum);
    }
    double d_hidden[LAYERS*WIDEST] = {0}, d_cell[LAYERS*WIDEST] = {0};
    for (int t = count - 2; t >= 0; t--) {
        double d_x[WIDEST], *s = share + (size_t)t*h, *final = last + (size_t)t*h;
        for (int i = 0; i < h; i++) {
            d_extra[h + i] += s[i]*final[i];
            d_extra[2*h + i] += s[i];
            d_x[i] = s[i]*extra[h + i];
        }
        for (int l = LAYERS - 1; l >= 0; l--) {
            struct kept_layer k = at(memory, h, t, l);
            const double *w = weights + l*8*h;
            double *d_w = d_weights + l*8*h, *d_b = d_w + 4*h, *d_h = d_hidden + l*h, *d_c = d_cell + l*h;
            for (int i = 0; i < h; i++) {
                double g = d_h[i] + d_x[i], c = d_c[i] + g*k.out[i]*(1 - k.bent[i]*k.bent[i]);
                double out = g*k.bent[i]*k.out[i]*(1 - k.out[i]), change = c*k.in[i]*(1 - k.change[i]*k.change[i]);
                double forget = c*k.before[i]*k.forget[i]*(1 - k.forget[i]), in = c*k.change[i]*k.in[i]*(1 - k.in[i]);
                d_w[i] += forget*k.input[i], d_b[i] += forget;
                d_w[h + i] += in*k.hidden[i], d_b[h + i] += in;
                d_w[2*h + i] += out*k.input[i], d_b[2*h + i] += out;
                d_w[3*h + i] += change*k.hidden[i], d_b[3*h + i] += change;
                d_c[i] = c*k.forget[i];
                d_h[i] = in*w[h + i] + change*w[3*h + i];
                d_x[i] = forget*w[i] + out*w[2*h + i];
            }
        }
        for (int i = 0; i < h; i++)
            d_extra[i] += d_x[i]*sequence[t*h + i];
    }
}
#endif

#ifdef ENZYME
void lstm_enzyme(int count, int h, const double *weights, const double *extra, const double *sequence, double *d_weights,
                 double *d_extra)
{
    __enzyme_autodiff((void *)lstm, enzyme_const, count, enzyme_const, h, enzyme_dup, weights, d_weights, enzyme_dup, extra, d_extra,
                      enzyme_const, sequence);
}
#endif
