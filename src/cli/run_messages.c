/* SPDX-License-Identifier: MIT */
/* run_messages.c: groups of messages; see run_messages.h. */
#include "cli/run_messages.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/ids.h"
#include "base/memory.h"

enum { SHOWN_OF_A_CODE = 10, TEXT_MAX = 1024 };

/* What makes a group: code and object, with a byte between that no id has; what is about a partner as such differs by its
 * text only. */
static sl_str key_of(const sl_diag *d, char buf[TEXT_MAX]) {
    bool by_text = d->code == SL_CODE_PARTNER && !d->object_kind;
    int n = snprintf(buf, TEXT_MAX, "%d\n%s\n%s", (int)d->code, d->object_kind ? d->object_kind : "",
                     d->object_id ? d->object_id
                     : by_text    ? d->text
                                  : "");
    return (sl_str){buf, n < 0 ? 0 : n < TEXT_MAX ? (size_t)n : TEXT_MAX - 1};
}

static bool add_to_group(sl_messages *m, sl_ids *ids, const sl_diag *d) {
    char buf[TEXT_MAX];
    int32_t at = sl_ids_add(ids, key_of(d, buf));
    if (at == INT32_MIN) {
        return false;
    }
    if (at >= 0) {
        sl_message_group fresh = {.first = d, .n = 1, .begin = d->time, .end = d->time};
        return SL_PUSH(m->ctx, m, fresh);
    }
    sl_message_group *old = &m->at[-1 - at];
    old->n++;
    old->end = d->time;
    return true;
}

sl_status sl_messages_gather(sl_messages *m, sl_context *ctx, const sl_diags *const *lists, int n) {
    *m = (sl_messages){.ctx = ctx};
    sl_ids *ids = sl_ids_create(ctx);
    bool fine = ids != NULL;
    for (int k = 0; k < n; k++) {
        for (int32_t i = 0; fine && i < sl_diags_size(lists[k]); i++) {
            const sl_diag *d = sl_diags_at(lists[k], i);
            fine = d->severity == SL_INFO || add_to_group(m, ids, d);
        }
    }
    sl_ids_destroy(ids);
    if (!fine) {
        sl_messages_fini(m);
        return SL_ERR_MEMORY;
    }
    return SL_OK;
}

void sl_messages_fini(sl_messages *m) {
    SL_ARRAY_FINI(m->ctx, m);
}

/* The group as one diagnostic: "..., 24 times from 0:00 to 23:00". */
static void add_shown(sl_diags *shown, const sl_message_group *group) {
    sl_diag d = *group->first;
    char text[TEXT_MAX], begin[64], end[64];
    if (group->n > 1) {
        sl_time_format(group->begin, begin, sizeof begin);
        sl_time_format(group->end, end, sizeof end);
        bool timed = isfinite(group->begin) && isfinite(group->end);
        snprintf(text, sizeof text, "%s, %lld times%s%s%s%s", d.text ? d.text : sl_code_meaning(d.code),
                 (long long)group->n, timed ? " from " : "", timed ? begin : "", timed ? " to " : "", timed ? end : "");
        d.text = text;
        d.time = (double)NAN;
    }
    sl_diags_add(shown, &d);
}

void sl_messages_show(sl_cli *cli, const sl_messages *m, bool errors_only) {
    int64_t seen[SL_CODE_COUNT] = {0};
    sl_diags *shown = NULL;
    if (sl_diags_create(cli->ctx, &shown) != SL_OK) {
        (void)sl_exit_of(cli, SL_ERR_MEMORY);
        return;
    }
    for (int64_t i = 0; i < m->n; i++) {
        const sl_diag *d = m->at[i].first;
        if ((d->severity == SL_ERROR || !errors_only) && seen[d->code]++ < SHOWN_OF_A_CODE) {
            add_shown(shown, &m->at[i]);
        }
    }
    sl_cli_flush(cli);
    sl_output_stream errors = {.fd = STDERR_FILENO};
    sl_sink sink = sl_output_stream_sink(&errors);
    (void)sl_diags_render_text(shown, &sink, cli->colour);
    for (int code = 0; code < SL_CODE_COUNT; code++) {
        if (seen[code] > SHOWN_OF_A_CODE) {
            (void)dprintf(STDERR_FILENO, "... and %lld more [%s]\n", (long long)(seen[code] - SHOWN_OF_A_CODE),
                          sl_code_word((sl_code)code));
        }
    }
    sl_diags_destroy(shown);
}

static void member(sl_json *json, const char *key, const char *z) {
    if (z && *z) {
        sl_json_member_z(json, key, z);
    }
}

void sl_messages_write_json(const sl_messages *m, sl_json *json) {
    sl_json_array(json);
    for (int64_t i = 0; i < m->n; i++) {
        const sl_message_group *group = &m->at[i];
        const sl_diag *d = group->first;
        sl_json_object(json);
        sl_json_inline(json);
        member(json, "severity", d->severity == SL_ERROR ? "error" : "warning");
        member(json, "code", sl_code_word(d->code));
        member(json, "text", d->text ? d->text : sl_code_meaning(d->code));
        member(json, "hint", d->hint);
        if (d->object_kind || d->object_id) {
            sl_json_key(json, "object");
            sl_json_object(json);
            member(json, "kind", d->object_kind);
            member(json, "id", d->object_id);
            sl_json_end(json);
        }
        sl_json_member_int(json, "count", group->n);
        sl_json_member_number(json, "first_s", group->begin);
        sl_json_member_number(json, "last_s", group->end);
        sl_json_end(json);
    }
    sl_json_end(json);
}
