/* Messages to all for fuzz targets, which are made once. */
#ifndef MOHS_FUZZ_MESSAGES_H
#define MOHS_FUZZ_MESSAGES_H

#include "core/talk.h"

#include "fuzz.h"

/* Has so many messages, which nobody has, for so many connections. */
static void empty(struct mohs_messages *messages, struct mohs_fan_out *fan_out, uint64_t count,
                  uint32_t audience) {
    if (!messages->all) {
        HOLDS(mohs_messages_init(messages, count) == 0);
        HOLDS(mohs_fan_out_init(fan_out, count, audience) == 0);
    }
    memset(fan_out->fans, 0, count * sizeof *fan_out->fans);
    memset(fan_out->heard_by, 0, count * fan_out->stride);
    fan_out->due = fan_out->came = 0;
    *messages = (struct mohs_messages){
        .all = messages->all, .capacity = count, .size = count, .fan_out = fan_out};
}

#endif
