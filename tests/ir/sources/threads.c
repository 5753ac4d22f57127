#include <pthread.h>
struct job { const double *x; int n; double sum; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;
static void *work(void *p) { struct job *j = p; double s = 0; for (int i = 0; i < j->n; i++) s += j->x[i]; pthread_mutex_lock(&lock); total += s; pthread_mutex_unlock(&lock); j->sum = s; return p; }
double parallel(const double *x, int n) {
    pthread_t t[2];
    struct job j[2] = {{x, n / 2, 0}, {x + n / 2, n - n / 2, 0}};
    for (int k = 0; k < 2; k++) pthread_create(&t[k], 0, work, &j[k]);
    for (int k = 0; k < 2; k++) pthread_join(t[k], 0);
    return total;
}
_Thread_local double scratch[4];
double local(int k) { return scratch[k & 3]++; }
