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
    return error == MOHS_OK || error == MOHS_NO_CAPTURE || mohs_wrong(error);
}

bool mohs_unanswered(int error) {
    switch (error) {
    case MOHS_CONNECT_TIMEOUT:
    case MOHS_TIMEOUT_FIRST:
    case MOHS_TIMEOUT:
    case MOHS_ABORTED:
        return true;
    default:
        return false;
    }
}

bool mohs_wrong(int error) {
    switch (error) {
    case MOHS_WRONG_STATUS:
    case MOHS_WRONG_LENGTH:
    case MOHS_WRONG_BODY:
    case MOHS_MISSING_TEXT:
    case MOHS_WRONG_TYPE:
        return true;
    default:
        return false;
    }
}
