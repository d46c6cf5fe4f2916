/* SPDX-License-Identifier: MIT */
/* test_message.c: what a text is, read and written: every form that a partner may use, torn at every byte, and frames. */
#include "sl_test.h"

#include <locale.h>

#include "exchange/frame.h"

static const char FIVE[] = "TIME=12.5\nNEXT_TIMESTEP=0.5\nentity,value,description\n"
                           "1,1.25,level\n2,-300.5,flow\n3,NaN,missing\n4,1e-7,small\n50,123456.75,last one\n";

typedef struct reading {
    sl_test_memory memory;
    sl_context *ctx;
    sl_message m;
    char text[4096];
    sl_cosim_code code;
} reading;

static void read_text(reading *r, const char *text, int64_t n_expected) {
    memset(r, 0, sizeof *r);
    r->ctx = sl_test_context(&r->memory);
    sl_message_init(&r->m);
    snprintf(r->text, sizeof r->text, "%s", text);
    r->code = sl_text_read(r->ctx, r->text, strlen(text), n_expected, &r->m);
}

static void end_reading(reading *r) {
    sl_message_fini(r->ctx, &r->m);
    sl_test_context_end(r->ctx, &r->memory);
}

static void judges_texts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t n;
        sl_text_state is;
    } cases[] = {
        {"", 1, SL_TEXT_PARTIAL},
        {" \r\n\n", 1, SL_TEXT_PARTIAL},
        {"E", 1, SL_TEXT_PARTIAL},
        {"EN", 1, SL_TEXT_PARTIAL},
        {"END", 1, SL_TEXT_END},
        {"END\n", 1, SL_TEXT_END},
        {"\xEF\xBB\xBF END \r\n \n", 1, SL_TEXT_END},
        {"ENDE\n", 1, SL_TEXT_BAD},
        {"end\n", 1, SL_TEXT_BAD},
        {"END\nTIME=1\n", 1, SL_TEXT_BAD},
        {"rubbish", 1, SL_TEXT_PARTIAL},
        {"rubbish\n", 1, SL_TEXT_BAD},
        {"TIM", 1, SL_TEXT_PARTIAL},
        {"TIME=1\nrubbish\n", 1, SL_TEXT_BAD},
        {"TIME=1\nNEXT_TIMESTEP=1", 0, SL_TEXT_PARTIAL},
        {"TIME=1\nNEXT_TIMESTEP=1\n", 0, SL_TEXT_PARTIAL},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead", 0, SL_TEXT_DATA_OPEN},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n", 0, SL_TEXT_DATA},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n", 1, SL_TEXT_PARTIAL},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n1", 1, SL_TEXT_PARTIAL},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n1,2", 1, SL_TEXT_PARTIAL},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n1,2,", 1, SL_TEXT_DATA_OPEN},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n1,2\n", 1, SL_TEXT_DATA},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n1,2,x\n", 1, SL_TEXT_DATA},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n1,2,x\n", 2, SL_TEXT_PARTIAL},
        {"TIME=1\nNEXT_TIMESTEP=1\n1,2,x\n2,3,y\n", 2, SL_TEXT_DATA},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n1,2,\"two\nlines\"\n2,3,\n", 2, SL_TEXT_DATA},
        {"TIME=1\nNEXT_TIMESTEP=1\nhead\n1,2,\"open\n", 1, SL_TEXT_DATA_OPEN},
        {" TIME = 1 \r\n\r\n NEXT_TIMESTEP =\t1\r\nhead\r\n 1 , 2 , x \r\n", 1, SL_TEXT_DATA},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sl_text_state is = sl_text_classify(cases[i].text, strlen(cases[i].text), cases[i].n);
        if (is != cases[i].is) {
            print_error("case %zu is judged %d, not %d:\n%s\n", i, (int)is, (int)cases[i].is, cases[i].text);
        }
        assert_int_equal(is, cases[i].is);
    }
}

static void reads_a_message(void **state) {
    (void)state;
    reading r;
    read_text(&r, FIVE, 5);
    assert_int_equal(r.code, SL_COSIM_OK);
    sl_assert_double(r.m.time, 12.5);
    sl_assert_double(r.m.next, 0.5);
    sl_assert_abs(r.m.time_within, 0.05, 1e-12);
    assert_int_equal(r.m.row.n, 5);
    static const double value[] = {1.25, -300.5, NAN, 1e-7, 123456.75};
    for (int i = 0; i < 5; i++) {
        sl_assert_double(r.m.row.at[i].value, value[i]);
    }
    assert_int_equal(r.m.row.at[4].entity, 50);
    sl_assert_str(r.m.row.at[4].text, "last one");
    for (int i = 0; i < SL_NOTE_COUNT; i++) {
        assert_int_equal(r.m.note[i], 0);
    }
    end_reading(&r);
}

