"""What C functions are for inside frameworks: a network, an equation's parameters, a cell of a recurrent network."""

from __future__ import annotations

import numpy as np
import pytest

import enzyme_magic as em
from tests.integrations.frameworks import framework

# A layer in C inside a network of PyTorch ------------------------------------------------------------------------------

LAYER = """
static double act(double x) { return x/(1 + fabs(x)); }
void layer(size_t n, size_t m, const double W[n][m], const double b[n], const double x[m], double y[n]) {
    for (size_t i = 0; i < n; i++) {
        double s = b[i];
        for (size_t j = 0; j < m; j++) s += W[i][j]*x[j];
        y[i] = act(s);
    }
}
"""


def test_a_network_with_a_layer_in_c_learns():
    """Two inputs, a hidden layer of 16 in C, one output: the distance from the origin, to a mean square error below 2e-3."""
    torch = framework("torch")
    from enzyme_magic.integrations.torch import Module, op

    random = torch.Generator().manual_seed(0)
    layer = op(em.compile_c(LAYER)["layer"])

    def normal(*shape):
        return torch.randn(*shape, generator=random, dtype=torch.float64)

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden = Module(layer, parameters={"W": normal(16, 2), "b": normal(16)})
            self.last = torch.nn.Linear(16, 1, dtype=torch.float64)
            torch.nn.init.constant_(self.last.weight, 0.1)

        def forward(self, points):
            return self.last(torch.func.vmap(self.hidden)(points))[:, 0]

    network = Network()
    points = 2 * torch.rand(64, 2, generator=random, dtype=torch.float64) - 1
    distances = points.norm(dim=1)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.03)
    for _ in range(500):
        optimizer.zero_grad()
        loss = ((network(points) - distances) ** 2).mean()
        loss.backward()
        optimizer.step()
    assert loss.item() < 2e-3
    again = Network()
    again.load_state_dict(network.state_dict())
    torch.testing.assert_close(again(points), network(points))


# The parameters of a differential equation, through an integrator in C ------------------------------------------------------

RUNGE_KUTTA = """
static void lotka_volterra(const double *p, const double *y, double *d) {
    d[0] = p[0]*y[0] - p[1]*y[0]*y[1];
    d[1] = -p[2]*y[1] + p[3]*y[0]*y[1];
}
static void advance(const double *p, double *u, double h) {
    double k[4][2], t[2];
    for (int stage = 0; stage < 4; stage++) {
        double f = stage == 0 ? 0 : stage == 3 ? h : h/2;
        for (int j = 0; j < 2; j++) t[j] = stage ? u[j] + f*k[stage - 1][j] : u[j];
        lotka_volterra(p, t, k[stage]);
    }
    for (int j = 0; j < 2; j++) u[j] += h/6*(k[0][j] + 2*k[1][j] + 2*k[2][j] + k[3][j]);
}
/* y at the end of each of `count` intervals, each of 10 steps */
void trajectory(const double *p, double *y, int count, double h) {
    double u[2] = {1, 1};
    for (int c = 0; c < count; c++) {
        for (int s = 0; s < 10; s++) advance(p, u, h);
        y[2*c] = u[0]; y[2*c + 1] = u[1];
    }
}
/* half the squared distance of a trajectory from `data` */
double misfit(const double *p, const double *data, int count, double h) {
    double u[2] = {1, 1}, sum = 0;
    for (int c = 0; c < count; c++) {
        for (int s = 0; s < 10; s++) advance(p, u, h);
        for (int j = 0; j < 2; j++) sum += (u[j] - data[2*c + j])*(u[j] - data[2*c + j])/2;
    }
    return sum;
}
"""
TRUTH, START = np.array([1.5, 1.0, 3.0, 1.0]), np.array([1.2, 0.8, 2.5, 1.2])


