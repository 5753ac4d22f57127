struct matrix {
    int n; double *a;
    explicit matrix(int n) : n(n), a(new double[n * n]()) {}
    matrix(const matrix &o) : matrix(o.n) { for (int i = 0; i < n * n; i++) a[i] = o.a[i]; }
    ~matrix() { delete[] a; }
    double &operator()(int i, int j) { return a[i * n + j]; }
};
matrix product(matrix a, matrix &b) { matrix c(a.n); for (int i = 0; i < a.n; i++) for (int j = 0; j < a.n; j++) for (int k = 0; k < a.n; k++) c(i, j) += a(i, k) * b(k, j); return c; }
double trace(int n) { matrix m(n); for (int i = 0; i < n; i++) m(i, i) = i; matrix p = product(m, m); double t = 0; for (int i = 0; i < n; i++) t += p(i, i); return t; }
