struct point { double x, y; };
struct three { float a, b, c; };
struct big { double v[5]; int tag; char name[3]; };
struct mixed { char c; double d; short s; struct point p; };
struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }
struct three scale(struct three t, float k) { t.a *= k; t.b *= k; t.c *= k; return t; }
struct big fill(double x) {
    struct big b = {{x, 2 * x, 3 * x}, 7, "ab"};
    return b;
}
double use(struct mixed m, const struct big *b) {
    struct point q = add(m.p, (struct point){m.d, (double)m.s});
    struct big copy = *b;
    return q.x * q.y + copy.v[m.c & 3] + fill(q.x).v[1];
}