/* At every byte: what is accepted has all values as they were written, or it is not accepted. */
static void torn_at_every_byte(void **state) {
    (void)state;
    size_t whole = sizeof FIVE - 1, accepted = 0;
    for (size_t n = 0; n <= whole; n++) {
        char part[sizeof FIVE] = {0};
        memcpy(part, FIVE, n);
        sl_text_state is = sl_text_classify(part, n, 5);
        assert_int_not_equal(is, SL_TEXT_BAD);
        assert_int_not_equal(is, SL_TEXT_END);
        reading r;
        read_text(&r, part, 5);
        if (is == SL_TEXT_DATA || is == SL_TEXT_DATA_OPEN) {
            accepted++;
            assert_int_equal(r.code, SL_COSIM_OK);
            assert_int_equal(r.m.row.n, 5);
        }
        assert_true(r.code == SL_COSIM_OK || r.code == SL_COSIM_BAD_FORMAT);
        static const double value[] = {1.25, -300.5, NAN, 1e-7, 123456.75};
        for (int64_t i = 0; i < r.m.row.n; i++) {
            sl_assert_double(r.m.row.at[i].value, value[i]);
        }
        if (r.code == SL_COSIM_OK) {
            sl_assert_double(r.m.time, 12.5);
            sl_assert_double(r.m.next, 0.5);
            assert_int_equal(r.m.note[SL_NOTE_FEW_ROWS], 5 - r.m.row.n);
        }
        end_reading(&r);
    }
    assert_int_equal(accepted, strlen("last one") + 2); /* from the comma after the last value on */
}

static void reads_every_number(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double x;
    } good[] = {{"1", 1},
                {" -1.5\t", -1.5},
                {"+2", 2},
                {".5", .5},
                {"5.", 5},
                {"1e3", 1000},
                {"1E+3", 1000},
                {"1.5e-3", .0015},
                {"nan", NAN},
                {"NaN", NAN},
                {"-nan", NAN},
                {"NAN", NAN},
                {"nan(ind)", NAN},
                {"-nan(ind)", NAN},
                {"nan(0x7)", NAN},
                {"1.#QNAN", NAN},
                {"-1.#IND", NAN},
                {"1.#IND00", NAN},
                {"inf", INFINITY},
                {"-Infinity", -INFINITY},
                {"1.#INF", INFINITY},
                {"1e999", INFINITY},
                {"-1e999", -INFINITY},
                {"1e-999", 0}};
    static const char *const wrong[] = {"",     "x",    "1,5", "0x10",     "1_000", "1.5f", "1 2",
                                        "nano", "nan(", "1.#", "infinite", "--1",   "1e"};
    double x;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(sl_text_number(sl_str_z(good[i].text), &x, NULL));
        sl_assert_double(x, good[i].x);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (sl_text_number(sl_str_z(wrong[i]), &x, NULL)) {
            fail_msg("'%s' is no number", wrong[i]);
        }
    }
    static const struct {
        const char *text;
        double within;
    } printed[] = {{"12.5", 0.05},    {"600", 0.5},     {"1.23457e+06", 5},          {"1e3", 500},
                   {"0.125", 0.0005}, {"1e300", 5e299}, {"1000000000000.0001", 1000}};
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        double within;
        assert_true(sl_text_number(sl_str_z(printed[i].text), &x, &within));
        sl_assert_rel(within, printed[i].within, 1e-9);
    }
}

