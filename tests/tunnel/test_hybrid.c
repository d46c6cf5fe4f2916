/* SPDX-License-Identifier: MIT */
/* The hybrid model against the reference runs: times, names and order of events, states at report times, volume and energy. */
#include "tunnel_test.h"

#include "hybrid/hybrid.h"
#include "tunnel/model.h"

enum { MOST_NAMES = 40, MOST_TEXT = 600 };

/* ---- A case of the reference ---------------------------------------------------------------------- */

static void set_end(sl_tunnel_end *end, const sl_yaml_node *pipe, int j) {
    static const char *const keys[] = {"z", "kin", "kout", "open"};
    double value[4];
    for (int k = 0; k < 4; k++) {
        const sl_yaml_node *node = child(pipe, keys[k])->first;
        value[k] = number(j == 0 ? node : node->next);
    }
    end->elevation = value[0];
    end->in = value[1];
    end->out = value[2];
    end->is_open = value[3] != 0.0;
}

static sl_tunnel_series constant(sl_tunnel_network *net, double value) {
    double *both = sl_arena_alloc(&net->arena, 2 * sizeof *both);
    both[1] = value;
    return (sl_tunnel_series){1, both, both + 1, NULL};
}

static void set_tub(sl_tunnel_network *net, int v, const sl_yaml_node *tub) {
    static const char *const kinds[] = {"none", "level", "reservoir", "outfall"};
    sl_tunnel_valve *valve = &net->valves[v];
    for (int k = 0; k < SL_TUB_KIND_COUNT; k++) {
        if (sl_str_equal(child(tub, "kind")->text, sl_str_z(kinds[k]))) {
            valve->tub = (sl_tub_kind)k;
        }
    }
    valve->is_open = number(child(tub, "open")) != 0.0;
    valve->level = number(child(tub, "level"));
    valve->bottom = number(child(tub, "bottom"));
    valve->area = number(child(tub, "area"));
    if (valve->tub == SL_TUB_LEVEL) {
        valve->levels = constant(net, valve->level);
    } else if (valve->tub == SL_TUB_RESERVOIR && number(child(tub, "inflow")) != 0.0) {
        valve->inflow = constant(net, number(child(tub, "inflow")));
    }
}

static void add_move(sl_tunnel_network *net, const sl_yaml_node *item) {
    int a = 0, b = 0;
    const char *what = item->first->next->text.ptr;
    sl_tunnel_move *m = &net->moves[net->n_move++];
    m->t = number(item->first);
    m->is_open = number(item->first->next->next) != 0.0;
    if (sscanf(what, "tub[%d]", &a) == 1) {
        m->valve = a;
    } else {
        assert_int_equal(sscanf(what, "end[%d,%d]", &a, &b), 2);
        m->valve = -1;
        m->end = 2 * a + b;
    }
}

static sl_tunnel_network *case_network(fixture *f, const sl_yaml_node *of, bool drops) {
    const sl_yaml_node *in = child(of, "inputs");
    int ends[32], n_pipe = 0, v = 0, i = 0;
    for (const sl_yaml_node *p = child(in, "pipes")->first; p; p = p->next) {
        ends[2 * n_pipe] = (int)number(child(p, "a"));
        ends[2 * n_pipe++ + 1] = (int)number(child(p, "b"));
    }
    sl_tunnel_network *net = plain_network(f, (int)child(in, "z")->n, n_pipe, ends);
    for (const sl_yaml_node *z = child(in, "z")->first; z; z = z->next, v++) {
        net->valves[v].elevation = number(z);
        net->valves[v].suction = number(child(in, "vac"));
        net->valves[v].hysteresis = number(child(in, "hyst"));
    }
    v = 0;
    for (const sl_yaml_node *tub = child(in, "tubs")->first; tub; tub = tub->next) {
        set_tub(net, v++, tub);
    }
    for (const sl_yaml_node *p = child(in, "pipes")->first; p; p = p->next, i++) {
        sl_tunnel_pipe *pipe = &net->pipes[i];
        pipe->length = number(child(p, "L"));
        pipe->area = number(child(p, "A"));
        pipe->diameter = sqrt(4.0 * pipe->area / 3.14159265358979323846);
        pipe->friction = number(child(p, "f"));
        pipe->added_length = number(child(p, "lreg"));
        set_end(&pipe->ends[0], p, 0);
        set_end(&pipe->ends[1], p, 1);
        pipe->ends[0].drops = drops;
    }
    net->moves = sl_arena_alloc(&net->arena, (size_t)child(in, "schedule")->n * sizeof *net->moves);
    for (const sl_yaml_node *m = child(in, "schedule")->first; m; m = m->next) {
        add_move(net, m);
    }
    finish_network(net);
    return net;
}

