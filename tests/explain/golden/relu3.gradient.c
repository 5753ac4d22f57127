double diffe_relu3(double x) {
    return x > 0.0 ? x*x*3.0 : 0.0;  /* line 4: d pow(x, y) = y*pow(x, y-1) dx + pow(x, y)*log(x) dy */
}
