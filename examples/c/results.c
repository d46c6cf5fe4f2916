/* SPDX-License-Identifier: MIT */
/* results.c: records a run, writes it, reads it back.
 *
 *     cc results.c -o results -lsluice && ./results town.inp town.csv
 *
 * Any model, and .csv, .json or .h5 by the ending. Shows the range of every quantity, with where and when.
 */
#include <sluice/sluice.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static sl_status to_file(void *user, const void *bytes, size_t n) {
    return fwrite(bytes, 1, n, user) == n ? SL_OK : SL_ERR_IO;
}

static sl_status from_file(void *user, uint64_t offset, void *bytes, size_t n) {
    return fseek(user, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, n, user) == n ? SL_OK : SL_ERR_IO;
}

/* The recorder goes along with the session and is ended after its last step. */
static sl_status record(sl_context *ctx, const char *model, const char *path, sl_diags *diags) {
    sl_session *s = NULL;
    sl_recorder *recorder = NULL;
    sl_recorder_def def = sl_recorder_default();
    def.name = model;
    FILE *file = fopen(path, "wb");
    const sl_sink sink = {file, to_file};
    const char *dot = strrchr(path, '.');
    sl_results_target target = sl_results_target_default();
    target.format = dot ? dot + 1 : "csv";
    target.sink = &sink;
    sl_status status = file ? sl_open(ctx, model, diags, &s) : SL_ERR_IO;
    status = status == SL_OK ? sl_recorder_create(ctx, s, &def, diags, &recorder) : status;
    status = status == SL_OK ? sl_recorder_add(recorder, &target, diags) : status;
    status = status == SL_OK ? sl_session_advance(s, (double)INFINITY, 0, NULL) : status;
    status = status == SL_OK ? sl_recorder_end(recorder, true, diags) : status;
    sl_recorder_destroy(recorder);
    sl_session_destroy(s);
    return file && fclose(file) == 0 ? status : SL_ERR_IO;
}

static void show(const sl_results *r, const sl_results_range *range) {
    const sl_results_group *group = &sl_results_get_layout(r)->groups[sl_results_group_of(r, range->quantity)];
    int32_t first = sl_results_find(r, group->name, group->quantities[0].name);
    const sl_results_column *q = &group->quantities[range->quantity - first];
    if (range->element_of_max >= 0 && !q->words) {
        printf("%s.%s: %.4g (%s, %g) to %.4g %s (%s, %g)\n", group->name, q->name, range->min,
               group->ids[range->element_of_min], range->time_of_min, range->max, q->unit,
               group->ids[range->element_of_max], range->time_of_max);
    }
}

static sl_status read_back(sl_context *ctx, const char *path, sl_diags *diags) {
    enum { MOST = 64 };
    sl_results_range range[MOST];
    sl_results *r = NULL;
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        return SL_ERR_IO;
    }
    const sl_source_bytes bytes = {.user = file, .size = (uint64_t)ftell(file), .read = from_file};
    sl_status status = sl_results_open(ctx, &bytes, path, diags, &r);
    if (status == SL_OK && sl_results_n_quantity(r) <= MOST) {
        status = sl_results_ranges(ctx, r, range);
        for (int32_t q = 0; q < sl_results_n_quantity(r) && status == SL_OK; q++) {
            show(r, &range[q]);
        }
    }
    sl_results_close(r);
    fclose(file);
    return status;
}

int main(int argc, char **argv) {
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    if (argc != 3 || sl_context_create(NULL, &ctx) != SL_OK || sl_diags_create(ctx, &diags) != SL_OK) {
        return 4;
    }
    sl_status status = record(ctx, argv[1], argv[2], diags);
    status = status == SL_OK ? read_back(ctx, argv[2], diags) : status;
    const sl_sink err = {stderr, to_file};
    (void)sl_diags_render_text(diags, &err, false);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return status == SL_OK ? 0 : 1;
}
