/* What is trained: losses of small networks and regressions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

double log_sum_exp(int n, const double *x)
{
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, x[i]);
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - largest);
    return largest + log(sum);
}

static void dense(int in, int out, const double *weights, const double *bias, const double *x, double *y)
{
    for (int i = 0; i < out; i++) {
        y[i] = bias[i];
        for (int j = 0; j < in; j++)
            y[i] += weights[i*in + j]*x[j];
    }
}

/* sizes[0..layers]; parameters: weights then bias of each layer; tanh between; mean softmax cross-entropy */
double mlp(int layers, const int *sizes, const double *parameters, int count, const double *inputs, const int *labels)
{
    int widest = 0;
    for (int l = 0; l <= layers; l++)
        widest = sizes[l] > widest ? sizes[l] : widest;
    double *now = malloc(widest*sizeof *now), *next = malloc(widest*sizeof *next), loss = 0;
    for (int s = 0; s < count; s++) {
        memcpy(now, inputs + s*sizes[0], sizes[0]*sizeof *now);
        const double *p = parameters;
        for (int l = 0; l < layers; l++) {
            int in = sizes[l], out = sizes[l + 1];
            dense(in, out, p, p + in*out, now, next);
            if (l < layers - 1)
                for (int i = 0; i < out; i++)
                    next[i] = tanh(next[i]);
            p += in*out + out;
            double *t = now;
            now = next;
            next = t;
        }
        loss += log_sum_exp(sizes[layers], now) - now[labels[s]];
    }
    free(now);
    free(next);
    return loss/count;
}

double logistic(size_t n, size_t d, const double x[n][d], const int y[n], const double w[d], double ridge)
{
    double loss = 0;
    for (size_t i = 0; i < n; i++) {
        double z = 0;
        for (size_t j = 0; j < d; j++)
            z += w[j]*x[i][j];
        loss += y[i] ? log1p(exp(-z)) : log1p(exp(z));
    }
    for (size_t j = 0; j < d; j++)
        loss += 0.5*ridge*w[j]*w[j];
    return loss;
}

/* a 3 by 3 convolution, relu, 2 by 2 maximum, mean */
double convolution(int h, int w, const double *image, const double kernel[3][3], double bias)
{
    int rows = h - 2, columns = w - 2;
    double (*map)[columns] = malloc(rows*sizeof *map), sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double s = bias;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    s += image[(i + k)*w + j + l]*kernel[k][l];
            map[i][j] = s > 0 ? s : 0;
        }
    for (int i = 0; i + 1 < rows; i += 2)
        for (int j = 0; j + 1 < columns; j += 2)
            sum += fmax(fmax(map[i][j], map[i][j + 1]), fmax(map[i + 1][j], map[i + 1][j + 1]));
    free(map);
    return sum/((rows/2)*(columns/2));
}

/* a network as a C data structure: integers, pointers and numbers in one struct */
struct layer { int in, out; const double *weights; double *output; double slope; struct layer *below; };

static const double *forward(struct layer *layer, const double *input)
{
    if (layer->below)
        input = forward(layer->below, input);
    for (int i = 0; i < layer->out; i++) {
        double s = 0;
        for (int j = 0; j < layer->in; j++)
            s += layer->weights[i*layer->in + j]*input[j];
        layer->output[i] = s > 0 ? s : layer->slope*s;
    }
    return layer->output;
}

double linked_layers(int depth, int width, const double *weights, const double *input, double slope)
{
    struct layer *top = NULL;
    for (int l = 0; l < depth; l++) {
        struct layer *layer = malloc(sizeof *layer);
        *layer = (struct layer){width, width, weights + l*width*width, malloc(width*sizeof(double)), slope/(l + 1), top};
        top = layer;
    }
    const double *output = forward(top, input);
    double sum = 0;
    for (int i = 0; i < width; i++)
        sum += output[i]*output[i];
    while (top) {
        struct layer *below = top->below;
        free(top->output);
        free(top);
        top = below;
    }
    return sum;
}

/* gradient descent on a quadratic with momentum, unrolled through the optimizer */
double descent(int n, const double *target, double rate, double momentum, int steps)
{
    double x[n], v[n], loss = 0;
    memset(x, 0, sizeof x);
    memset(v, 0, sizeof v);
    for (int s = 0; s < steps; s++)
        for (int i = 0; i < n; i++) {
            double g = (x[i] - target[i])*(1 + 0.1*i) + 0.05*x[i]*x[i];
            v[i] = momentum*v[i] - rate*g;
            x[i] += v[i];
        }
    for (int i = 0; i < n; i++)
        loss += (x[i] - target[i])*(x[i] - target[i]);
    return loss;
}
