/* SPDX-License-Identifier: MIT */
/* kind.h: kinds of model. A kind is a row: how its files are recognised and loaded, which options it has, and what commands show of
 * it beyond what every session has. Everything that takes kinds takes a table as an argument (NULL: sl_kinds, the built-in one), so
 * that a program adds its own without global state. Nobody outside src/kinds asks which kind a model is.
 *
 * Functions of a row work on sources, sessions, sinks and diagnostics; they open no file and print nothing.
 */
#ifndef SL_KINDS_KIND_H
#define SL_KINDS_KIND_H

#include <sluice/load.h>
#include <sluice/plot.h>
#include <sluice/results.h>

#include "base/memory.h"
#include "base/option.h"
#include "base/out.h"
#include "results/digest.h"
#include "results/record.h"
#include "results/results_args.h"
#include "session/session.h"
#include "text/yaml.h"

/* ---- Loading ------------------------------------------------------------------------------------ */

/* The beginning of a source, looked at once for all kinds. No memory is taken; what is long is not parsed: the heads of a text are
 * its keys at the top if it is a map of YAML or JSON, block or flow style, and its first [HEADING]. */
enum { SL_HEAD_KEYS_MAX = 64 };
typedef struct sl_kind_head {
    const sl_source *source;
    sl_str text; /* without the mark of UTF-8 */
    bool is_map;
    bool begins_with_heading; /* its first line that is neither blank nor a comment of .inp files is [A WORD] */
    int32_t n_key;            /* those after SL_HEAD_KEYS_MAX are not known */
    struct {
        sl_str key;
        size_t value; /* where its value begins in the text [bytes] */
    } keys[SL_HEAD_KEYS_MAX];
} sl_kind_head;

void sl_kind_head_init(sl_kind_head *head, const sl_source *source);
/* Is it a map with this key at its top? */
bool sl_kind_head_has_key(const sl_kind_head *head, const char *key);
/* The text of a key's value, without quotes; "" when the value is a map, a list or a block. False: there is no such key. */
bool sl_kind_head_value(const sl_kind_head *head, const char *key, sl_str *out);
/* Has it a [HEADING] at the beginning of any line? */
bool sl_kind_head_has_heading(const sl_kind_head *head);

typedef struct sl_load {
    sl_context *ctx;
    const sl_source *source;
    const sl_kind_head *head; /* of the source */
    double duration;          /* in the kind's unit of time; NaN: the file's */
    double every;     /* between report times [s], of a kind that sets them itself (sets_reports); 0: the file's */
    double step;      /* of a kind that counts steps: the length of one [s], and duration is in seconds; 0: it counts */
    const void *args; /* the values of the kind's options */
    bool tolerant;    /* for checks: go on after errors as far as possible, so that all are found */
    bool no_map;      /* nobody wants coordinates and comments, and nobody is to hear of mistakes in them */
    bool listing;     /* only the variables are wanted: what is computed to make the model may be cut short */
    sl_diags *diags;
} sl_load;

/* What a row's load gives: the model, and the object that the kind's other functions work on. */
typedef struct sl_loaded {
    sl_model *model; /* NULL: only when tolerant */
    void *origin;    /* owned by the model, which releases it last; reached by sl_model_origin */
    void (*release)(void *origin);
} sl_loaded;

/* ---- Reports ------------------------------------------------------------------------------------ */

/* What a format needs of a file. */
typedef enum sl_report_needs {
    SL_REPORT_SINK = 0, /* bytes in their order */
    SL_REPORT_PATCH,    /* going back */
    SL_REPORT_EITHER    /* going back where that can be, else bytes in their order */
} sl_report_needs;

/* A format of files: a row of a report's table. */
typedef struct sl_report_format {
    const char *ending; /* "csv"; "": any */
    const char *option; /* the option of the report whose files have it; NULL: -o */
    sl_report_needs needs;
    bool has_map; /* coordinates are in it */
} sl_report_format;

/* A file. The caller opens and closes it; of sink and patch one is there, as the format needs it. */
typedef struct sl_report_target {
    const char *path; /* as given; "-": standard output */
    const sl_report_format *format;
    const sl_sink *sink;
    const sl_patch_sink *patch;
    sl_status status; /* set by finish: not SL_OK: it could not be made */
} sl_report_target;

