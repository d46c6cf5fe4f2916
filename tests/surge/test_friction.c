/* SPDX-License-Identifier: MIT */
/* test_friction.c: unsteady friction in detail: Vardy and Brown's coefficient, the fitted weights against Zielke's and
 * Vardy and Brown's own functions, and quasi-steady laws against those of the network. */
#include "surge_test.h"

#include "surge/impl.h"

static void test_coefficient(void **state) {
    (void)state;
    static const double re[] = {1870.0, 5600.0, 1e5, 1e6}, k[] = {0.0345, 0.0209, 0.00742, 0.00370};
    for (int i = 0; i < 4; i++) {
        sl_surge_model m = {.def = {.friction = SL_SURGE_ACCELERATION, .friction_k = (double)NAN},
                            .fluid = {.viscosity = 1e-6}};
        sl_surge_segment g = {.diameter = 0.1, .area = 0.01};
        g.flow = re[i] * 1e-6 / 0.1 * g.area;
        sl_surge_friction_prepare(&m, &g);
        sl_assert_near(g.k_u, k[i], 0.0, 0.005);
    }
}

static double zielke(double tau) {
    static const double m[] = {0.282095, -1.25, 1.057855, 0.9375, 0.396696, -0.351563};
    static const double n[] = {26.3744, 70.8493, 135.0198, 218.9216, 322.5544};
    double w = 0.0;
    if (tau < 0.02) {
        for (int i = 0; i < 6; i++) {
            w += m[i] * pow(tau, (i - 1) / 2.0);
        }
        return w;
    }
    for (int i = 0; i < 5; i++) {
        w += exp(-n[i] * tau);
    }
    return w;
}

static double vardy_brown(double tau, double re) {
    double b = pow(re, log10(15.29 / pow(re, 0.0567))) / 12.86;
    return 0.28209 * exp(-b * tau) / sqrt(tau);
}

/* A unit change of flow, looked at later: the sum of the decayed weights is the mean of W over one step. */
static void test_weights(void **state) {
    (void)state;
    for (int turbulent = 0; turbulent < 2; turbulent++) {
        double re = turbulent ? 1e5 : 1000.0, dtau = 2e-5;
        sl_surge_model m = {.def = {.friction = SL_SURGE_CONVOLUTION},
                            .fluid = {.viscosity = 1e-6, .gravity = 9.80665}};
        sl_surge_segment g = {.diameter = 0.1, .area = 0.01, .a = 1000.0};
        m.dt = dtau * g.diameter * g.diameter / (4.0 * m.fluid.viscosity);
        g.flow = re * m.fluid.viscosity / g.diameter * g.area;
        sl_surge_friction_prepare(&m, &g);
        for (int n = 5; n <= 5000; n = n * 3 / 2) {
            double sum = 0.0, tau = (n + 0.5) * dtau;
            for (int k = 0; k < 10; k++) {
                sum += g.weight[k] * pow(g.decay[k], n);
            }
            sl_assert_near(sum, turbulent ? vardy_brown(tau, re) : zielke(tau), 1e-3, 0.01);
        }
    }
}

/* r Q is the network's own loss. */
static void test_quasi_steady(void **state) {
    (void)state;
    static const char *const laws[] = {"H-W", "D-W", "C-M"};
    static const double rough[] = {120.0, 0.2, 0.012};
    for (int i = 0; i < 3; i++) {
        char inp[256];
        snprintf(
            inp, sizeof inp,
            "[JUNCTIONS]\nE 0 10\n[RESERVOIRS]\nR 50\n[PIPES]\nP R E 500 150 %g 3\n[OPTIONS]\nUNITS LPS\nHEADLOSS %s\n[END]\n",
            rough[i], laws[i]);
        surge_bench b;
        surge_open(&b, inp);
        const sl_network *net = b.net;
        double d = net->pipe_diameter[0];
        sl_surge_model m = {.net = net, .def = {.friction = SL_SURGE_QUASI_STEADY}};
        sl_surge_loss loss = {
            .resistance = sl_pipe_resistance(net->hydraulics.headloss, net->pipe_length[0], d, net->pipe_roughness[0]),
            .minor = sl_minor_loss(net->pipe_minor[0], d),
            .relative = net->pipe_roughness[0] / (3.7 * d),
            .re_scale = 4.0 / (3.14159265358979323846 * net->hydraulics.viscosity * d)};
        sl_dw_pipe dw = sl_dw_pipe_of(d, net->pipe_roughness[0], net->hydraulics.viscosity);
        for (double q = -0.05; q < 0.05; q += 0.0007) {
            double r, h, slope;
            sl_surge_slope(&m, &loss, 1, &q, &r);
            if (i == 0) {
                sl_pipes_hw(1, &loss.resistance, &loss.minor, &q, 0.0, &h, &slope);
            } else if (i == 1) {
                sl_pipes_dw(1, &loss.resistance, &loss.minor, &dw, &q, 0.0, &h, &slope);
            } else {
                sl_pipes_cm(1, &loss.resistance, &loss.minor, &q, 0.0, &h, &slope);
            }
            sl_assert_near(r * q, h, 1e-15, 1e-12);
        }
        surge_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coefficient),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_quasi_steady),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
