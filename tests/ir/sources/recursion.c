double factorial(double n) { return n <= 1 ? 1 : n * factorial(n - 1); }
int is_odd(unsigned n);
int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
struct node { double value; struct node *left, *right; };
double sum(const struct node *n) { return n ? n->value + sum(n->left) * sum(n->right) : 0; }
double ackermann(unsigned m, double n) { return m == 0 ? n + 1 : n <= 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
double tail(double x, int n, double acc) { return n ? tail(x, n - 1, acc * x) : acc; }