/* ---- An execution of it ----------------------------------------------------------------------------- */

typedef struct run {
    fixture *f;
    sl_tunnel_network *net;
    sl_tunnel_model model;
    sl_hybrid *h;
    int32_t n_x, n_q;
    double volume, worst_volume, worst_energy;
} run;

static const char *q_name(const run *r, int32_t j) {
    return sl_tunnel_ops.q_name(sl_hybrid_instance(r->h), j);
}

static void run_init(run *r, fixture *f, const sl_yaml_node *of, bool drops, bool all) {
    *r = (run){.f = f, .net = case_network(f, of, drops)};
    r->model = sl_tunnel_model_default(r->net);
    r->model.all_reversals = all;
    sl_hybrid_def def = sl_hybrid_default();
    def.dae.rtol = r->model.rtol = 1e-8;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.dae.skip_algebraic = true;
    def.end = number(child(child(of, "checks"), "t_end"));
    sl_assert_ok(sl_hybrid_create(f->ctx, &sl_tunnel_ops, &r->model, &def, f->diags, &r->h));
    sl_tunnel_ops.sizes(sl_hybrid_instance(r->h), &r->n_x, &r->n_q);
    double *x = calloc((size_t)r->n_x, sizeof *x);
    int32_t *q = calloc((size_t)r->n_q, sizeof *q);
    int k = 0, n = 4 * r->net->n_pipe + r->net->n_valve;
    for (const sl_yaml_node *y = child(child(of, "initial"), "y")->first; y && k < n; y = y->next) {
        x[k++] = number(y);
    }
    memcpy(x + n, sl_hybrid_x(r->h) + n, (size_t)(r->n_x - n) * sizeof *x);
    for (const sl_yaml_node *name = child(child(of, "initial"), "discrete")->first; name; name = name->next) {
        int32_t j = 0;
        while (j < r->n_q && strcmp(q_name(r, j), name->text.ptr) != 0) {
            j++;
        }
        if (j == r->n_q || sl_tunnel_ops.q_domain(sl_hybrid_instance(r->h), j) == 1) {
            continue; /* the opening of no tub */
        }
        q[j] = 1;
    }
    for (int32_t j = sl_tunnel_n_bit(r->net); j < r->n_q; j++) {
        q[j] = sl_hybrid_q(r->h)[j]; /* gates are as they begin */
    }
    sl_assert_ok(sl_hybrid_reset(r->h, 0.0, x, NULL, q, false));
    r->volume = sl_tunnel_volume(r->net, x);
    free(x);
    free(q);
}

static void run_fini(run *r) {
    sl_hybrid_destroy(r->h);
    sl_tunnel_network_destroy(r->net);
}

static void fail_with_diags(const sl_diags *diags) {
    for (int32_t k = 0; k < sl_diags_size(diags); k++) {
        print_error("%s\n", sl_diags_at(diags, k)->text);
    }
    fail();
}

