/* state.c: the layout of a run's state: one block, arrays at offsets that depend on the model only. */
#include "eps/impl.h"

/* Lays out one array after the other; with a NULL block it only measures. */
typedef struct layout {
    unsigned char *block;
    size_t at;
} layout;

static void *place(layout *l, int64_t n, size_t size) {
    size_t at = l->at;
    l->at += ((size_t)n * size + 7) / 8 * 8;
    return l->block ? l->block + at : NULL;
}

static size_t lay_out(const sl_eps_model *m, sl_eps_state *s, unsigned char *block) {
    const sl_network *net = m->net;
    layout l = {.block = block};
    s->block = block;
    s->x = place(&l, 1, sizeof *s->x);
    s->flow = place(&l, net->n_link, sizeof(double));
    s->head = place(&l, net->n_node, sizeof(double));
    s->setting = place(&l, net->n_pump + net->n_valve, sizeof(double));
    s->setting -= block ? net->n_pipe : 0; /* pipes have none: still within the block, behind the flows */
    s->outlet_flow = place(&l, m->n_outlet, sizeof(double));
    s->wanted = place(&l, net->n_junction, sizeof(double));
    s->volume = place(&l, net->n_tank, sizeof(double));
    s->inflow = place(&l, net->n_tank, sizeof(double));
    s->mean_inflow = place(&l, net->n_tank, sizeof(double));
    s->overflow = place(&l, net->n_tank, sizeof(double));
    s->energy = place(&l, net->n_pump, sizeof *s->energy);
    s->status = place(&l, net->n_link, 1);
    s->cut_off = place(&l, net->n_junction, 1);
    s->stiff = place(&l, net->n_tank, 1);
    s->swings = place(&l, net->n_tank, 1);
    s->told = place(&l, net->n_link, 1);
    return l.at;
}

size_t sl_eps_state_bytes(const sl_eps_model *m) {
    sl_eps_state s;
    return lay_out(m, &s, NULL);
}

void sl_eps_state_bind(const sl_eps_model *m, sl_eps_state *s, void *block) {
    lay_out(m, s, block);
}
