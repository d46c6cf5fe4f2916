/* SPDX-License-Identifier: MIT */
/* A partner of a co-simulation in C: it reads a tank's level and answers with the speed of a pump.
 * Build: cc partner.c -lsluice */
#include <sluice/cosim.h>
#include <stdio.h>

static void tell(void *user, const char *text) {
    fprintf(stderr, "%s: %s\n", (const char *)user, text);
}

static void tell_error(void *user, sl_cosim_code code, const char *text) {
    (void)code;
    tell(user, text);
}

int main(int argc, char **argv) {
    sl_cosim_def def = sl_cosim_default();
    def.in = argc == 3 ? argv[1] : "sluice.cosim";
    def.out = argc == 3 ? argv[2] : "partner.cosim";
    def.warning = tell, def.error = tell_error, def.user = argv[0];

    sl_cosim *x = NULL;
    if (sl_cosim_open(NULL, &def, &x) != SL_COSIM_OK) return 1;
    sl_cosim_add_in(x, 42, 0, "level of the tank");
    sl_cosim_add_out(x, 1, 0, "speed of the pump");

    double level = 0, speed = 1;
    sl_cosim_code code = SL_COSIM_OK;
    while ((code = sl_cosim_read(x)) == SL_COSIM_OK) {
        if (sl_cosim_value(x, 0, 42, &level) == SL_COSIM_OK)
            speed = level < 2 ? 1 : level > 4 ? 0 : speed; /* between the two: as before */
        printf("%8g s  level %.2f m  speed %g\n", sl_cosim_time(x), level, speed);
        sl_cosim_write_values(x, sl_cosim_time(x), sl_cosim_next(x), &speed, 1);
    }
    sl_cosim_close(x); /* says END, and waits for the partner's */
    return code == SL_COSIM_END ? 0 : 1;
}
