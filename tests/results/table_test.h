/* SPDX-License-Identifier: MIT */
/* table_test.h: a fake engine's run as a table, and rows of numbers that are nearly the same. */
#ifndef TABLE_TEST_H
#define TABLE_TEST_H

#include "fake.h"

#include "base/out.h"
#include "results/table.h"

/* The engine without quality (fake_small_ops) through a table. */
sl_status table_run(sl_context *ctx, fake *f, const sl_table_def *def, fake_set set, int32_t n_period, sl_diags *diags);
/* Cells are the same texts, or numbers within 1e-4 of each other: EPANET's litre is off by 5e-6. */
void table_assert_row(const char *actual, const char *expected);
/* Bytes as a string; free it. */
char *table_text(const sl_bytes *bytes);

#endif
