/* Single precision, and both precisions together. */
#include <math.h>
#include <stdlib.h>

float euler_single(float x, float rate, float dt, int steps)
{
    for (int i = 0; i < steps; i++)
        x += dt*(rate*x*(1 - x) + 0.1f*sinf(x));
    return x;
}

float mixture_single(int d, int k, int n, const float *weights, const float *means, const float *x)
{
    float total = 0, *terms = malloc(k*sizeof *terms);
    for (int p = 0; p < n; p++) {
        float largest = -INFINITY, sum = 0;
        for (int c = 0; c < k; c++) {
            float square = 0;
            for (int i = 0; i < d; i++) {
                float t = x[p*d + i] - means[c*d + i];
                square += t*t;
            }
            terms[c] = weights[c] - 0.5f*square;
            largest = fmaxf(largest, terms[c]);
        }
        for (int c = 0; c < k; c++)
            sum += expf(terms[c] - largest);
        total += largest + logf(sum);
    }
    free(terms);
    return total/n;
}

/* numbers kept in single precision, summed in double */
double mixed_dot(int n, const float *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)x[i]*y[i];
    float rounded = (float)sum;
    return sqrt(1 + (double)rounded*sum);
}

float mlp_single(int n, int h, const float *w1, const float *w2, const float *x)
{
    float hidden[h], out = 0;
    for (int i = 0; i < h; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += w1[i*n + j]*x[j];
        hidden[i] = tanhf(s);
    }
    for (int i = 0; i < h; i++)
        out += w2[i]*hidden[i];
    return 1/(1 + expf(-out));
}