typedef struct sl_report_def {
    sl_context *ctx;
    const char *name;                    /* of the source, as results show it */
    const sl_model *model;               /* with its origin */
    sl_session *session;                 /* before its first step */
    const void *args;                    /* options of the kind's report */
    const sl_results_args *results_args; /* options of all result files */
    bool at_events;                      /* frames also before and after every event */
    const sl_diags *load_diags;          /* what loading said */
    sl_report_target *targets;           /* [n_target] */
    int32_t n_target;
    bool summary;               /* text or JSON is wanted at the end */
    bool several;               /* executions will follow each other; session is none of them */
    const sl_plot_def *picture; /* of picture files; NULL: a chart of what is recorded */
} sl_report_def;

typedef enum sl_report_verdict {
    SL_VERDICT_FINE = 0,
    SL_VERDICT_LIMIT,       /* a limit was broken */
    SL_VERDICT_NOT_BALANCED /* the numbers cannot be trusted */
} sl_report_verdict;

enum { SL_REFUSAL_MAX = 1024 };

/* What a kind adds to what every run leaves: files of its own, and a summary. */
typedef struct sl_report_ops {
    const sl_report_format *formats; /* beside those of every run, whose endings they may take over */
    int32_t n_format;
    const char *const *file_options; /* options whose values are files too, NULL-terminated: "envelope"; NULL: none */
    sl_option_table options;

    /* The files that the model itself asks for, beside those of options: the path of the i-th, NULL: there is none. *option: as in a
     * format. NULL: none. */
    const char *(*file)(const sl_model *model, int32_t i, const char **option);
    /* Before the session's first step; adds sinks to it. Files of formats that are not the kind's own are not its business.
     * SL_ERR_UNSUPPORTED: an option that fits no such model; why not. What is left in *report is destroyed by the caller in any case. */
    sl_status (*create)(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **report);
    /* Changes what is recorded: the selection where options leave it open, routes. NULL: nothing. */
    sl_status (*record)(void *report, sl_results_select *select, sl_recorder_more *more);
    /* The table of the result that a .csv of one of the kind's formats holds; NULL: it is no such file. NULL: there are none. */
    const char *(*table)(void *report, const sl_report_format *format);
    /* Adds tables to results before their end. NULL: none. */
    sl_status (*tables)(void *report, sl_recorder *recorder);
    /* Draws what was recorded into a picture file of a format of the kind's own. NULL: it has none. */
    sl_status (*draw)(void *report, sl_results *results, const sl_report_target *target, sl_diags *diags);
    /* Where several executions follow each other: the next one, before its first step; and when it has ended. */
    sl_status (*follow)(void *report, sl_session *session);
    sl_status (*leave)(void *report, bool complete);
    /* After the last step: writes what was not written on the way. NULL: all of it was. */
    sl_status (*finish)(void *report, bool complete, sl_diags *diags);
    sl_report_verdict (*verdict)(const void *report); /* NULL: fine */
    /* The run on one page, after finish. rows: so many lines of a list in text; INT32_MAX: all. The caller finishes *out in any case. */
    sl_status (*digest)(void *report, int32_t rows, sl_digest *out);
    void (*destroy)(void *report);
} sl_report_ops;

/* The summary of all kinds that have none of their own: the ranges of values. */
extern const sl_report_ops sl_values_report;

/* Everything that a run leaves: result files of the formats that every run has, and what the kind adds. */
typedef struct sl_run_report sl_run_report;

/* .csv, .json, .h5, .rpt, pictures, the files of --events and --report. */
extern const sl_report_format sl_report_formats[];
extern const int32_t sl_report_n_format;
/* The format that a file is to have: option as in a format, ending in any case. NULL: none. */
const sl_report_format *sl_report_format_find(const sl_kind *kind, const char *option, const char *ending);
/* By the ending of a picture file. */
sl_plot_format sl_report_picture_format(const sl_report_target *t);
/* Do options and files fit together? Nothing has been loaded. False: why not. */
bool sl_report_fits(const sl_results_args *args, const sl_report_target *targets, int32_t n_target,
                    char why[SL_REFUSAL_MAX]);
/* As the functions of sl_report_ops. */
sl_status sl_run_report_create(const sl_kind *kind, const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX],
                               sl_run_report **out);