def test_the_parameters_of_a_differential_equation_are_found():
    optimize = framework("scipy.optimize")
    from enzyme_magic.integrations.scipy import objective, residuals

    program = em.compile_c(RUNGE_KUTTA)
    model = residuals(program.trajectory, "p", out_shape=20, count=10, h=0.02)
    data = model(TRUTH)
    step = 1e-6
    differences = [(model(START + step * e) - model(START - step * e)) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(model.jac(START), np.array(differences).T, rtol=1e-5, atol=1e-8)
    found = optimize.least_squares(lambda p: model(p) - data, START, jac=model.jac)
    np.testing.assert_allclose(found.x, TRUTH, rtol=1e-6)

    misfit = objective(program.misfit, "p", data=data, count=10, h=0.02)
    np.testing.assert_allclose(misfit.jac(START), model.jac(START).T @ (model(START) - data), rtol=1e-12)
    for method, options in [("BFGS", {"jac": True}), ("Newton-CG", {"jac": True, "hess": misfit.hess})]:
        found = optimize.minimize(misfit, START, method=method, **options)
        np.testing.assert_allclose(found.x, TRUTH, rtol=1e-3)


# The cell of a hierarchical multiscale LSTM: an element-wise map, forward mode inside of a reverse sweep ------------------------

# The update of a cell (Chung, Ahn, Bengio 2017). z: the boundary detected below; before: that of this layer one step earlier.
CELL = """
static double sigmoid(double x) { return 1/(1 + exp(-x)); }
static double update(double c, double f, double i, double g, int z, int before) {
    if (before) return sigmoid(i)*tanh(g);              /* flush */
    if (z) return sigmoid(f)*c + sigmoid(i)*tanh(g);    /* update */
    return c;                                           /* copy */
}

/* The same with a derivative of its own: all four partial derivatives at once by forward mode, kept for the reverse sweep. */
typedef struct { double c, f, i, g; } partials;
typedef struct { partials kept; double result; } augmented;
partials __enzyme_fwddiff(void *, ...);
static augmented forward(double c, double f, double i, double g, int z, int before) {
    augmented made;
    made.kept = __enzyme_fwddiff((void *)update, enzyme_width, 4, enzyme_dup, c, 1.0, 0.0, 0.0, 0.0,
        enzyme_dup, f, 0.0, 1.0, 0.0, 0.0, enzyme_dup, i, 0.0, 0.0, 1.0, 0.0, enzyme_dup, g, 0.0, 0.0, 0.0, 1.0,
        enzyme_const, z, enzyme_const, before);
    made.result = update(c, f, i, g, z, before);
    return made;
}
static partials backward(double c, double f, double i, double g, int z, int before, double d, partials kept) {
    partials adjoints = {d*kept.c, d*kept.f, d*kept.i, d*kept.g};
    return adjoints;
}
static double mixed_update(double c, double f, double i, double g, int z, int before) {
    return update(c, f, i, g, z, before);
}
void *__enzyme_register_gradient_mixed[3] = {mixed_update, forward, backward};

#define EACH(function) for (size_t k = 0; k < n; k++) out[k] = function(c[k], f[k], i[k], g[k], z[k], before[k])
void plain(size_t n, const double c[n], const double f[n], const double i[n], const double g[n],
           const int z[n], const int before[n], double out[n]) { EACH(update); }
void mixed(size_t n, const double c[n], const double f[n], const double i[n], const double g[n],
           const int z[n], const int before[n], double out[n]) { EACH(mixed_update); }

/* The cell over `steps`, its gates driven by the state: a loss of the last state. */
#define UNROLLED(map) \\
    double c[2][n], f[n], i[n], g[n], loss = 0; \\
    for (size_t k = 0; k < n; k++) c[0][k] = w[0][k]; \\
    for (size_t s = 0; s < steps; s++) { \\
        for (size_t k = 0; k < n; k++) { \\
            f[k] = w[1][k]*c[s % 2][k]; \\
            i[k] = w[2][k] - c[s % 2][(k + 1) % n]; \\
            g[k] = w[3][k]*c[s % 2][k]; \\
        } \\
        map(n, c[s % 2], f, i, g, z[s + 1], z[s], c[(s + 1) % 2]); \\
    } \\
    for (size_t k = 0; k < n; k++) loss += c[steps % 2][k]*c[steps % 2][k]; \\
    return loss
double plain_loss(size_t steps, size_t n, const double w[4][n], const int z[steps + 1][n]) { UNROLLED(plain); }
double mixed_loss(size_t steps, size_t n, const double w[4][n], const int z[steps + 1][n]) { UNROLLED(mixed); }
"""


@pytest.fixture(scope="module")
def cell() -> em.Program:
    return em.compile_c(CELL)


def cases(size: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Gates and boundaries with all three cases in them."""
    random = np.random.default_rng(1)
    gates = [random.standard_normal(size) for _ in range(4)]
    boundaries = [(np.arange(size) // width % 2).astype(np.int32) for width in (1, 2)]
    return gates, boundaries


def test_forward_mode_inside_of_a_reverse_sweep_gives_the_same(cell: em.Program) -> None:
    random = np.random.default_rng(0)
    steps, n = 7, 6
    w, z = random.standard_normal((4, n)), random.integers(0, 2, (steps + 1, n)).astype(np.int32)
    plain, mixed = cell.plain_loss.grad(steps, n, w, z), cell.mixed_loss.grad(steps, n, w, z)
    assert np.abs(plain).min() > 0
    np.testing.assert_allclose(mixed, plain, rtol=1e-13)
    direction = random.standard_normal(w.shape)
    ends = [cell.plain_loss(steps, n, w + sign * 1e-6 * direction, z) for sign in (1, -1)]
    assert np.vdot(mixed, direction) == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)


def test_the_cell_in_torch(cell: em.Program) -> None:
    torch = framework("torch")
    from enzyme_magic.integrations.torch import op

    gates, boundaries = cases(12)
    inputs = [torch.tensor(gate, requires_grad=True) for gate in gates]
    z, before = map(torch.from_numpy, boundaries)

    def written_in_torch(c, f, i, g):
        fresh = torch.sigmoid(i) * torch.tanh(g)
        return torch.where(before != 0, fresh, torch.where(z != 0, torch.sigmoid(f) * c + fresh, c))

    wanted = written_in_torch(*inputs)
    weights = torch.linspace(-1, 1, 12, dtype=torch.float64)
    gradients = torch.autograd.grad(wanted, inputs, weights)
    for name in ("plain", "mixed"):
        out = op(cell[name])(*inputs, z, before)
        torch.testing.assert_close(out, wanted)
        torch.testing.assert_close(torch.autograd.grad(out, inputs, weights), gradients)