/* What has an execution of the discrete part raised: controls before it, or events after it. Sorted names. */
static void write_set(const run *r, bool events, char *text) {
    const char *names[MOST_NAMES];
    int n = 0;
    for (int32_t j = 0; j < sl_tunnel_n_bit(r->net); j++) {
        const char *name = q_name(r, j);
        size_t len = strlen(name);
        bool control = len > 3 && strcmp(name + len - 3, "ctl") == 0;
        if (sl_hybrid_q(r->h)[j] && (events ? sl_tunnel_bit_event(r->net, j) != NULL : control)) {
            assert_true(n < MOST_NAMES);
            names[n++] = name;
        }
    }
    text[0] = '\0';
    for (int k = 0; k < n; k++) {
        strcat(strcat(text, k ? " " : ""), names[k]);
    }
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_words(char *text) {
    char copy[MOST_TEXT];
    const char *words[MOST_NAMES];
    int n = 0;
    strcpy(copy, text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        words[n++] = word;
    }
    qsort(words, (size_t)n, sizeof *words, by_text);
    text[0] = '\0';
    for (int k = 0; k < n; k++) {
        strcat(strcat(text, k ? " " : ""), words[k]);
    }
}

static void list_words(const sl_yaml_node *list, char *text) {
    text[0] = '\0';
    for (const sl_yaml_node *c = list->first; c; c = c->next) {
        strcat(strcat(text, text[0] ? " " : ""), c->text.ptr);
    }
    sort_words(text);
}

/* The next execution of the discrete part that raises events; false: the end. */
static bool next_execution(run *r, double *t, char *controls, char *events) {
    sl_hybrid_info info;
    controls[0] = '\0';
    double energy = 0.0;
    for (;;) {
        energy = sl_tunnel_kinetic_energy(r->net, sl_hybrid_x(r->h));
        if (sl_hybrid_next(r->h, SL_HYBRID_ANY, r->f->diags, &info) != SL_OK) {
            fail_with_diags(r->f->diags);
        }
        if (info.event == SL_HYBRID_STOP) {
            return false;
        }
        if (info.event == SL_HYBRID_ACTION) {
            double after = sl_tunnel_kinetic_energy(r->net, sl_hybrid_x(r->h));
            r->worst_energy = fmax(r->worst_energy, (after - energy) / fmax(energy, 1e-6));
        }
        if (info.event == SL_HYBRID_ROOT || info.event == SL_HYBRID_ACTION) {
            write_set(r, false, controls);
        }
        if (info.event == SL_HYBRID_SETTLED && info.i > 0) {
            write_set(r, true, events);
            if (events[0]) {
                *t = info.t;
                sort_words(controls);
                sort_words(events);
                return true;
            }
        }
    }
}

static void compare_case(fixture *f, const sl_yaml_node *of) {
    run r;
    const char *name = of->key.ptr;
    run_init(&r, f, of, strstr(name, "drops") != NULL, false);
    char controls[MOST_TEXT], events[MOST_TEXT], wanted[MOST_TEXT];
    double t;
    for (const sl_yaml_node *e = child(of, "events")->first; e; e = e->next) {
        for (const sl_yaml_node *x = child(e, "executions")->first; x; x = x->next) {
            list_words(child(x, "events"), wanted);
            if (!wanted[0]) {
                continue;
            }
            if (!next_execution(&r, &t, controls, events)) {
                fail_msg("%s: no event '%s' at %s", name, wanted, child(e, "t")->text.ptr);
            }
            if (strcmp(events, wanted) != 0) {
                fail_msg("%s: at %.9g '%s' by '%s' instead of '%s' at %s", name, t, events, controls, wanted,
                         child(e, "t")->text.ptr);
            }
            sl_assert_near(t, number(child(e, "t")), 1e-6, 1e-6);
        }
    }
    if (next_execution(&r, &t, controls, events)) {
        fail_msg("%s: at %.9g '%s' by '%s', which the reference has not", name, t, events, controls);
    }
    print_message("%-60s ok, energy %.3g\n", name, r.worst_energy);
    assert_true(r.worst_energy <= 1e-12);
    run_fini(&r);
}

static void events_are_those_of_the_reference(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    for (const sl_yaml_node *c = fixture_open(&f, "hybrid_reference.json") ? sl_yaml_root(f.doc)->first : NULL; c;
         c = c->next) {
        compare_case(&f, c);
    }
    fixture_fini(&f);
}

/* ---- States ------------------------------------------------------------------------------------------ */

static void compare_list(const run *r, const char *what, double t, const sl_yaml_node *list, const double *x,
                         double scale) {
    int k = 0;
    for (const sl_yaml_node *item = list->first; item; item = item->next) {
        if (item->kind == SL_YAML_LIST) {
            for (const sl_yaml_node *c = item->first; c; c = c->next, k++) {
                if (!(fabs(x[k] - number(c)) <= 1e-6 * scale)) {
                    fail_msg("%s: %s %d at %g is %.12g instead of %s", r->f->doc ? "case" : "", what, k, t, x[k],
                             c->text.ptr);
                }
            }
        } else {
            if (!(fabs(x[k] - number(item)) <= 1e-6 * scale)) {
                fail_msg("%s %d at %g is %.12g instead of %s", what, k, t, x[k], item->text.ptr);
            }
            k++;
        }
    }
}

static void compare_sample(const run *r, const sl_yaml_node *sample, const double *x, double scale) {
    double t = number(child(sample, "t"));
    int n = 2 * r->net->n_pipe;
    compare_list(r, "volume", t, child(sample, "V"), x, scale);
    compare_list(r, "flow", t, child(sample, "Q"), x + n, scale);
    double water[16];
    for (int32_t v = 0; v < r->net->n_valve; v++) {
        water[v] = x[2 * n + v] + sl_tunnel_series_integral(&r->net->valves[v].inflow, t);
    }
    compare_list(r, "water", t, child(sample, "W"), water, scale);
    for (const sl_yaml_node *h = child(sample, "H")->first; h; h = h->next) {
        sl_assert_near(x[2 * n + r->net->n_valve + atoi(h->key.ptr)], number(h), 1e-4, 1e-5);
    }
}

static void states_are_those_of_the_reference(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    for (const sl_yaml_node *c = fixture_open(&f, "hybrid_reference.json") ? sl_yaml_root(f.doc)->first : NULL; c;
         c = c->next) {
        run r;
        run_init(&r, &f, c, strstr(c->key.ptr, "drops") != NULL, true);
        double *x = malloc(2 * (size_t)r.n_x * sizeof *x), end = 0.0, scale = 1.0;
        for (const sl_yaml_node *s = child(c, "samples")->first; s; s = s->next) {
            sl_hybrid_info info = {0};
            double t = number(child(s, "t"));
            while (end < t) {
                sl_assert_ok(sl_hybrid_next(r.h, SL_HYBRID_STEP | SL_HYBRID_CROSSING | SL_HYBRID_JUMP, f.diags, &info));
                end = info.t;
            }
            if (t > 0.0 && t < end) {
                sl_assert_ok(sl_hybrid_interpolate(r.h, t, x, x + r.n_x));
                for (int32_t j = 0; j < 4 * r.net->n_pipe + r.net->n_valve; j++) {
                    scale = fmax(scale, fabs(x[j]));
                }
                compare_sample(&r, s, x, scale);
                double volume = sl_tunnel_volume(r.net, x) - r.volume;
                r.worst_volume = fmax(r.worst_volume, fabs(volume) / fmax(r.volume, 1.0));
            }
        }
        print_message("%-60s volume %.2g\n", c->key.ptr, r.worst_volume);
        assert_true(r.worst_volume < 1e-9);
        free(x);
        run_fini(&r);
    }
    fixture_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_those_of_the_reference),
                                       cmocka_unit_test(events_are_those_of_the_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