sl_status sl_run_report_follow(sl_run_report *r, sl_session *session);
sl_status sl_run_report_leave(sl_run_report *r, bool complete, sl_diags *diags);
sl_status sl_run_report_finish(sl_run_report *r, bool complete, sl_diags *diags);
sl_report_verdict sl_run_report_judge(const sl_run_report *r);
void sl_run_report_write_text(sl_run_report *r, sl_out *out);
void sl_run_report_write_json(sl_run_report *r, sl_json *json);
void sl_run_report_destroy(sl_run_report *r);

/* How an execution ended, in the words of its kind. Texts are static or of the arena that was given. */
typedef struct sl_ending {
    const char *verdict;               /* "converged" */
    const char *text;                  /* in a summary: "converged at t = 3" */
    int32_t cycle_first, cycle_length; /* the state at first is that at first + length; 0: there is no cycle */
    int64_t n_choice;                  /* ways to go on, of which none was taken; 0: there are none */
    const char *const *choices;        /* [n_shown] the first of them in words */
    int32_t n_shown;
    const char *hint; /* what to do about choices */
} sl_ending;

/* ---- What commands show ------------------------------------------------------------------------- */

/* What a check found beside problems. */
typedef struct sl_kind_facts {
    char brief[256]; /* for the line that closes the check: "92 junctions, 117 pipes"; "": none */
    char more[1024]; /* lines after it */
} sl_kind_facts;

/* States that a check is about. */
typedef struct sl_check_set {
    const char *at;    /* "q=1,t=2"; NULL: any */
    const char *where; /* a condition; NULL: none */
} sl_check_set;

typedef enum sl_page_form { SL_PAGE_TEXT = 0, SL_PAGE_HTML, SL_PAGE_TEX, SL_PAGE_JSON } sl_page_form;

/* A page that explains a model, or elements of it. */
typedef struct sl_page_def {
    sl_page_form form;
    sl_option_time
        at; /* run to this time and show what is there; not given: the start, of the model as a whole without a run */
    sl_option_time duration; /* let it run for so long, as the load has it; not given: as the model says */
    const char *mode;        /* "q=1,p=0": show what is in force there; NULL: everything */
    const sl_texts *nodes;   /* ids of elements; both empty: the model as a whole */
    const sl_texts *links;
    bool (*stopped)(void *user); /* with NULL: true gives up, with SL_ERR_CANCELLED; or NULL */
} sl_page_def;

/* What all pictures have, and what was asked for beyond. */
typedef struct sl_picture_def {
    const sl_plot_def *page;       /* format, size, range, title, theme; of maps more */
    const sl_kind *kind;           /* the row that draws */
    bool map, elements;            /* --map or --profile; --node, --link, --what or --network */
    bool dot;                      /* as text for Graphviz */
    const sl_texts *nodes;         /* of --node */
    sl_results *results;           /* draw from this result of the model, instead of a run; NULL: from a run */
    sl_option_time time, from, to; /* a word of time is in page */
    const void *args;              /* options of the kind's pictures */
} sl_picture_def;

typedef struct sl_plot_ops {
    sl_option_table options;
    /* Do its options ask for a picture that no other kind has? Then all options are its business, else those of pictures of results
     * have been put into the page. NULL: they do, if there are any. */
    bool (*is_own)(const void *args);
    bool takes_results; /* profiles, and pictures that no other kind has, are drawn from results too */
    /* Do the options fit together? False: why not. name: of the source. */
    bool (*fits)(const sl_picture_def *def, const char *name, char why[SL_REFUSAL_MAX]);
    /* Draws. *run: how a run that it needed went, which is drawn as far as it came. */
    sl_status (*draw)(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run);
} sl_plot_ops;

/* ---- The row ------------------------------------------------------------------------------------ */

struct sl_kind {
    const char *name; /* "automaton": after `sluice:` in a file */
    const char *noun; /* "an automaton" */
    int32_t version;  /* the highest of `sluice: NAME/VERSION`; 0: it has no files of its own */
    bool (*recognise)(const sl_kind_head *head); /* without `sluice:`; NULL: never */
    const char *const *takes; /* kinds whose files it loads too when it is asked for; NULL-terminated, or NULL */
    /* SL_ERR_INPUT: the diagnostics say what is wrong with the source; SL_ERR_USE: what is wrong with the options. Nothing is left
     * behind unless SL_OK. */
    sl_status (*load)(const sl_load *load, sl_loaded *out);

    sl_option_table options; /* of load */

