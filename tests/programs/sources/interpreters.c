/* Programs run by programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a stack machine; the code is integers */
enum { PUSH, LOAD, STORE, ADD, SUBTRACT, MULTIPLY, DIVIDE, SINE, DUPLICATE, SWAP, JUMP_IF_LESS, HALT };

double bytecode(const int *code, const double *constants, double *memory)
{
    double stack[16];
    int top = 0, counter = 0;
    for (;;) {
        switch (code[counter++]) {
        case PUSH: stack[top++] = constants[code[counter++]]; break;
        case LOAD: stack[top++] = memory[code[counter++]]; break;
        case STORE: memory[code[counter++]] = stack[--top]; break;
        case ADD: top--; stack[top - 1] += stack[top]; break;
        case SUBTRACT: top--; stack[top - 1] -= stack[top]; break;
        case MULTIPLY: top--; stack[top - 1] *= stack[top]; break;
        case DIVIDE: top--; stack[top - 1] /= stack[top]; break;
        case SINE: stack[top - 1] = sin(stack[top - 1]); break;
        case DUPLICATE: stack[top] = stack[top - 1]; top++; break;
        case SWAP: {
            double t = stack[top - 1];
            stack[top - 1] = stack[top - 2];
            stack[top - 2] = t;
            break;
        }
        case JUMP_IF_LESS: {
            int target = code[counter++];
            top -= 2;
            if (stack[top] < stack[top + 1])
                counter = target;
            break;
        }
        case HALT: return stack[top - 1];
        }
    }
}

/* reverse Polish words */
static const char *const formula[] = {"x", "y", "mul", "x", "sin", "add", "z", "exp", "div", "x", "sub", "y", "sq", "add"};

double words(double x, double y, double z)
{
    double stack[8];
    int n = 0;
    for (size_t i = 0; i < sizeof formula/sizeof *formula; i++) {
        const char *w = formula[i];
        if (!strcmp(w, "x"))
            stack[n++] = x;
        else if (!strcmp(w, "y"))
            stack[n++] = y;
        else if (!strcmp(w, "z"))
            stack[n++] = z;
        else if (!strcmp(w, "add"))
            n--, stack[n - 1] += stack[n];
        else if (!strcmp(w, "sub"))
            n--, stack[n - 1] -= stack[n];
        else if (!strcmp(w, "mul"))
            n--, stack[n - 1] *= stack[n];
        else if (!strcmp(w, "div"))
            n--, stack[n - 1] /= stack[n];
        else if (!strcmp(w, "sin"))
            stack[n - 1] = sin(stack[n - 1]);
        else if (!strcmp(w, "exp"))
            stack[n - 1] = exp(stack[n - 1]);
        else if (!strcmp(w, "sq"))
            stack[n - 1] *= stack[n - 1];
    }
    return stack[0];
}

/* a calculator that reads its input character by character: recursive descent over a string */
struct reader { const char *at; const double *variables; };

static double sum_of(struct reader *r);

static double factor_of(struct reader *r)
{
    char c = *r->at++;
    if (c == '(') {
        double value = sum_of(r);
        r->at++;
        return value;
    }
    if (c == '-')
        return -factor_of(r);
    if (c >= '0' && c <= '9')
        return c - '0';
    return r->variables[c - 'a'];
}

static double product_of(struct reader *r)
{
    double value = factor_of(r);
    while (*r->at == '*' || *r->at == '/')
        if (*r->at++ == '*')
            value *= factor_of(r);
        else
            value /= factor_of(r);
    return value;
}

static double sum_of(struct reader *r)
{
    double value = product_of(r);
    while (*r->at == '+' || *r->at == '-')
        if (*r->at++ == '+')
            value += product_of(r);
        else
            value -= product_of(r);
    return value;
}

double calculator(const char *text, const double *variables)
{
    struct reader r = {text, variables};
    return sum_of(&r);
}

/* operations by name from a table of names and functions */
static double plus(double a, double b) { return a + b; }
static double times(double a, double b) { return a*b; }
static double power(double a, double b) { return pow(a, b); }
static double mean(double a, double b) { return 0.5*(a + b); }
static const struct { const char *name; double (*apply)(double, double); } operations[] = {
    {"plus", plus}, {"times", times}, {"power", power}, {"mean", mean}};

double by_name(const double *x, const char *names, int n)
{
    double value = x[0];
    for (int i = 1; i < n; i++) {
        for (size_t k = 0; k < sizeof operations/sizeof *operations; k++)
            if (!strncmp(names, operations[k].name, strlen(operations[k].name)))
                value = operations[k].apply(value, x[i]);
        while (*names && *names != ' ')
            names++;
        names += *names == ' ';
    }
    return value;
}

/* a state machine by goto, with fall through */
double machine(int n, const double *x)
{
    double level = 1, sum = 0;
    int i = 0;
rise:
    if (i == n) goto end;
    level *= 1 + x[i++];
    if (level > 2) goto fall;
    goto rise;
fall:
    if (i == n) goto end;
    level /= 1 + x[i]*x[i];
    sum += level;
    i++;
    switch (i%4) {
    case 0: sum *= 1.1;  /* fall through */
    case 1: level -= 0.1; break;
    case 2: if (level < 1) goto rise;  /* fall through */
    default: sum += 0.5*level*level;
    }
    if (level > 1) goto fall;
    goto rise;
end:
    return sum + level;
}
