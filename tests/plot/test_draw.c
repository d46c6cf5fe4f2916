/* SPDX-License-Identifier: MIT */
/* The SVG writer byte by byte, and the widths of texts. */
#include "sl_test.h"

#include "base/out.h"
#include "plot/draw.h"

static const sl_style thin = {.stroke = 0x112233, .fill = SL_NO_COLOUR, .width = 1.5, .opacity = 1.0};

/* What the steps write between the head and the end of the document. */
static void drawn(void (*steps)(sl_draw *d), char *text, size_t size) {
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_bytes bytes;
    sl_bytes_init(&bytes, ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_page page = {300, 200, 0xffffff, 0x222222, "t"};
    sl_draw *d = NULL;
    sl_assert_ok(sl_draw_open(ctx, SL_PLOT_SVG, &page, &sink, NULL, &d));
    steps(d);
    sl_assert_ok(sl_draw_finish(d));
    const char head[] = "<rect width=\"300\" height=\"200\" fill=\"#fff\"/>\n", tail[] = "</svg>\n";
    assert_true(sl_bytes_sink(&bytes).write(sl_bytes_sink(&bytes).user, "", 1) == SL_OK); /* a NUL */
    char *begin = strstr(bytes.at, head);
    assert_non_null(begin);
    begin += sizeof head - 1;
    char *end = strstr(begin, tail);
    assert_non_null(end);
    snprintf(text, size, "%.*s", (int)(end - begin), begin);
    sl_bytes_fini(&bytes);
    sl_test_context_end(ctx, &m);
}

#define assert_drawn(steps, expected)                \
    do {                                             \
        char drawn_text[4000];                       \
        drawn(steps, drawn_text, sizeof drawn_text); \
        sl_assert_z(drawn_text, expected);           \
    } while (0)

static void paths(sl_draw *d) {
    sl_draw_style(d, &thin);
    sl_draw_begin(d);
    sl_draw_segment(d, 1.0, 2.0, 3.5, 2.0);
    sl_draw_line(d, 3.54, 2.04); /* the same tenth */
    sl_draw_line(d, 3.0, 1.0);
    sl_draw_segment(d, 10.0, 10.0, 10.25, 11.0);
    sl_draw_dot(d, 5.0, 5.0);
    sl_draw_end(d, NULL);
    sl_draw_begin(d); /* same style: same group */
    sl_draw_box(d, 0.0, 0.0, 4.0, 3.0);
    sl_draw_end(d, "a < b");
}

static void test_paths(void **state) {
    (void)state;
    assert_drawn(paths, "<g fill=\"none\" stroke=\"#123\" stroke-width=\"1.5\">\n"
                        "<path d=\"M1 2l2.5 0-.5-1m7 9 .3 1m-5.3-6h0\"/>\n"
                        "<path d=\"M0 0l4 0 0 3-4 0z\"><title>a &lt; b</title></path>\n"
                        "</g>\n");
}

/* Three hundred steps of a third of a pixel end where they should, to a tenth. */
static void third_steps(sl_draw *d) {
    sl_draw_style(d, &thin);
    sl_draw_begin(d);
    sl_draw_move(d, 0.0, 0.0);
    for (int i = 1; i <= 300; i++) {
        sl_draw_line(d, i / 3.0, 0.0);
    }
    sl_draw_end(d, NULL);
}

static void test_nothing_drifts(void **state) {
    (void)state;
    char text[8000];
    drawn(third_steps, text, sizeof text);
    const char *at = strstr(text, "M0 0l");
    assert_non_null(at);
    double x = 0.0;
    for (at += 5; *at != '"';) {
        char *end;
        x += strtod(at, &end);
        assert_true(end > at);
        (void)strtod(end, &end); /* y */
        at = end;
    }
    sl_assert_abs(x, 100.0, 1e-9);
}

static void texts(sl_draw *d) {
    sl_font font = {.size = 12.0, .colour = 0x222222, .halo = SL_NO_COLOUR};
    sl_draw_text(d, &font, 1.25, 2.0, "<&>\" \x01\xff \xc3\xa9");
    font = (sl_font){
        .size = 9.5, .colour = 0xaabbcc, .halo = 0xffffff, .anchor = SL_ANCHOR_END, .bold = true, .italic = true};
    sl_draw_text(d, &font, 0.0, -0.5, "x");
    sl_draw_text(d, &font, 0.0, 0.0, "");
}

static void test_texts(void **state) {
    (void)state;
    assert_drawn(
        texts,
        "<text x=\"1.3\" y=\"2\">&lt;&amp;&gt;&quot; \xef\xbf\xbd\xc3\xbf \xc3\xa9</text>\n"
        "<text x=\"0\" y=\"-.5\" text-anchor=\"end\" font-size=\"9.5\" font-weight=\"bold\" font-style=\"italic\" "
        "fill=\"#abc\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">x</text>\n");
}

static void clips(sl_draw *d) {
    sl_draw_clip(d, 1.0, 2.0, 30.0, 40.0);
    sl_draw_style(d, &(sl_style){.stroke = SL_NO_COLOUR, .fill = 0xabcdef, .opacity = 0.5});
    sl_draw_begin(d);
    sl_draw_box(d, NAN, 0.0, INFINITY, 1.0); /* nonsense stays well-formed */
    sl_draw_end(d, NULL);
    sl_draw_unclip(d);
}

static void test_clips(void **state) {
    (void)state;
    char text[2000];
    drawn(clips, text, sizeof text);
    assert_non_null(strstr(text,
                           "<clipPath id=\"clip1\"><rect x=\"1\" y=\"2\" width=\"30\" height=\"40\"/></clipPath>\n"
                           "<g clip-path=\"url(#clip1)\">\n<g fill=\"#abcdef\" opacity=\"0.5\">\n"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

static void test_widths(void **state) {
    (void)state;
    char buf[SL_TEXT_MAX];
    sl_assert_abs(sl_text_width("00", 10.0, false), 12.8, 1e-9);
    assert_true(sl_text_width("mm", 12.0, true) > sl_text_width("mm", 12.0, false));
    assert_true(sl_text_width("\xe6\xb0\xb4", 10.0, false) > sl_text_width("\xc3\xa9", 10.0, false));
    sl_assert_z(sl_text_fit("short", 12.0, false, 100.0, buf), "short");
    sl_assert_z(sl_text_fit("", 12.0, false, 0.0, buf), "");
    for (double width = 0.0; width < 90.0; width += 1.0) {
        sl_text_fit("J\xc3\xb6tunheim-123", 12.0, false, width, buf);
        assert_true(sl_text_width(buf, 12.0, false) <= width || strcmp(buf, "\xe2\x80\xa6") == 0);
    }
    char longest[2000];
    memset(longest, 'i', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_true(strlen(sl_text_fit(longest, 1.0, false, 1e9, buf)) < SL_TEXT_MAX);
}

/* Cairo: a picture, or a reason. */
static void test_png(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_diags *diags = NULL;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_bytes bytes;
    sl_bytes_init(&bytes, ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_page page = {300, 200, 0xffffff, 0x222222, "t"};
    sl_draw *d = NULL;
    if (sl_draw_open(ctx, SL_PLOT_PNG, &page, &sink, diags, &d) == SL_OK) {
        paths(d);
        texts(d);
        clips(d);
        sl_assert_ok(sl_draw_finish(d));
        assert_memory_equal(bytes.at, "\x89PNG\r\n\x1a\n", 8);
    } else {
        assert_null(d);
        assert_int_equal(sl_diags_count(diags, SL_ERROR), 1);
        assert_non_null(strstr(sl_diags_at(diags, 0)->hint, "libcairo2"));
        print_message("no cairo: %s\n", sl_diags_at(diags, 0)->text);
    }
    sl_bytes_fini(&bytes);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths), cmocka_unit_test(test_nothing_drifts), cmocka_unit_test(test_texts),
        cmocka_unit_test(test_clips), cmocka_unit_test(test_widths),         cmocka_unit_test(test_png),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
