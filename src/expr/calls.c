/* SPDX-License-Identifier: MIT */
/* calls.c: functions of hydraulics that are written in the language itself. A call is read as its value, the body with the arguments in
 * place, and remembers what was written: derivatives of any order, tapes, C and cuts see the body, people see the call. So partial
 * derivatives are exact by construction. SI units; docs/theory/expressions.md#hydraulics says what each is valid for.
 *
 * Kinks of those that are smooth here are none in their first derivative (smoothstep, friction), or such that an integrator may pass
 * without an event (densities at zero gauge pressure).
 *
 * Sources: Petukhov 1970 and Haaland 1983 (friction), Murnaghan 1944 (density), the form of entrained air is that of Kajaste et al. 1992 with
 * a constant bulk modulus, stops are those of Hunt and Crossley 1975. */
#include "expr/impl.h"

/* Between two numbers; its cubic and quintic. */
#define SHARE "min(max((x - a)/(b - a), 0), 1)"
#define LINE "rho0 + p*(rho0 - rho_gas)/(0 - p_gas)"
#define RE "max(rho*abs(u)*d/mu, 2000)"
#define BLEND "smoothstep(rho*abs(u)*d/mu, 2000, 3000)"
#define LAMINAR "(1 - " BLEND ")*shape/2*mu*u/d^2"
#define TURBULENT BLEND "*rho*u*abs(u)/(2*d)"
#define SMOOTH_WALL(re) "(0.79*log(" re ") - 1.64)^2"
#define ROUGH_WALL(re) "(1.8*log10((k/3.7)^1.11 + 6.9/" re "))^2"

const sl_call_info sl_calls[] = {
    {"smoothstep", 3, 3, "x a b", {SHARE "^2*(3 - 2*" SHARE ")"}, true},
    {"smootherstep", 3, 3, "x a b", {SHARE "^3*(10 - 15*" SHARE " + 6*" SHARE "^2)"}, true},
    {"regroot", 2, 2, "x delta", {"x/(x^2 + delta^2)^0.25"}, true},
    {"regsquare", 2, 2, "x delta", {"x*sqrt(x^2 + delta^2)"}, true},
    {"regpow", 3, 3, "x a delta", {"x*(x^2 + delta^2)^((a - 1)/2)"}, true},
    {"liquid_density",
     3,
     6,
     "p rho0 beta n p_gas rho_gas",
     {"rho0*(1 + p/beta)", "rho0*(1 + n*p/beta)^(1/n)", NULL, "if(p < 0, " LINE ", rho0*(1 + n*max(p, 0)/beta)^(1/n))"},
     true},
    {"liquid_pressure",
     3,
     6,
     "rho rho0 beta n p_gas rho_gas",
     {"beta*(rho/rho0 - 1)", "beta/n*((rho/rho0)^n - 1)", NULL,
      "if(rho < rho0, (rho - rho0)*(0 - p_gas)/(rho0 - rho_gas), beta/n*((max(rho, rho0)/rho0)^n - 1))"},
     true},
    {"aerated_density",
     7,
     7,
     "p rho0 beta alpha rho_gas0 p0 n",
     {"(rho0 + alpha*rho_gas0)/(exp((p0 - p)/beta) + alpha*(p0/p)^(1/n))"},
     true},
    {"friction_factor",
     1,
     3,
     "re shape k",
     {"(1 - smoothstep(re, 2000, 3000))*64/re + smoothstep(re, 2000, 3000)/" SMOOTH_WALL("max(re, 2000)"),
      "(1 - smoothstep(re, 2000, 3000))*shape/re + smoothstep(re, 2000, 3000)*shape/64/" SMOOTH_WALL("max(re, 2000)"),
      "(1 - smoothstep(re, 2000, 3000))*shape/re + smoothstep(re, 2000, 3000)*shape/64/" ROUGH_WALL("max(re, 2000)")},
     true},
    {"friction_gradient",
     4,
     6,
     "u rho mu d shape k",
     {"(1 - " BLEND ")*32*mu*u/d^2 + " TURBULENT "/" SMOOTH_WALL(RE),
      LAMINAR " + " TURBULENT "*shape/64/" SMOOTH_WALL(RE), LAMINAR " + " TURBULENT "*shape/64/" ROUGH_WALL(RE)},
     true},
    {"orifice_flow", 5, 5, "dp rho area c dp_lam", {"c*area*sqrt(2*rho)*dp/(dp^2 + dp_lam^2)^0.25"}, true},
    {"orifice_transition",
     5,
     5,
     "rho mu area c re",
     {"rho/2*(re*mu*sqrt(3.141592653589793)/(2*c*rho*sqrt(area)))^2"},
     true},
    {"stop_force", 4, 4, "x v k c", {"k*max(x, 0)*max(0, 1 + c*v)"}, false},
};
const int sl_n_call = (int)(sizeof sl_calls / sizeof *sl_calls);

int sl_call_find(sl_str word) {
    for (int i = 0; i < sl_n_call; i++) {
        if (sl_str_equal(word, sl_str_z(sl_calls[i].word))) {
            return i;
        }
    }
    return -1;
}

sl_expr sl_expr_call(sl_exprs *g, int call, int32_t n, const sl_expr *value_and_args) {
    bool is_number = value_and_args[0] >= 0 && sl_node_op(g, value_and_args[0]) == SL_OP_CONST;
    return is_number ? value_and_args[0] : sl_expr_cons(g, SL_OP_CALL, call, 0, 0.0, n, value_and_args);
}