static void tolerates(void **state) {
    (void)state;
    reading r;
    read_text(
        &r,
        "\xEF\xBB\xBF TIME = 1e1\r\n\r\nNEXT_TIMESTEP= 2\r\nwhatever\r\n 7 ,\t3.5 , a, b\r\n\r\n8,,\r\n9,inf,\"q \"\"x\"\"\r\ny\"\r\n10,4,\"open\r\n11,3,5,text\r\n12,1,extra\r\n",
        5);
    assert_int_equal(r.code, SL_COSIM_OK);
    sl_assert_double(r.m.time, 10);
    assert_int_equal(r.m.row.n, 5);
    assert_int_equal(r.m.n_row, 6);
    sl_assert_str(r.m.row.at[0].text, "a, b");
    sl_assert_double(r.m.row.at[1].value, NAN);
    sl_assert_double(r.m.row.at[2].value, INFINITY);
    sl_assert_str(r.m.row.at[2].text, "q \"x\"\r\ny");
    sl_assert_str(r.m.row.at[3].text, "\"open");
    sl_assert_double(r.m.row.at[4].value, 3);
    assert_int_equal(r.m.note[SL_NOTE_EMPTY_VALUE], 1);
    assert_int_equal(r.m.note[SL_NOTE_INFINITE], 1);
    assert_int_equal(r.m.note[SL_NOTE_QUOTE], 1);
    assert_int_equal(r.m.note[SL_NOTE_DECIMAL_COMMA], 1);
    assert_int_equal(r.m.note_line[SL_NOTE_DECIMAL_COMMA], 11);
    assert_int_equal(r.m.note[SL_NOTE_MANY_ROWS], 1);
    assert_int_equal(r.m.note[SL_NOTE_NO_HEADER], 0);
    end_reading(&r);
    read_text(&r, "TIME=1\nNEXT_TIMESTEP=1\n4,2.5,x\n", 1);
    assert_int_equal(r.code, SL_COSIM_OK);
    assert_int_equal(r.m.note[SL_NOTE_NO_HEADER], 1);
    sl_assert_double(r.m.row.at[0].value, 2.5);
    end_reading(&r);
}

static void refuses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t line;
        const char *says;
    } cases[] = {
        {"", 1, "ends before"},
        {"TIME=1\n", 2, "ends before"},
        {"TIME=1\nNEXT_TIMESTEP=1", 2, "ends before"},
        {"rubbish\n", 1, "TIME=<seconds>"},
        {"\nTIME=1,5\nNEXT_TIMESTEP=1\nh\n", 2, "decimal comma"},
        {"TIME=1\nSTEP=1\n", 2, "NEXT_TIMESTEP=<seconds>"},
        {"TIME=1\nNEXT_TIMESTEP=0x1\nh\n", 2, "NEXT_TIMESTEP is not a number"},
        {"TIME=1\nNEXT_TIMESTEP=1\nh\nrubbish\n", 4, "no comma"},
        {"TIME=1\nNEXT_TIMESTEP=1\nh\n1.5,1,\n", 4, "entity is not a whole number"},
        {"TIME=1\nNEXT_TIMESTEP=1\nh\n99999999999999999999,1,\n", 4, "entity is not a whole number"},
        {"TIME=1\nNEXT_TIMESTEP=1\nh\n1,1.5x,\n", 4, "value is not a number"},
        {"TIME=1\nNEXT_TIMESTEP=1\nh\n1,0x1F,\n", 4, "value is not a number"},
        {"END\nmore\n", 2, "follows the word END"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reading r;
        read_text(&r, cases[i].text, 1);
        assert_int_equal(r.code, SL_COSIM_BAD_FORMAT);
        assert_int_equal(r.m.error_line, cases[i].line);
        if (!strstr(r.m.error, cases[i].says)) {
            fail_msg("case %zu: '%s' does not say '%s'", i, r.m.error, cases[i].says);
        }
        end_reading(&r);
    }
}

/* A message with awkward texts and values. */
static void fill(sl_context *ctx, sl_message *m) {
    static const double values[] = {0.1, -0.0, 1e300, 5e-324, 123456789.123456789, NAN};
    static const char *const texts[] = {"plain", "", "a,b \"c\"\nd", "M\xC3\xBCnchen", "tab\there", "x"};
    sl_message_init(m);
    m->kind = SL_MESSAGE_DATA;
    m->time = 1.0 / 3;
    m->next = 1e-9;
    for (int i = 0; i < 6; i++) {
        sl_message_row row = {i - 2, 0, values[i], sl_str_z(texts[i])};
        assert_true(SL_PUSH(ctx, &m->row, row));
    }
}

static void writes_a_text(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_message m;
    sl_bytes b;
    fill(ctx, &m);
    sl_bytes_init(&b, ctx);
    assert_true(sl_text_write(&b, &m, false));
    sl_assert_bytes(b.at, b.n,
                    "TIME=0.3333333333333333\nNEXT_TIMESTEP=1e-09\nentity,value,description\n-2,0.1,plain\n-1,0,\n"
                    "0,1e+300,a;b 'c' d\n1,5e-324,M\xC3\xBCnchen\n2,123456789.12345679,tab here\n3,NaN,x\n");
    sl_message_row longest = {7, 0, 1, {NULL, 0}};
    char text[300];
    memset(text, 'a', sizeof text);
    memcpy(text + 199, "\xC3\xBC", 2);
    longest.text = (sl_str){text, sizeof text};
    m.row.at[0] = longest;
    m.row.n = 1;
    b.n = 0;
    assert_true(sl_text_write(&b, &m, true));
    assert_int_equal(b.n,
                     strlen("TIME=0.3333333333333333\nNEXT_TIMESTEP=1e-09\nentity,value,description\n7,1,\n") + 199);
    m.kind = SL_MESSAGE_END;
    b.n = 0;
    assert_true(sl_text_write(&b, &m, false));
    sl_assert_bytes(b.at, b.n, "END\n");
    sl_bytes_fini(&b);
    sl_message_fini(ctx, &m);
    sl_test_context_end(ctx, &memory);
}

