/* SPDX-License-Identifier: MIT */
/* cosim_wait.c: the only place where an exchange waits, and its end.
 *
 * Carriers that are sure to wake us are asked again every 50 ms, for the sake of the partner's death; files every millisecond at
 * first and then ever more rarely. A partner that is found dead may have written before: there is one more attempt after that.
 *
 * The end: both sides put END and take END. A side that closes goes on taking messages, so that the other one can always put
 * its own; its END waits until its last message has been taken.
 */
#include "exchange/cosim_impl.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "exchange/frame.h"

static const double FIRST_WAIT = 0.001, LAST_WAIT = 0.05, QUICK = 0.05, LINGER = 1.0, PARTING = 2.0; /* [s] */

static bool partner_is_gone(sl_cosim *x) {
    bool dead = x->partner != SL_NO_HANDLE ? sl_system_has_ended(x->partner)
                                           : x->def.partner > 0 && sl_system_is_dead(x->def.partner);
    return dead || (x->ops->is_gone && x->ops->is_gone(x->carrier));
}

static sl_cosim_code report_gone(sl_cosim *x) {
    x->gone = true;
    return sl_reporter_error(&x->reporter, SL_COSIM_GONE,
                             "the partner has died, or left without END (after %lld messages from it)",
                             (long long)x->stats.n_read);
}

sl_cosim_code sl_cosim_attempt_once(sl_cosim *x, sl_cosim_attempt attempt, void *user) {
    sl_cosim_code code = attempt(x, user);
    if (code == SL_COSIM_AGAIN && (x->gone || partner_is_gone(x))) {
        x->gone = true;
        code = attempt(x, user); /* what it wrote before it died */
        code = code == SL_COSIM_AGAIN ? SL_COSIM_GONE : code;
    }
    return code == SL_COSIM_GONE ? report_gone(x) : code;
}

/* After 10 s, 60 s, and then every ten minutes. */
static double next_hint(double after) {
    return after < 10 ? 10 : after < 60 ? 60 : after < 600 ? 600 : after + 600;
}

/* What the partner does not do, for people. */
static void report_awaited(const sl_cosim *x, unsigned what, char *text, size_t size) {
    bool out = !x->closing ? what == SL_WAIT_OUT : x->terminated || !atomic_load(&x->parted);
    const char *verb = out ? "take" : x->closing ? "write END to" : "write";
    (void)sl_format(text, size, "%s %s", verb, sl_cosim_endpoint_name(x, out));
}

static void report_waiting(sl_cosim *x, double passed, unsigned what) {
    char text[512];
    report_awaited(x, what, text, sizeof text);
    sl_reporter_warning(&x->reporter, SL_WARNING_WAIT, "waiting for %.0f s for the partner to %s%s", passed, text,
                        x->stats.n_read > 0 ? "" : "; is it running, and does one of the two skip its first read?");
}

sl_cosim_code sl_cosim_wait(sl_cosim *x, sl_cosim_attempt attempt, void *user, unsigned what, double limit) {
    sl_cosim_code code = sl_cosim_attempt_once(x, attempt, user);
    if (code != SL_COSIM_AGAIN) {
        return code;
    }
    double begin = sl_system_now(), passed = 0, hint = next_hint(0), pause = x->ops->wakes ? LAST_WAIT : FIRST_WAIT;
    while (code == SL_COSIM_AGAIN) {
        if (limit > 0 && passed >= limit) {
            char text[512];
            report_awaited(x, what, text, sizeof text);
            x->patience = limit;
            code =
                sl_reporter_error(&x->reporter, SL_COSIM_TIMEOUT, "waited %.3g s for the partner to %s", limit, text);
            break;
        }
        x->ops->wait(x->carrier, what, limit > 0 && limit - passed < pause ? limit - passed : pause);
        code = atomic_load(&x->aborted) ? SL_COSIM_END : sl_cosim_attempt_once(x, attempt, user);
        passed = sl_system_now() - begin;
        pause = passed > QUICK && pause < LAST_WAIT ? fmin(1.5 * pause, LAST_WAIT) : pause;
        if (code == SL_COSIM_AGAIN && passed >= hint) {
            report_waiting(x, passed, what);
            hint = next_hint(hint);
        }
    }
    x->stats.waited += passed;
    return code;
}

/* ---- The end ------------------------------------------------------------------------------------ */

/* Both write END and take the other's. A partner that is none of ours may leave after half of it: when it has written its own,
 * or taken ours. Nobody sees it go, so it is waited for a moment only. */
typedef struct ending {
    double half_since; /* 0: not yet */
} ending;

static bool has_left(const sl_cosim *x, ending *e) {
    bool seen = x->ops->framed || x->def.partner > 0 || !x->ops->is_seen || x->ops->is_seen(x->carrier);
    double now = sl_system_now();
    e->half_since = e->half_since > 0 ? e->half_since : now;
    return !seen && now - e->half_since > PARTING;
}

