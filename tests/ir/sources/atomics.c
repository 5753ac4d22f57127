#include <stdatomic.h>
atomic_int counter;
_Atomic double total;
int bump(void) { return atomic_fetch_add(&counter, 1); }
void add(double x) { double old = total; while (!atomic_compare_exchange_weak(&total, &old, old + x)) {} }
int swap(int *p, int *e, int v) {
    __atomic_store_n(p, 3, __ATOMIC_RELEASE);
    int got = __atomic_load_n(p, __ATOMIC_ACQUIRE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_ACQ_REL);
    got += __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL) + __atomic_fetch_xor(p, 5, __ATOMIC_RELAXED) + __atomic_nand_fetch(p, 6, __ATOMIC_SEQ_CST);
    return got + __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) + __sync_fetch_and_sub(p, 2);
}
double volatile sensor;
double sample(volatile int *port) { *port = 1; sensor = sensor + *port; return sensor; }