static void check_same(const sl_message *a, const sl_message *b, bool bits, bool texts) {
    sl_assert_double(b->time, a->time);
    sl_assert_double(b->next, a->next);
    assert_int_equal(b->row.n, a->row.n);
    for (int64_t i = 0; i < a->row.n; i++) {
        assert_int_equal(b->row.at[i].entity, a->row.at[i].entity);
        if (bits) {
            sl_assert_bits(b->row.at[i].value, a->row.at[i].value);
        } else {
            sl_assert_double(b->row.at[i].value, a->row.at[i].value);
        }
        if (texts) {
            assert_true(sl_str_equal(b->row.at[i].text, a->row.at[i].text));
        }
    }
}

/* Through text with quotes, framed text and binary frames: what comes out is what went in. */
static void goes_round(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_message m, back;
    sl_bytes b;
    fill(ctx, &m);
    sl_message_init(&back);
    for (int way = 0; way < 3; way++) {
        sl_bytes_init(&b, ctx);
        assert_true(way == 0 ? sl_text_write(&b, &m, true) : sl_frame_write(&b, &m, way == 2, true));
        size_t size = 0;
        if (way > 0) {
            for (int64_t n = 0; n < b.n; n++) { /* a part is never a whole */
                sl_cosim_code code = sl_frame_find(b.at, (size_t)n, 4096, &size);
                assert_true(code == SL_COSIM_AGAIN || (code == SL_COSIM_OK && (int64_t)size == b.n));
            }
            assert_int_equal(sl_frame_find(b.at, (size_t)b.n, 4096, &size), SL_COSIM_OK);
            assert_int_equal(size, b.n);
        }
        sl_cosim_code code =
            way == 0 ? sl_text_read(ctx, b.at, (size_t)b.n, 6, &back) : sl_frame_read(ctx, b.at, (size_t)b.n, 6, &back);
        assert_int_equal(code, SL_COSIM_OK);
        check_same(&m, &back, way == 2, true);
        sl_bytes_fini(&b);
    }
    sl_message_fini(ctx, &m);
    sl_message_fini(ctx, &back);
    sl_test_context_end(ctx, &memory);
}

static void greets(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_message m, back;
    fill(ctx, &m);
    m.kind = SL_MESSAGE_HELLO;
    m.seq = 4711;
    m.n_in = 2;
    m.time = NAN;
    m.next = NAN;
    for (int64_t i = 0; i < m.row.n; i++) {
        m.row.at[i].type = (sl_cosim_type)(i - 3);
        m.row.at[i].value = (double)(i - 3);
    }
    m.row.at[2].text = sl_str_z("a,b");
    for (int binary = 0; binary < 2; binary++) {
        sl_bytes b;
        sl_bytes_init(&b, ctx);
        sl_message_init(&back);
        assert_true(sl_frame_write(&b, &m, binary, false));
        assert_int_equal(sl_frame_read(ctx, b.at, (size_t)b.n, 100, &back), SL_COSIM_OK);
        assert_int_equal(back.kind, SL_MESSAGE_HELLO);
        assert_int_equal(back.seq, 4711);
        assert_int_equal(back.n_in, 2);
        assert_int_equal(back.row.at[5].type, 2);
        check_same(&m, &back, false, true);
        sl_message_fini(ctx, &back);
        sl_bytes_fini(&b);
    }
    sl_message_fini(ctx, &m);
    sl_test_context_end(ctx, &memory);
}

/* The checksum bit by bit: Castagnoli's polynomial, reflected. */
static uint32_t crc_by_bits(const unsigned char *p, size_t n) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++) {
            crc = crc & 1 ? crc >> 1 ^ 0x82F63B78 : crc >> 1;
        }
    }
    return ~crc;
}

