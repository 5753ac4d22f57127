struct flags { unsigned a : 1; unsigned b : 3; int c : 12; unsigned long long d : 40; signed char e : 4; };
int pack(struct flags *f, int x) { f->a = x & 1; f->b = x >> 1; f->c = -x; f->d = 1ull << 35 | (unsigned)x; f->e = 3; return f->c + f->e; }
unsigned long long total(struct flags f) { return f.a + f.b + (unsigned long long)f.c + f.d; }
struct __attribute__((packed)) tight { char c; double d; int i : 7; int j : 9; };
double read(struct tight *t) { return t->d + t->i * t->j; }
