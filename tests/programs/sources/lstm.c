/* ADBench's LSTM: the mean log likelihood of a sequence under a recurrent network with diagonal gates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double sigmoid(double x) { return 1/(1 + exp(-x)); }

/* one layer: weight and bias hold four gates of h numbers each */
static void cell_step(int h, const double *weight, const double *bias, double *hidden, double *cell, const double *input)
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

static void predict(int layers, int h, const double *main_parameters, const double *extra, double *state, const double *input,
                    double *output)
{
    for (int i = 0; i < h; i++)
        output[i] = input[i]*extra[i];
    double *values = output;
    for (int l = 0; l < layers; l++) {
        const double *weight = &main_parameters[8*h*l];
        double *hidden = &state[2*h*l];
        cell_step(h, weight, weight + 4*h, hidden, hidden + h, values);
        values = hidden;
    }
    for (int i = 0; i < h; i++)
        output[i] = values[i]*extra[h + i] + extra[2*h + i];
}

double lstm(int layers, int length, int h, const double *main_parameters, const double *extra, const double *initial,
            const double *sequence)
{
    size_t bytes = 2*layers*h*sizeof(double);
    double *state = malloc(bytes), *predicted = malloc(h*sizeof *predicted);
    memcpy(state, initial, bytes);
    double total = 0;
    int count = 0;
    const double *input = sequence;
    for (int t = 0; t < length - 1; t++) {
        predict(layers, h, main_parameters, extra, state, input, predicted);
        double sum = 0;
        for (int i = 0; i < h; i++)
            sum += exp(predicted[i]);
        double normalizer = log(sum + 2);
        const double *gold = input + h;
        for (int i = 0; i < h; i++)
            total += gold[i]*(predicted[i] - normalizer);
        count += h;
        input = gold;
    }
    free(predicted);
    free(state);
    return -total/count;
}
