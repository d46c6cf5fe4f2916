/* SPDX-License-Identifier: MIT */
/* fuzz_state.c: saved states with any bytes changed, restored into a session and run on.
 *
 * The first byte chooses the model (hydraulics alone, a chemical, age, a trace), the second how far it has run when it is
 * saved. The third tells what the rest is: a state as it stands, or changes to the saved one, ten bytes each: a place, how,
 * and eight bytes. The checksum is then made to fit, for otherwise nothing behind it would ever be reached.
 * Beside the absence of crashes it asserts, for every input:
 *   - a state that is refused is refused with an error, and leaves the session as it was, bit for bit;
 *   - a session with a state that was taken shows all its values, saves, and goes on or fails with a message.
 */
#include "fuzz.h"

#include "base/out.h"
#include "eps/fields.h"
#include <sluice/sluice.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition, ...)                              \
    do {                                                     \
        if (!(condition)) {                                  \
            fprintf(stderr, "fuzz_state: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                    \
            fputc('\n', stderr);                             \
            abort();                                         \
        }                                                    \
    } while (0)

enum { N_MODEL = 4, HEAD = 88, CHANGE = 10, MAX_STEP = 12 };

static const char network[] =
    "[JUNCTIONS]\n a 10 5\n b 12 3 p\n c 8 0\n d 9 -1\n"
    "[RESERVOIRS]\n r 20\n"
    "[TANKS]\n t 30 2 1 5 8 0\n u 31 2 0 4 6 0\n"
    "[PIPES]\n 1 r a 500 300 120 0 CV\n 2 b t 300 200 100\n 3 b c 400 150 90\n 4 c d 200 100 110\n"
    " 5 a c 800 150 100\n 6 c u 250 200 100\n"
    "[PUMPS]\n P a b HEAD k\n"
    "[VALVES]\n V d b 150 PRV 20 0\n"
    "[CURVES]\n k 10 30\n"
    "[PATTERNS]\n p 1 1.5 0.5 0.8\n"
    "[CONTROLS]\n LINK P CLOSED IF NODE t ABOVE 4\n LINK P OPEN IF NODE t BELOW 1.5\n"
    "[RULES]\n RULE 1\n IF TANK u LEVEL > 3\n THEN PIPE 6 STATUS = CLOSED\n ELSE PIPE 6 STATUS = OPEN\n"
    "[EMITTERS]\n c 0.2\n"
    "[MIXING]\n u 2COMP 0.3\n"
    "[QUALITY]\n r 0.8\n t 0.4\n"
    "[REACTIONS]\n GLOBAL BULK -0.6\n GLOBAL WALL -0.2\n"
    "[SOURCES]\n r CONCEN 0.9\n b FLOWPACED 0.1\n"
    "[TIMES]\n DURATION 12\n HYDRAULIC TIMESTEP 1:00\n QUALITY TIMESTEP 0:10\n"
    "[OPTIONS]\n UNITS LPS\n HEADLOSS H-W\n";
static const char *const kinds[N_MODEL] = {"QUALITY NONE\n[END]\n", "QUALITY CHLORINE mg/L\n[END]\n",
                                           "QUALITY AGE\n[END]\n", "QUALITY TRACE r\n[END]\n"};

/* Made once: a model does not change. */
static sl_context *ctx;
static sl_network *nets[N_MODEL];
static sl_model *models[N_MODEL];

static void make_models(void) {
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK, "context");
    for (int i = 0; i < N_MODEL; i++) {
        char text[sizeof network + 64];
        sl_diags *diags = NULL;
        snprintf(text, sizeof text, "%s%s", network, kinds[i]);
        REQUIRE(sl_diags_create(ctx, &diags) == SL_OK, "diagnostics");
        REQUIRE(sl_inp_read(ctx, text, strlen(text), NULL, diags, &nets[i]) == SL_OK, "network %d", i);
        REQUIRE(sl_model_from_network(ctx, nets[i], NULL, diags, &models[i]) == SL_OK, "model %d", i);
        sl_diags_destroy(diags);
    }
}

static sl_session *begin(int model) {
    sl_diags *diags = NULL;
    sl_session *s = NULL;
    REQUIRE(sl_diags_create(ctx, &diags) == SL_OK, "diagnostics");
    REQUIRE(sl_session_create(ctx, models[model], diags, &s) == SL_OK, "session");
    sl_diags_destroy(diags);
    return s;
}

static void save(sl_session *s, sl_bytes *to) {
    sl_bytes_init(to, ctx);
    sl_sink sink = sl_bytes_sink(to);
    REQUIRE(sl_session_save(s, &sink) == SL_OK, "save");
}

/* As src/session/state.c has it. */
static uint64_t checksum(uint64_t sum, const char *p, size_t n) {
    for (; n > 0; n -= n < 8 ? n : 8, p += 8) {
        uint64_t word = 0;
        memcpy(&word, p, n < 8 ? n : 8);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 32;
    }
    return sum;
}

static void change(sl_bytes *state, const uint8_t *data, size_t size) {
    for (; size >= CHANGE; data += CHANGE, size -= CHANGE) {
        size_t at = ((size_t)data[0] | (size_t)(data[1] & 0x7f) << 8) * 8 % (size_t)state->n;
        size_t n = (size_t)state->n - at < 8 ? (size_t)state->n - at : 8;
        if (data[1] & 0x80) { /* the state ends here */
            state->n = at > HEAD ? (int64_t)at : HEAD;
        } else {
            memcpy(state->at + at, data + 2, n);
        }
    }
    uint64_t left = (uint64_t)state->n - HEAD;
    memcpy(state->at + 56, &left, sizeof left);
    uint64_t sum = checksum(checksum(0, state->at, HEAD - 8), state->at + HEAD, (size_t)left);
    memcpy(state->at + HEAD - 8, &sum, sizeof sum);
}

static void look(sl_session *s) {
    for (int32_t f = 0; f < SL_EPS_FIELD_COUNT; f++) {
        int32_t n = 0;
        (void)sl_session_view(s, f, &n);
    }
}

static void go_on(sl_session *s) {
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    sl_status status = SL_OK;
    for (int i = 0; i < MAX_STEP && status == SL_OK && step.reason == SL_REASON_EVENT; i++) {
        look(s);
        status = sl_session_advance(s, 1e9, SL_STOP_AT_EVENT, &step);
    }
    REQUIRE(status == SL_OK || sl_diags_size(sl_session_diags(s)) > 0, "failed without a word");
    look(s);
    sl_bytes again;
    save(s, &again);
    sl_bytes_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    if (size < 3) {
        return 0;
    }
    if (!ctx) {
        make_models();
    }
    int model = data[0] % N_MODEL;
    sl_session *s = begin(model), *other = begin(model);
    sl_step step = {.size = sizeof step};
    REQUIRE(sl_session_advance(s, data[1] * 180.0, 0, &step) == SL_OK, "advance");
    sl_bytes state, before, after;
    save(s, &state);
    if (data[2] & 1) {
        change(&state, data + 3, size - 3);
    } else {
        sl_bytes_fini(&state);
        sl_bytes_init(&state, ctx);
        sl_sink sink = sl_bytes_sink(&state);
        REQUIRE(size == 3 || sink.write(sink.user, data + 3, size - 3) == SL_OK, "bytes");
    }
    save(other, &before);
    int32_t said = sl_diags_size(sl_session_diags(other));
    sl_status status = sl_session_restore(other, state.n > 0 ? state.at : (const char *)data, (size_t)state.n);
    if (status == SL_OK) {
        go_on(other);
    } else {
        save(other, &after);
        REQUIRE(sl_diags_size(sl_session_diags(other)) > said, "refused without a word");
        REQUIRE(after.n == before.n && memcmp(after.at, before.at, (size_t)after.n) == 0,
                "a refused state left traces");
        sl_bytes_fini(&after);
    }
    sl_bytes_fini(&before);
    sl_bytes_fini(&state);
    sl_session_destroy(other);
    sl_session_destroy(s);
    return 0;
}