/* Takes what is there and drops it. */
static void drain(sl_cosim *x) {
    char *bytes;
    size_t n;
    while (!x->terminated) {
        sl_cosim_code code = x->ops->take(x->carrier, x->in.n, &bytes, &n);
        if (code == SL_COSIM_OK) {
            code = x->ops->framed ? sl_frame_read(x->ctx, bytes, n, x->in.n, &x->got)
                                  : sl_text_read(x->ctx, bytes, n, x->in.n, &x->got);
            x->stats.n_drained += code == SL_COSIM_OK && x->got.kind == SL_MESSAGE_DATA;
            (void)x->ops->done(x->carrier, code == SL_COSIM_BAD_FORMAT);
        } else if (code == SL_COSIM_AGAIN) {
            return;
        } else if (code != SL_COSIM_END) {
            x->gone = true; /* nothing more can come */
            return;
        }
        x->terminated = x->terminated || code == SL_COSIM_END;
    }
}

static sl_cosim_code try_end(sl_cosim *x, void *user) {
    ending *e = user;
    drain(x);
    bool parted = atomic_load(&x->parted);
    if (!parted && !x->gone) {
        sl_cosim_code code = sl_cosim_try_put(x, NULL);
        if (code != SL_COSIM_OK && code != SL_COSIM_AGAIN) {
            x->gone = true;
            return x->terminated ? SL_COSIM_OK : code;
        }
        parted = code == SL_COSIM_OK;
        atomic_store(&x->parted, parted);
    }
    bool taken = parted && x->ops->is_free(x->carrier);
    if (x->terminated && (x->gone || taken)) {
        return SL_COSIM_OK;
    }
    if ((x->terminated || taken) && has_left(x, e)) {
        return SL_COSIM_OK;
    }
    return x->gone ? SL_COSIM_GONE : SL_COSIM_AGAIN;
}

static sl_cosim_code shake_hands(sl_cosim *x) {
    ending e = {0};
    double limit = x->def.close_timeout > 0 ? x->def.close_timeout : x->patience;
    x->closing = true;
    x->put.row.n = 0;
    sl_cosim_code code = sl_cosim_encode(x, SL_MESSAGE_END, NAN, NAN);
    if (code == SL_COSIM_OK) {
        code = sl_cosim_wait(x, try_end, &e, SL_WAIT_IN | SL_WAIT_OUT, limit);
    }
    if (!x->terminated && (code == SL_COSIM_TIMEOUT || code == SL_COSIM_GONE)) {
        sl_reporter_warning(&x->reporter, SL_WARNING_CLOSE, "the exchange is closed without the partner's END");
    }
    return code == SL_COSIM_END ? SL_COSIM_OK : code;
}

/* After an abort of files: for a moment what the partner has under way is still taken, so that there is room for its own END. An END
 * that took the place of a file just as the partner removed it is gone unread: without an answer it is put again. */
static void linger(sl_cosim *x) {
    double begin = sl_system_now(), put = begin, now = begin;
    double most = x->def.close_timeout > 0 ? fmin(LINGER, x->def.close_timeout) : LINGER;
    drain(x);
    while (!x->terminated && !x->gone && !partner_is_gone(x) && now - begin < most) {
        if (now - put > most / 10 && x->ops->is_free(x->carrier)) {
            x->ops->abort(x->carrier);
            put = now;
        }
        x->ops->wait(x->carrier, SL_WAIT_IN, FIRST_WAIT);
        drain(x);
        now = sl_system_now();
    }
}

/* Was there ever a partner? It has written, taken something, or was seen. */
static bool had_partner(const sl_cosim *x) {
    return x->stats.n_read > 0 || x->stats.n_written > 1 || !x->ops->is_seen || x->ops->is_seen(x->carrier);
}

sl_cosim_code sl_cosim_close(sl_cosim *x) {
    if (!x) {
        return SL_COSIM_OK;
    }
    sl_cosim_code code = SL_COSIM_OK;
    x->begun = true;
    bool aborted = atomic_load(&x->aborted);
    if (!aborted && !x->gone) {
        code = shake_hands(x);
    } else if (!aborted) {
        drain(x);                                                    /* what the dead one left */
    } else if (!x->gone && !x->ops->framed && x->stats.n_read > 0) { /* it has spoken: there is somebody to wait for */
        linger(x);
    }
    sl_reporter_summary(&x->reporter);
    x->ops->close(x->carrier, atomic_load(&x->aborted) && had_partner(x)); /* else an END would only end the next run */
    sl_cosim_free(x);
    return code;
}

void sl_cosim_abort(sl_cosim *x) {
    if (x && !atomic_exchange(&x->aborted, true)) {
        int saved = errno;
        if (!atomic_load(&x->parted)) { /* else it has been told */
            x->ops->abort(x->carrier);
        }
        errno = saved;
    }
}
