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

bool mohs_answered(int error) {
    switch (error) {
    case MOHS_OK:
    case MOHS_WRONG_STATUS:
    case MOHS_WRONG_LENGTH:
    case MOHS_WRONG_BODY:
    case MOHS_NO_CAPTURE:
        return true;
    default:
        return false;
    }
}
