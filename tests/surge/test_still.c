/* SPDX-License-Identifier: MIT */
/* test_still.c: a run without an event stays where it is: heads within 1e-6 m, on the examples and, where they are at hand,
 * on all shared networks below 2000 links. As many steps as a few seconds allow, 10 000 on small networks. */
#include "surge_test.h"

#include <dirent.h>
#include <sys/stat.h>

enum { MOST_LINKS = 2000, MOST_STEPS = 10000 };
#define CELLS 4e6 /* work per network */

static int n_done, n_skipped;

static char *read_all(const char *path, size_t *n) {
    FILE *file = fopen(path, "rb");
    char *bytes = file ? malloc((1 << 24) + 1) : NULL;
    *n = bytes ? fread(bytes, 1, 1 << 24, file) : 0;
    if (file) {
        fclose(file);
    }
    return bytes;
}

static double moved(sl_session *s, const sl_surge_view *v) {
    double worst = 0.0;
    int32_t n;
    for (int64_t i = 0; i < v->n_point; i++) {
        worst = fmax(worst, fmax(v->head_max[i] - v->head_start[i], v->head_start[i] - v->head_min[i]));
    }
    const double *high = sl_session_view(s, sl_session_field(s, "node.head.max"), &n);
    const double *low = sl_session_view(s, sl_session_field(s, "node.head.min"), &n);
    for (int32_t i = 0; i < n; i++) {
        worst = fmax(worst, high[i] - low[i]);
    }
    return worst;
}

static void still(const char *path, sl_surge_cavitation cavitation, sl_surge_friction friction) {
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *session = NULL;
    size_t n;
    char *bytes = read_all(path, &n);
    assert_non_null(bytes);
    sl_assert_ok(sl_context_create(NULL, &ctx));
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_status status = sl_inp_read(ctx, bytes, n, NULL, diags, &net);
    free(bytes);
    sl_surge_def def = sl_surge_default();
    def.duration = 0.0;
    def.tanks = SL_SURGE_TANKS_HOLD;
    def.cavitation = cavitation;
    def.friction = friction;
    def.reaches = 1;
    def.distortion_error = false;
    if (status == SL_OK && net->n_link < MOST_LINKS) {
        sl_assert_ok(sl_model_from_surge(ctx, net, &def, diags, &model)); /* each of them has a steady state */
    }
    if (!model) { /* broken on purpose, or too large */
        print_message("left out: %s\n", path);
        n_skipped++;
    } else {
        sl_surge_grid grid = {.size = sizeof grid};
        sl_surge_view view = {.size = sizeof view};
        sl_assert_ok(sl_model_surge_grid(model, &grid));
        double steps = fmin(fmax(CELLS / (double)(grid.n_cell + 1), 20.0), MOST_STEPS);
        sl_assert_ok(sl_session_create(ctx, model, diags, &session));
        sl_assert_ok(sl_session_advance(session, floor(steps) * grid.dt, 0, NULL));
        sl_assert_ok(sl_session_surge(session, &view));
        double worst = moved(session, &view);
        if (!(worst <= 1e-6)) {
            print_error("%s moves by %g m in %g steps of %g s\n", path, worst, floor(steps), grid.dt);
        }
        assert_true(worst <= 1e-6);
        assert_true(fabs(view.balance.error) <= 1e-9 * view.balance.scale);
        n_done++;
    }
    sl_session_destroy(session);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
}

/* Every .inp below a folder. */
static void walk(const char *folder, sl_surge_cavitation cavitation, sl_surge_friction friction) {
    DIR *d = opendir(folder);
    struct dirent *entry;
    while (d && (entry = readdir(d)) != NULL) {
        char path[2048];
        struct stat info;
        size_t n = strlen(entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            walk(path, cavitation, friction);
        } else if (n > 4 && strcmp(entry->d_name + n - 4, ".inp") == 0 && info.st_size < 1 << 24) {
            still(path, cavitation, friction);
        }
    }
    if (d) {
        closedir(d);
    }
}

static void test_examples(void **state) {
    (void)state;
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/examples", SL_TEST_SOURCE_DIR);
    walk(folder, SL_SURGE_DGCM, SL_SURGE_QUASI_STEADY);
    walk(folder, SL_SURGE_DVCM, SL_SURGE_CONVOLUTION);
    walk(folder, SL_SURGE_LIQUID, SL_SURGE_ACCELERATION);
    assert_true(n_done >= 15);
}

static void test_shared(void **state) {
    (void)state;
    const char *shared = getenv("SLUICE_SHARED");
    if (!shared || !*shared) {
        print_message("skipped the public networks: there is no ../shared\n");
        return;
    }
    char folder[1024];
    n_done = n_skipped = 0;
    snprintf(folder, sizeof folder, "%s/networks", shared);
    walk(folder, SL_SURGE_DGCM, SL_SURGE_QUASI_STEADY);
    print_message("%d networks stay still; %d are too large or no networks\n", n_done, n_skipped);
    assert_true(n_done > n_skipped);
}

/* The start is the state of the extended-period run at the time asked for, also between its steps. */
static void test_time_of_day(void **state) {
    (void)state;
    static const double times[] = {0.0, 8.0 * 3600.0, 13.37 * 3600.0};
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/town.inp", SL_TEST_SOURCE_DIR);
    size_t n;
    char *bytes = read_all(path, &n);
    assert_non_null(bytes);
    bytes[n] = '\0';
    for (int k = 0; k < 3; k++) {
        surge_bench b, day;
        surge_open(&b, bytes);
        surge_open(&day, bytes);
        sl_surge_def def = sl_surge_default();
        def.start = times[k];
        surge_begin(&b, &def);
        sl_assert_ok(sl_model_from_network(day.ctx, day.net, NULL, day.diags, &day.model));
        sl_assert_ok(sl_session_create(day.ctx, day.model, day.diags, &day.session));
        surge_advance(&day, times[k]);
        int32_t n_node, n_link;
        const double *head = sl_session_view(b.session, sl_session_field(b.session, "node.head"), &n_node);
        const double *eps_head = sl_session_view(day.session, sl_session_field(day.session, "node.head"), &n_node);
        for (int32_t i = 0; i < n_node; i++) {
            sl_assert_near(head[i], eps_head[i], 1e-4, 0.0); /* this one is solved as finely as its file asks */
        }
        const double *flow = sl_session_view(b.session, sl_session_field(b.session, "link.flow"), &n_link);
        const double *eps_flow = sl_session_view(day.session, sl_session_field(day.session, "link.flow"), &n_link);
        for (int32_t i = 0; i < n_link; i++) {
            sl_assert_near(flow[i], eps_flow[i], 1e-6, 1e-3);
        }
        surge_close(&b);
        surge_close(&day);
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_of_day),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
