/* Rows of text, as a reader gets them. */
#include "core/rows.h"

#include <stdlib.h>

#include "runner.h"

static struct mohs_span span(const char *text) {
    return (struct mohs_span){text, strlen(text)};
}

static struct mohs_row_form form;

static void fill(const char *first, const char *unknown) {
    for (size_t at = 0; at < MOHS_COLUMN_COUNT; at++) form.before[at] = span(at ? "," : first);
    for (int error = 0; error < MOHS_ERROR_COUNT; error++)
        form.errors[error] = span(mohs_error_name(error));
    for (size_t flags = 0; flags < MOHS_FLAG_SETS; flags++) form.flags[flags] = span("");
    form.flags[3] = span("fresh|warm_up");
    form.unknown = span(unknown);
    form.end = span(";\n");
}

/* Writes the row into memory of exactly the promised size, so that the sanitizer finds a byte too
 * many. */
static void check_row(const char *wanted, struct mohs_record record) {
    char *row = malloc(mohs_row_bound(&form));
    size_t length = (size_t)(mohs_row_write(&form, &record, row) - row);
    CHECK_EQUAL(strlen(wanted), length);
    CHECK(length == strlen(wanted) && memcmp(row, wanted, length) == 0);
    free(row);
}

TEST(each_value_is_in_its_column) {
    fill("<", "-");
    check_row("<5000,10,700,900,200,ok,512,7,3,fresh|warm_up;\n",
              (struct mohs_record){.due_ns = 5000,
                                   .sent_ns = 10,
                                   .first_ns = 700,
                                   .done_ns = 900,
                                   .status = 200,
                                   .bytes = 512,
                                   .connection = 7,
                                   .request = 3,
                                   .flags = 3});
}

TEST(unknown_values_are_marked) {
    fill("", "null");
    check_row("6000,null,null,50,null,refused,0,0,0,;\n",
              (struct mohs_record){.due_ns = 6000, .done_ns = 50, .error = MOHS_REFUSED});
    check_row("6000,0,null,50,null,closed_before_answer,0,0,0,;\n",
              (struct mohs_record){.due_ns = 6000, .done_ns = 50, .error = MOHS_CLOSED_FRESH});
}

TEST(coarse_times_are_written_in_ns) {
    fill("", "");
    check_row("0,5120000000,5120001024,5200000000,,other,0,0,0,;\n",
              (struct mohs_record){.sent_ns = 5000000,
                                   .first_ns = 5000001,
                                   .done_ns = 5200000000,
                                   .error = 200, // of a later version
                                   .flags = MOHS_RECORD_COARSE});
}

TEST(the_largest_values_have_room) {
    fill("a long beginning, as of a column that names a variant", "");
    check_row("a long beginning, as of a column that names a variant"
              "281474976710655,4398046510080,4398046510080,1099511627775,65535,ok,4294967295,"
              "16777215,65535,;\n",
              (struct mohs_record){.due_ns = (1ull << 48) - 1,
                                   .sent_ns = UINT32_MAX,
                                   .first_ns = UINT32_MAX,
                                   .done_ns = (1ull << 40) - 1,
                                   .status = UINT16_MAX,
                                   .bytes = UINT32_MAX,
                                   .connection = (1 << 24) - 1,
                                   .request = UINT16_MAX,
                                   .flags = UINT8_MAX});
}

int main(void) {
    RUN(each_value_is_in_its_column);
    RUN(unknown_values_are_marked);
    RUN(coarse_times_are_written_in_ns);
    RUN(the_largest_values_have_room);
    return report();
}
