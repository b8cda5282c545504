#include "error.h"

const char *mohs_error_name(int error) {
    switch (error) {
#define MOHS_ERROR_CASE(number, name, text)                                                        \
    case number:                                                                                   \
        return text;
        MOHS_ERRORS(MOHS_ERROR_CASE)
#undef MOHS_ERROR_CASE
    default:
        return "unknown";
    }
}