/* Of every length: instructions of the processor and the table must agree on all bytes. */
static void checksum_of_any_length(void **state) {
    (void)state;
    unsigned char bytes[300];
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        x = x * 1664525 + 1013904223;
        bytes[i] = (unsigned char)(x >> 24);
    }
    for (size_t n = 0; n <= sizeof bytes; n++) {
        assert_int_equal(sl_crc32c(bytes, n), crc_by_bits(bytes, n));
    }
    for (unsigned c = 0; c < 256; c++) {
        unsigned char one = (unsigned char)c;
        assert_int_equal(sl_crc32c(&one, 1), crc_by_bits(&one, 1));
    }
}

/* One bit wrong anywhere in a binary frame is found out; sizes that lie are refused. */
static void finds_damage(void **state) {
    (void)state;
    assert_int_equal(sl_crc32c("123456789", 9), 0xE3069283);
    char zeros[32] = {0}; /* the vectors of RFC 3720 */
    assert_int_equal(sl_crc32c(zeros, 32), 0x8A9136AA);
    memset(zeros, 0xFF, 32);
    assert_int_equal(sl_crc32c(zeros, 32), 0x62A8AB43);
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_message m, back;
    sl_bytes b;
    fill(ctx, &m);
    sl_message_init(&back);
    sl_bytes_init(&b, ctx);
    assert_true(sl_frame_write(&b, &m, true, false));
    for (int64_t bit = 0; bit < 8 * b.n; bit++) {
        b.at[bit / 8] = (char)(b.at[bit / 8] ^ 1 << bit % 8);
        size_t size = 0;
        sl_cosim_code found = sl_frame_find(b.at, (size_t)b.n, 4096, &size);
        if (found == SL_COSIM_OK && (int64_t)size == b.n) {
            assert_int_equal(sl_frame_read(ctx, b.at, (size_t)b.n, 6, &back), SL_COSIM_BAD_FORMAT);
        }
        b.at[bit / 8] = (char)(b.at[bit / 8] ^ 1 << bit % 8);
    }
    static const struct {
        const char *bytes;
        sl_cosim_code code;
    } cases[] = {{"C", SL_COSIM_AGAIN},
                 {"COSIM/1 ", SL_COSIM_AGAIN},
                 {"COSIM/2 4\nEND\n", SL_COSIM_BAD_FORMAT},
                 {"COSIM/1 4097\n", SL_COSIM_LIMIT},
                 {"COSIM/1 99999999999999999999999\n", SL_COSIM_LIMIT},
                 {"COSIM/1 -4\n", SL_COSIM_BAD_FORMAT},
                 {"COSIM/1 +4\n", SL_COSIM_BAD_FORMAT},
                 {"COSIM/1 \n", SL_COSIM_BAD_FORMAT},
                 {"COSIM/1 4x\n", SL_COSIM_BAD_FORMAT},
                 {"COSIM/1 00000000000000000000000000000000000004\n", SL_COSIM_BAD_FORMAT},
                 {"GET / HTTP/1.1\n", SL_COSIM_BAD_FORMAT},
                 {"SLC", SL_COSIM_AGAIN},
                 {"SLCX", SL_COSIM_BAD_FORMAT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        assert_int_equal(sl_frame_find(cases[i].bytes, strlen(cases[i].bytes), 4096, &size), cases[i].code);
    }
    char end[2][SL_FRAME_END_MOST];
    for (int binary = 0; binary < 2; binary++) {
        size_t n = sl_frame_end(binary, end[binary]);
        assert_int_equal(sl_frame_read(ctx, end[binary], n, 6, &back), SL_COSIM_END);
    }
    sl_bytes_fini(&b);
    sl_message_fini(ctx, &m);
    sl_message_fini(ctx, &back);
    sl_test_context_end(ctx, &memory);
}

static void keeps_its_point(void **state) {
    const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    bool set = false;
    for (int i = 0; i < 4 && !set; i++) {
        set = setlocale(LC_ALL, names[i]) != NULL;
    }
    if (!set) {
        print_message("skipped a host with a decimal comma: no locale such as de_DE.UTF-8 is installed\n");
        return;
    }
    char shown[32];
    snprintf(shown, sizeof shown, "%.1f", 0.5);
    sl_assert_z(shown, "0,5");
    reads_a_message(state);
    writes_a_text(state);
    reads_every_number(state);
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_texts),
        cmocka_unit_test(reads_a_message),
        cmocka_unit_test(torn_at_every_byte),
        cmocka_unit_test(reads_every_number),
        cmocka_unit_test(tolerates),
        cmocka_unit_test(refuses),
        cmocka_unit_test(writes_a_text),
        cmocka_unit_test(goes_round),
        cmocka_unit_test(greets),
        cmocka_unit_test(checksum_of_any_length),
        cmocka_unit_test(finds_damage),
        cmocka_unit_test(keeps_its_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
