#include <math.h>
#include <stdlib.h>
#include <string.h>
#define SQUARE(v) ((v)*(v))
typedef struct { double x, y; } P;
typedef struct { int n; double c[4]; } Poly;
typedef struct { double w[3]; double bias; int kind; } Layer;
typedef struct link { double v; struct link *next; } Link;
static double twice(double v) { return v + v; }
static double fade(double v) { return exp(-v); }
double product(double x, double y) {
  return x * y; //= active
}
double unread(double x, double y) {
  double gone = x * y; //= inactive
  double kept = x + y; //= active
  return kept * x; //= active
}
double overwritten(double x, double y) {
  double z = 0; //= inactive
  z = x; //= inactive
  z = y; //= active
  return z * 2; //= active
}
double copies(double x, int n) {
  double y = x; //= active
  for (int i = 0; i < n; i++) //= decides
    y = y * x; //= active, saved
  return y; //= active
}
double branch(double x, double limit) {
  if (x > limit) //= decides
    return x * limit; //= active
  return x; //= active
}
double otherwise(double x) {
  double r; //=
  if (x > 0) //= decides
    r = x * x; //= active
  else
    r = 0; //= inactive
  return r; //= active
}
double pick(const double *a, int n) {
  double m = a[0]; //= active
  for (int i = 1; i < n; i++) //= decides
    if (a[i] > m) //= decides
      m = a[i]; //= active
  return m; //= active
}
double bisect(double c) {
  double lo = 0, hi = 2; //= inactive
  while (hi - lo > 1e-6) { //= decides
    double mid = (lo + hi) / 2; //= inactive
    if (mid * mid > c) //= decides
      hi = mid; //= inactive
    else
      lo = mid; //= inactive
  }
  return hi * c; //= active
}
double rounded(double x) {
  int k = (int)x; //= inactive
  double whole = k; //= inactive
  return x * whole; //= active
}
double cases(int op, double a, double b) {
  double r = 0; //= inactive
  switch (op) { //= decides
  case 0:
    r = a + b; //= active
    break; //=
  case 1:
    r = a * b; //= active
    break; //=
  default:
    r = a; //= active
  }
  return r; //= active
}
double again(double x, int n) {
  double y = 1; //= inactive
  int i = 0; //= inactive
start:
  if (i >= n) goto done; //= decides
  y *= x; //= active, saved
  i++; //= inactive
  goto start; //=
done:
  return y; //= active
}
double once_more(double x) {
  int k = 0; //= inactive
  do { //=
    x = x / 2 + 1 / x; //= active, saved
    k++; //= inactive
  } while (k < 9 && x > 1.5); //= decides
  return x; //= active
}
double helped(double x, double y) {
  double a = twice(x); //= active
  double b = fade(y); //= active
  return a * b; //= active
}
double helped_by_constants(double x, int n) {
  double a = fade(n); //= inactive
  double b = x * a; //= active
  return b; //= active
}
double folded(double x) {
  double d = SQUARE(x - 1); //= active
  const double half = 0.5; //= inactive
  return half * d; //= active
}
double spread(double x,
              double y) {
  double r =
      sin(x) //= active
      * y; //= active
  return r; //= active
}
double together(double x) { double a = x; double b = a*a; return b; } //= active
double summed(const double *a, int n) {
  double s = 0; //= inactive
  for (int i = 0; i < n; i++) s += a[i] * a[i]; //= active, decides
  return s; //= active
}
double cleared(double *a, double x, int n) {
  for (int i = 0; i < n; i++) //= decides
    a[i] = 0; //= inactive
  a[0] = x; //= active
  return a[0] * a[1] + a[0]; //= active
}
double shifted(double *a, int n) {
  for (int i = n - 1; i > 0; i--) //= decides
    a[i] = a[i - 1] * a[i]; //= active, saved
  return a[n - 1]; //= active
}
double sorted(double *a, int n) {
  for (int i = 1; i < n; i++) { //= decides
    double key = a[i]; //= active
    int j = i - 1; //= inactive
    while (j >= 0 && a[j] > key) { //= decides, saved
      a[j+1] = a[j]; //= active
      j = j - 1; //= inactive
    }
    a[j+1] = key; //= active
  }
  return a[n/2]; //= active
}
double listed(const double *x, int n) {
  Link *head = NULL; //= inactive
  for (int i = 0; i < n; i++) { //= decides
    Link *e = malloc(sizeof *e); //= active, saved
    e->v = x[i] * x[i]; //= active
    e->next = head; //= active
    head = e; //= active
  }
  double s = 0; //= inactive
  while (head) { //= decides
    s += head->v; //= active
    Link *old = head; //= active
    head = head->next; //= active
    free(old); //= inactive
  }
  return s; //= active
}
double early(const double *x, int n, double limit) {
  double s = 0; //= inactive
  for (int i = 0; i < n; i++) { //= decides
    s += x[i] * x[i]; //= active
    if (s > limit) return limit * s; //= active, decides
  }
  return s; //= active
}
double stepped(double y, double k, int n) {
  for (int i = 0; i < n; i++) { //= decides
    double slope = -k * y; //= active
    y += 0.1 * slope * y; //= active, saved
  }
  return y; //= active
}
double member(P *p, double x, int k, int j) {
  p[k].x = x; //= active
  p[k].y = 3; //= inactive
  return p[j].x * p[j].y; //= active
}
double parsed(const char *text, double x) {
  double value = 0; //= inactive
  while (*text) { //= decides
    char c = *text++; //= inactive
    if (c >= '0' && c <= '9') //= decides
      value = value * 10 + (c - '0'); //= active
    else if (c == 'x') //= decides
      value *= x; //= active, saved
  }
  return value; //= active
}
double ternary(const double *p, const int *y, int n) {
  double loss = 0; //= inactive
  for (int i = 0; i < n; i++) //= decides
    loss -= y[i] ? log(p[i]) : log(1 - p[i]); //= active, decides
  return loss / n; //= active
}
double recursive(double x, int n) {
  if (n == 0) //= decides
    return 1; //= inactive
  return x * recursive(x, n - 1); //= active
}
double rows(const double *A, const double *x, int n) {
  double out = 0; //= inactive
  for (int i = 0; i < n; i++) { //= decides
    double row = 0; //= inactive
    for (int j = 0; j < n; j++) //= decides
      row += A[i*n + j] * x[j]; //= active, saved
    out += row * row; //= active
  }
  return out; //= active
}
double same(double x, double y) {
  double a = x * y; //= active
  double b = x * y; //= active
  return a * sin(b); //= active
}
double swapped(double x, double y) {
  double t = x; //= active
  x = y; //= active
  y = t; //= active
  return x / y; //= active
}
double guarded(double x, int use) {
  double r = 1; //= inactive
  if (use) //= decides
    r = sqrt(x); //= active
  return r; //= active
}
float narrow(const float *a, const float *b, int n) {
  float s = 0; //= inactive
  for (int i = 0; i < n; i++) //= decides
    s += a[i] * b[i]; //= active
  return s; //= active
}
static double capped(double v, double limit) {
  if (v > limit) return limit;
  if (v < -limit) return -limit;
  return v;
}
double early_return(double x, double y) {
  double u = x * y; //= active
  if (u < 0) return capped(u, 2.0); //= active, decides
  return x > 2 ? u * x : capped(u, y); //= active, decides
}
double compared_only(double x, double y) {
  double t = 0; //= inactive
  double u = x * y; //= active
  if (x > 1) t = u; //= decides
  if (t > 3) return y; //= active, decides
  return u; //= active
}
double assigned_where_decided(double c, double low, double high) {
  while (high - low > 1e-6) { //= decides
    double mid = (low + high) / 2; //= active
    if (mid * mid > c) high = mid; //= active, decides, saved
    else low = mid; //= active
  }
  return high * low; //= active
}
static int place(const double *grid, int n, double x) {
  int k = 0;
  while (k < n && grid[k] < x) k++;
  return k;
}
static void grow(double *out, const double *in, int n, double by) {
  for (int i = 0; i < n; i++) out[i] = in[i] * by;
}
double searched(const double *grid, double *v, int n, double x) {
  static double by[2] = {1, 2}; //=
  grow(v, v, n, by[n & 1]); //= active, inactive
  int k = place(grid, n, x); //= inactive
  return v[k] * x; //= active
}
static void exchange(double *a, double *b) { double t = *a; *a = *b; *b = t; }
double ordered(double a, double b) {
  if (a > b) exchange(&a, &b); //= active, decides
  return a * a - b; //= active
}
typedef struct { char op; double value; } Token;
double interpreted(const Token *program, int n, double x) {
  double stack[16]; //=
  int top = 0; //= inactive
  for (int i = 0; i < n; i++) { //= decides
    switch (program[i].op) { //= decides
    case 'x': stack[top++] = x; break; //= active
    case '*': top--; stack[top-1] *= stack[top]; break; //= active
    }
  }
  return top > 0 ? stack[top-1] : 0; //= active, decides
}
static double cap(double v) {
  return v > 3 ? 3 : v; //= active, decides
}
double capped_line(double x, double y) {
  return cap(x) * y; //= active
}
static double clamp(double v, double low, double high) {
  if (v < low) return low; //= decides
  if (v > high) return high; //= decides
  return v; //= active
}
double clamped(double x, double y) {
  return clamp(x, -1, 1) * y; //= active
}
static double limit(double v, double most) {
  if (v > most) return most; //= active, decides
  return v; //= active
}
double limited(double x, double y) {
  double a = limit(x, y); //= active
  return a * a; //= active
}
static double larger(double a, double b) {
  return a > b ? a : b; //= active, decides
}
static double inside(double v) {
  double m = larger(v, 1); //= active
  return m < 9 ? m : 9; //= active, decides
}
double kept_inside(double x, double y) {
  return inside(x) * y; //= active
}
static double sign(double v) {
  return v < 0 ? -1 : 1; //= decides
}
double signed_only(double x, double y) {
  return sign(x) * y; //= active
}
static double steepest(double v, double w) {
  double best = v; //= active
  if (w > best) best = w; //= active, decides
  return best; //= active
}
double sloped(double x, double y) {
  double a = steepest(x, y); //= active
  return a * x; //= active
}
static double choice(int use, double v) {
  double r = 0; //= inactive
  if (use) //= decides
    r = v; //= active
  return r; //= active
}
double chosen_by_flag(double x, int use) {
  return choice(use, x) * x; //= active
}
static double same_value(double v) {
  return v; 
}
double only_compared(double x, double y) {
  double u = same_value(x);
  if (u > 3) return y; //= active, decides
  return x * y; //= active
}
static double first(double v, double w) {
  double kept = v;
  double other = w;
  return kept;
}
double one_of_two(double x, double y) {
  return first(x, y) * y; //= active
}
double chosen_here(double x, double y) {
  double m = x > 3 ? 3 : x; //= active, decides
  double w = y < 0 ? 1 : 2; //= decides
  double b = x > y ? x : y; //= active, decides
  return m * w * b; //= active
}
double rounded_copy(double x) {
  double y = x; //= inactive
  int k = (int)y; //= inactive
  return x * k; //= active
}
double capped_sum(const double *a, int n) {
  double s = 0; //= inactive
  for (int i = 0; i < n; i++) //= decides
    s += cap(a[i]); //= active
  return s; //= active
}
static __attribute__((noinline)) int scale(double *a, double by) {
  a[0] *= by;
  return by > 0;
}
double call_that_decides(double *a, double x) {
  if (scale(a, x) > 0) //= active, decides
    return a[0]; //= active
  return 0; //= inactive
}
double stops(double x, double y) {
  for (int k = 0; k < 30; k++) { //= decides
    double step = x / y - x; //= active
    x -= step; //= active
    if (fabs(step) < 1e-9) break; //= decides
  }
  return x; //= active
}
static double at_most(double v, double most) { return v > most ? most : v; } //= active, decides
double falling(double v, double h, int n) {
  for (int i = 0; i < n; i++) { //= decides
    v = at_most(v + h * v, 50); //= active, saved
    if (v > 40) break; //= decides
  }
  return v; //= active
}
double left_early(const double *x, int n, double limit) {
  if (n <= 0) return 0; //= decides
  if (x[0] < 0) //= decides
    return -x[0]; //= active
  double s = 0; //= inactive
  for (int i = 0; i < n; i++) { //= decides
    if (x[i] > limit) //= decides
      return s * limit; //= active
    if (x[i] == 0) continue; //= decides
    s += x[i] * x[i]; //= active
  }
  return s; //= active
}
double falls_through(int mode, double x, double y) {
  double r; //=
  switch (mode) { //= decides
  case 0:
  case 1:
    r = x * y; //= active
    break; //=
  case 3:
    y = y * 2; //= active
    r = y + 1; //= active
    break; //=
  default:
    return 0; //= inactive
  }
  return r * x; //= active
}
double in_a_band(double x, double lo, double hi) {
  double c = x < lo ? lo : x > hi ? hi : x; //= active, decides
  double w = x < lo ? 1 : x > hi ? 2 : 0; //= decides
  return c * c + w * x; //= active
}
double bounces(double h, double v, double dt, int steps) {
  P b = { h, v }; //= active
  int hits = 0; //= inactive
  for (int i = 0; i < steps; i++) { //= decides
    b.y -= 9.81 * dt; //= active
    b.x += b.y * dt; //= active
    if (b.x < 0) { //= decides, saved
      b.x = -b.x; //= active
      b.y = -0.8 * b.y; //= active
      hits++; //= inactive
    }
  }
  return b.x; //= active
}
double raised(double x, int k) {
  if (k == 0) return 1; //= decides
  double half = raised(x, k / 2); //= active, saved
  return k % 2 ? x * half * half : half * half; //= active, decides
}
double looked_for(const double *t, int n, double x) {
  int i = 0; //= inactive
again:
  if (i >= n) goto missing; //= decides
  if (t[i] >= x) goto found; //= decides
  i++; //= inactive
  goto again; //=
found:
  return t[i] * x; //= active
missing:
  return -x; //= active
}
double triangle(int n, double m[n][n], const double *x) {
  double total = 0; //= inactive
  for (int i = 0; i < n; i++) { //= decides
    double row = 0; //= inactive
    for (int j = 0; j <= i; j++) //= decides
      row += m[i][j] * x[j]; //= active, saved
    m[i][i] = row; //= active
    total += row * row; //= active
  }
  return total; //= active
}
double horner(const Poly *p, double x) {
  double r = 0; //= inactive
  for (int k = p->n - 1; k >= 0; k--) //= decides
    r = r * x + p->c[k]; //= active, saved
  return r; //= active
}
double net(const Layer *layers, int count, const double *x) {
  double h[3] = { x[0], x[1], x[2] }; //= active
  for (int l = 0; l < count; l++) { //= decides
    double z = layers[l].bias; //= active
    for (int i = 0; i < 3; i++) //= decides
      z += layers[l].w[i] * h[i]; //= active, saved
    h[l % 3] = z; //= active, saved
  }
  return h[0] + h[1] * h[2]; //= active
}
double between(const double *xs, const double *ys, int n, double x) {
  if (x <= xs[0]) return ys[0]; //= active, decides
  int lo = 0, hi = n - 1; //= inactive
  while (hi - lo > 1) { //= decides
    int mid = (lo + hi) / 2; //= inactive
    if (xs[mid] <= x) lo = mid; else hi = mid; //= decides
  }
  double t = (x - xs[lo]) / (xs[hi] - xs[lo]); //= active
  return (1 - t) * ys[lo] + t * ys[hi]; //= active
}
double escapes(double cr, double ci, int most) {
  double zr = 0, zi = 0; //= inactive
  int k = 0; //= inactive
  do { //=
    double t = zr * zr - zi * zi + cr; //= active, saved
    zi = 2 * zr * zi + ci; //= active, saved
    zr = t; //= active
  } while (++k < most && zr < 4); //= decides
  return zr * zr + zi * zi; //= active
}
double cholesky(int n, double *a) {
  double logdet = 0; //= inactive
  for (int j = 0; j < n; j++) { //= decides
    for (int k = 0; k < j; k++) //= decides
      a[j*n+j] -= a[j*n+k] * a[j*n+k]; //= active
    a[j*n+j] = sqrt(a[j*n+j]); //= active, saved
    logdet += 2 * log(a[j*n+j]); //= active
    for (int i = j + 1; i < n; i++) { //= decides
      for (int k = 0; k < j; k++) //= decides
        a[i*n+j] -= a[i*n+k] * a[j*n+k]; //= active
      a[i*n+j] /= a[j*n+j]; //= active, saved
    }
  }
  return logdet; //= active
}