    /* Endings of the forms in which `sluice convert` writes its files, NULL-terminated; NULL: it has no other form. */
    const char *const *forms;
    /* Writes the model of a source again, in the only form there is. NULL: forms of networks, which the command knows. */
    sl_status (*write)(const sl_load *load, const sl_sink *sink);

    bool sets_reports;       /* --every sets the report times; else it selects some of them */
    const char *engine;      /* as `sluice vars --engine` has it; NULL: it has no choice */
    const char *selected_by; /* option that selects it for sources of the kinds that it takes: "surge"; NULL: none */
    const char *selected_help;

    const sl_report_ops *report; /* NULL: sl_values_report */
    /* Executions that branch. Do options ask for all of them? NULL: never. Then explore gives each as a model of its own to run,
     * which says SL_ERR_SOLVE of one that fails: the others follow even so. The report is sl_values_report. */
    bool (*branches)(const void *load_args);
    sl_status (*explore)(const sl_model *model, sl_status (*run)(void *user, const sl_model *execution), void *user,
                         sl_diags *diags);
    /* Of sl_values_report: the kind of events that the summary counts, "crossing" (NULL: all). */
    const char *counted_event;
    /* Of sl_values_report: do the options of a run fit this model? False: why not. NULL: always. */
    bool (*fits)(const sl_report_def *def, char why[SL_REFUSAL_MAX]);
    /* Of sl_values_report, where time counts steps: how the session's execution ended, of which the summary then shows the steps.
     * NULL: it shows ranges. */
    sl_status (*ending)(const sl_model *model, sl_session *session, sl_arena *arena, sl_ending *out);

    /* Examines a source as far as it can be done without a run; what is wrong goes to load->diags. NULL: loads it. */
    sl_status (*check)(const sl_load *load, sl_kind_facts *facts);
    /* ... in place of check, of a model with verdicts about states: about those of a set, or all. */
    sl_status (*check_set)(const sl_load *load, const sl_check_set *set, sl_kind_facts *facts);
    /* A page about the model as text into out, or as members of the open object of json: one of the two is there. load->diags has
     * what reading said. NULL: classes and quantities of a session. */
    sl_status (*info)(const sl_load *load, sl_out *out, sl_json *json);
    /* What the model is and does, in words and numbers. SL_ERR_USE: what was asked for fits no such model; the diagnostics say why.
     * NULL: the variables of a session. */
    sl_status (*explain)(const sl_load *load, const sl_page_def *def, const sl_sink *sink);
    const sl_plot_ops *plot; /* NULL: sl_run_plot */
};

/* The built-in kinds, NULL-terminated. */
extern const sl_kind *const sl_kinds[];

/* The kind of this name, or NULL. kinds NULL: the built-in ones. */
const sl_kind *sl_kind_find(const sl_kind *const *kinds, const char *name);
/* By content. NULL: none fits; a diagnostic names what was seen, and what there could be. */
const sl_kind *sl_kind_recognise(const sl_kind *const *kinds, const sl_kind_head *head, sl_diags *diags);
/* The same when one kind is asked for: that one, or NULL and a diagnostic when the content is none that it takes. asked NULL: by
 * content alone. */
const sl_kind *sl_kind_choose(const sl_kind *const *kinds, const char *asked, const sl_kind_head *head,
                              sl_diags *diags);
/* Loads by a row: what load asks for is filled in but for head. The model keeps the row and what its load left. When tolerant,
 * *out may be NULL with SL_OK. */
sl_status sl_kind_load(const sl_kind *kind, const sl_load *load, sl_model **out);
/* The file that a source names, at a node of its YAML text, which messages point at. The caller closes it. */
sl_status sl_source_open_named(const sl_source *from, const char *path, sl_yaml *doc, const sl_yaml_node *node,
                               sl_source *opened);
void sl_source_close_named(const sl_source *from, sl_source *opened);

/* A file of the same folder whose name is nearly the one of path. False: there is none. */
enum { SL_NEAR_MAX = 256 };
bool sl_file_find_similar(const char *path, char found[SL_NEAR_MAX]);

/* The kind that a model was loaded as, NULL for one of a builder. What its load left: sl_model_origin (session/session.h). */
const sl_kind *sl_model_row(const sl_model *model);

/* The page of a model: by its row, or of its session's variables where the row has none. */
sl_status sl_kind_explain(const sl_kind *kind, const sl_load *load, const sl_page_def *def, const sl_sink *sink);

#endif
