/* SPDX-License-Identifier: MIT */
/* duration.c: the duration that is asked for instead of the model's own: its bound, and its unit of time; see job.h.
 *
 * A run of 1e300 s never ends and fills the disk: a slip of the unit is worth a message. A model that is itself very long may run
 * much longer than it says.
 */
#include <math.h>
#include <string.h>

#include "base/report.h"
#include "cli/job.h"

static const double bound_years = 1000.0, year = 365.25 * 86400.0, bound_times = 1e6;

/* How long the model runs by itself; 0: it does not say, or cannot be loaded. */
static double own_duration(sl_job *j, const sl_load *load) {
    sl_load own = *load;
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_diags *unseen = NULL;
    double end = 0.0;
    own.duration = (double)NAN;
    if (sl_diags_create(j->cli->ctx, &unseen) != SL_OK) {
        return 0.0;
    }
    own.diags = unseen;
    if (sl_kind_load(j->kind, &own, &model) == SL_OK &&
        sl_session_create(j->cli->ctx, model, unseen, &session) == SL_OK) {
        end = sl_session_end(session);
    }
    sl_session_destroy(session);
    sl_model_destroy(model);
    sl_diags_destroy(unseen);
    return isfinite(end) ? end : 0.0;
}

int sl_job_bound_duration(sl_job *j, const sl_load *load) {
    double bound = bound_years * year;
    if (!isfinite(j->duration) || j->asked_duration.counts_steps || j->duration <= bound) {
        return SL_EXIT_FINE;
    }
    double own = own_duration(j, load) * bound_times;
    if (j->duration <= own) {
        return SL_EXIT_FINE;
    }
    char largest[160];
    (void)sl_format(largest, sizeof largest,
                    own > bound ? "%.6g days, 1e6 times that of the model" : "1000 years, %.6g days",
                    fmax(own, bound) / 86400.0);
    if (j->asked_duration.is_given) {
        return sl_args_wrong(j->cli, j->command, "--duration %s is too long: the most is %s", j->asked_duration.text,
                             largest);
    }
    sl_report(j->input.diags, SL_ERROR, SL_CODE_VALUE_RANGE, &(sl_text_location){.file = j->input.name}, NULL, NULL,
              NULL, "a duration of %.6g days is too long: the most is %s", j->duration / 86400.0, largest);
    return SL_EXIT_INPUT;
}

int sl_job_check_times(sl_job *j) {
    char why[SL_OPTION_ERROR_MAX];
    bool counts = strcmp(sl_session_time_unit(j->session), "s") != 0;
    sl_results_args results = j->results.select;
    results.every.is_given = results.every.is_given || results.every.value > 0.0; /* the load has it */
    bool fine = sl_option_time_fits("--duration", &j->asked_duration, counts, why) &&
                sl_results_args_fit_time(&results, counts, why, sizeof why);
    return fine ? SL_EXIT_FINE : sl_args_wrong(j->cli, j->command, "%s", why);
}
