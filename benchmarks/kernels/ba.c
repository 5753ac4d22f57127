/* Bundle adjustment, ADBench's camera: half the squares of the reprojection errors of points that are seen by cameras. A camera has
   11 numbers: rotation (angle times axis), centre, focal length, centre of the picture, two of radial distortion. */
#include "kernel.h"

enum { CAMERA = 11 };

static void rotated(const double *r, const double *x, double *y)
{
    double square = r[0]*r[0] + r[1]*r[1] + r[2]*r[2];
    double angle = sqrt(square), c = cos(angle), s = sin(angle), inverse = 1/angle;
    double w[3] = {r[0]*inverse, r[1]*inverse, r[2]*inverse};
    double cross[3] = {w[1]*x[2] - w[2]*x[1], w[2]*x[0] - w[0]*x[2], w[0]*x[1] - w[1]*x[0]};
    double along = (w[0]*x[0] + w[1]*x[1] + w[2]*x[2])*(1 - c);
    for (int i = 0; i < 3; i++)
        y[i] = x[i]*c + cross[i]*s + w[i]*along;
}

static void projected(const double *camera, const double *point, double *out)
{
    double x[3], y[3];
    for (int i = 0; i < 3; i++)
        x[i] = point[i] - camera[3 + i];
    rotated(camera, x, y);
    double u = y[0]/y[2], v = y[1]/y[2], square = u*u + v*v, bend = 1 + camera[9]*square + camera[10]*square*square;
    out[0] = u*bend*camera[6] + camera[7];
    out[1] = v*bend*camera[6] + camera[8];
}

double ba(int count, const double *cameras, const double *points, const double *weights, const int *seen, const double *features)
{
    double sum = 0;
    for (int k = 0; k < count; k++) {
        double p[2];
        projected(cameras + CAMERA*seen[2*k], points + 3*seen[2*k + 1], p);
        double e0 = weights[k]*(p[0] - features[2*k]), e1 = weights[k]*(p[1] - features[2*k + 1]);
        sum += 0.5*(e0*e0 + e1*e1);
    }
    return sum;
}

#ifndef __cplusplus
void ba_by_hand(int count, const double *restrict cameras, const double *restrict points, const double *restrict weights,
                const int *restrict seen, const double *restrict features, double *restrict d_cameras, double *restrict d_points,
                double *restrict d_weights)
{
    for (int k = 0; k < count; k++) {
        const double *camera = cameras + CAMERA*seen[2*k], *r = camera;
        double *d_camera = d_cameras + CAMERA*seen[2*k], *d_point = d_points + 3*seen[2*k + 1];
        const double *point = points + 3*seen[2*k + 1];
        double x[3] = {point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]}, y[3];
        double angle = sqrt(r[0]*r[0] + r[1]*r[1] + r[2]*r[2]), c = cos(angle), s = sin(angle), inverse = 1/angle;
        double w[3] = {r[0]*inverse, r[1]*inverse, r[2]*inverse};
        double cross[3] = {w[1]*x[2] - w[2]*x[1], w[2]*x[0] - w[0]*x[2], w[0]*x[1] - w[1]*x[0]};
        double dot = w[0]*x[0] + w[1]*x[1] + w[2]*x[2], along = dot*(1 - c);
        for (int i = 0; i < 3; i++)
            y[i] = x[i]*c + cross[i]*s + w[i]*along;
        double depth = 1/y[2], u = y[0]*depth, v = y[1]*depth, square = u*u + v*v;
        double bend = 1 + camera[9]*square + camera[10]*square*square, f = camera[6];
        double e0 = u*bend*f + camera[7] - features[2*k], e1 = v*bend*f + camera[8] - features[2*k + 1];
        double weight = weights[k], g0 = weight*weight*e0, g1 = weight*weight*e1;
        d_weights[k] += weight*(e0*e0 + e1*e1);
        d_camera[7] += g0, d_camera[8] += g1;
        d_camera[6] += (g0*u + g1*v)*bend;
        double d_bend = (g0*u + g1*v)*f, d_square = d_bend*(camera[9] + 2*camera[10]*square);
        d_camera[9] += d_bend*square, d_camera[10] += d_bend*square*square;
        double d_u = g0*bend*f + 2*u*d_square, d_v = g1*bend*f + 2*v*d_square;
        double d_y[3] = {d_u*depth, d_v*depth, -(d_u*u + d_v*v)*depth};
        /* y = x c + (w × x) s + w (w·x)(1 - c) */
        double d_along = d_y[0]*w[0] + d_y[1]*w[1] + d_y[2]*w[2], d_dot = d_along*(1 - c);
        double d_c = d_y[0]*x[0] + d_y[1]*x[1] + d_y[2]*x[2] - d_along*dot;
        double d_s = d_y[0]*cross[0] + d_y[1]*cross[1] + d_y[2]*cross[2];
        double q[3] = {s*d_y[0], s*d_y[1], s*d_y[2]};
        double d_x[3] = {c*d_y[0] + d_dot*w[0] + q[1]*w[2] - q[2]*w[1], c*d_y[1] + d_dot*w[1] + q[2]*w[0] - q[0]*w[2],
                         c*d_y[2] + d_dot*w[2] + q[0]*w[1] - q[1]*w[0]};
        double d_w[3] = {along*d_y[0] + d_dot*x[0] + x[1]*q[2] - x[2]*q[1], along*d_y[1] + d_dot*x[1] + x[2]*q[0] - x[0]*q[2],
                         along*d_y[2] + d_dot*x[2] + x[0]*q[1] - x[1]*q[0]};
        double d_inverse = d_w[0]*r[0] + d_w[1]*r[1] + d_w[2]*r[2];
        double d_angle = d_s*c - d_c*s - d_inverse*inverse*inverse;
        for (int i = 0; i < 3; i++) {
            d_camera[i] += d_w[i]*inverse + d_angle*w[i];
            d_camera[3 + i] -= d_x[i];
            d_point[i] += d_x[i];
        }
    }
}
#endif

#ifdef ENZYME
void ba_enzyme(int count, const double *cameras, const double *points, const double *weights, const int *seen,
               const double *features, double *d_cameras, double *d_points, double *d_weights)
{
    __enzyme_autodiff((void *)ba, enzyme_const, count, enzyme_dup, cameras, d_cameras, enzyme_dup, points, d_points, enzyme_dup,
                      weights, d_weights, enzyme_const, seen, enzyme_const, features);
}
#endif
