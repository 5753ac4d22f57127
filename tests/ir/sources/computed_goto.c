double interpret(const unsigned char *code, double x) {
    static void *labels[] = {&&op_add, &&op_mul, &&op_neg, &&op_end};
    double acc = 0;
    goto *labels[*code++ & 3];
op_add: acc += x; goto *labels[*code++ & 3];
op_mul: acc *= x; goto *labels[*code++ & 3];
op_neg: acc = -acc; goto *labels[*code++ & 3];
op_end: return acc;
}
