/* ADBench's bundle adjustment: reprojection residuals of points seen by cameras with radial distortion. A camera is 11 numbers:
   rotation (Rodrigues vector), center, focal length, principal point, two distortion coefficients. */
#include <math.h>
#include <stdlib.h>

enum { CAMERA = 11, ROTATION = 0, CENTER = 3, FOCAL = 6, PRINCIPAL = 7, RADIAL = 9 };

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1]*b[2] - a[2]*b[1];
    out[1] = a[2]*b[0] - a[0]*b[2];
    out[2] = a[0]*b[1] - a[1]*b[0];
}

static void rodrigues(const double *rotation, const double *point, double *rotated)
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += rotation[i]*rotation[i];
    if (square != 0) {
        double angle = sqrt(square), cosine = cos(angle), sine = sin(angle), axis[3], turned[3], along = 0;
        for (int i = 0; i < 3; i++)
            axis[i] = rotation[i]/angle;
        cross(axis, point, turned);
        for (int i = 0; i < 3; i++)
            along += axis[i]*point[i];
        for (int i = 0; i < 3; i++)
            rotated[i] = point[i]*cosine + turned[i]*sine + axis[i]*along*(1 - cosine);
    } else {
        cross(rotation, point, rotated);
        for (int i = 0; i < 3; i++)
            rotated[i] += point[i];
    }
}

static void distort(const double *radial, double *projected)
{
    double square = projected[0]*projected[0] + projected[1]*projected[1];
    double scale = 1 + radial[0]*square + radial[1]*square*square;
    projected[0] *= scale;
    projected[1] *= scale;
}

static void project(const double *camera, const double *point, double *projected)
{
    double relative[3], seen[3];
    for (int i = 0; i < 3; i++)
        relative[i] = point[i] - camera[CENTER + i];
    rodrigues(&camera[ROTATION], relative, seen);
    projected[0] = seen[0]/seen[2];
    projected[1] = seen[1]/seen[2];
    distort(&camera[RADIAL], projected);
    for (int i = 0; i < 2; i++)
        projected[i] = projected[i]*camera[FOCAL] + camera[PRINCIPAL + i];
}

void reprojection_error(const double *camera, const double *point, const double *weight, const double *feature, double *error)
{
    project(camera, point, error);
    for (int i = 0; i < 2; i++)
        error[i] = *weight*(error[i] - feature[i]);
}

void bundle_adjustment(int observations, const double *cameras, const double *points, const double *weights, const int *seen,
                       const double *features, double *errors, double *weight_errors)
{
    for (int i = 0; i < observations; i++) {
        int camera = seen[2*i], point = seen[2*i + 1];
        reprojection_error(&cameras[CAMERA*camera], &points[3*point], &weights[i], &features[2*i], &errors[2*i]);
    }
    for (int i = 0; i < observations; i++)
        weight_errors[i] = 1 - weights[i]*weights[i];
}

/* u·(all residuals): its gradient for u = e_i is row i of the Jacobian */
double weighted_residuals(int observations, const double *cameras, const double *points, const double *weights, const int *seen,
                          const double *features, const double *u)
{
    double *residuals = malloc(3*observations*sizeof(double)), sum = 0;
    bundle_adjustment(observations, cameras, points, weights, seen, features, residuals, residuals + 2*observations);
    for (int i = 0; i < 3*observations; i++)
        sum += u[i]*residuals[i];
    free(residuals);
    return sum;
}
