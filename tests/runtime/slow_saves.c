/* SPDX-License-Identifier: MIT */
/* slow_saves.c: test_saves.c with more than ten thousand points. */
#include "sl_test.h"

#include "saves.h"

static const char *self;

static void test_points(void **state) {
    (void)state;
    assert_true(saves_check(self, 1000, 20) > 10000);
}

int main(int argc, char **argv) {
    int code;
    if (saves_main(argc, argv, &code)) {
        return code;
    }
    self = argv[0];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
