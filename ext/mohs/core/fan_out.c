#include "fan_out.h"

#include <assert.h>
#include <errno.h>
#include <sys/mman.h>

static void *map(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

int mohs_fan_out_init(struct mohs_fan_out *fan_out, uint64_t messages, uint32_t connections) {
    *fan_out = (struct mohs_fan_out){.capacity = messages, .stride = (connections + 7u) / 8};
    fan_out->fans = map(messages * sizeof *fan_out->fans);
    fan_out->heard_by = map(messages * fan_out->stride);
    if (fan_out->fans && fan_out->heard_by) return 0;
    mohs_fan_out_free(fan_out);
    return -ENOMEM;
}

void mohs_fan_out_free(struct mohs_fan_out *fan_out) {
    if (fan_out->fans) munmap(fan_out->fans, fan_out->capacity * sizeof *fan_out->fans);
    if (fan_out->heard_by) munmap(fan_out->heard_by, fan_out->capacity * fan_out->stride);
    *fan_out = (struct mohs_fan_out){.fans = NULL};
}

void mohs_fan_out_sent(struct mohs_fan_out *fan_out, uint64_t number, uint32_t audience) {
    assert(number < fan_out->capacity);
    fan_out->fans[number].audience = audience;
    fan_out->due += audience;
}

bool mohs_fan_out_heard(const struct mohs_fan_out *fan_out, uint64_t number, uint32_t connection) {
    assert(number < fan_out->capacity && connection / 8 < fan_out->stride);
    return fan_out->heard_by[number * fan_out->stride + connection / 8] >> connection % 8 & 1;
}

void mohs_fan_out_cut(struct mohs_fan_out *fan_out, uint64_t number) {
    assert(number < fan_out->capacity);
    struct mohs_fan *fan = &fan_out->fans[number];
    if (fan->cut) return;
    fan->cut = true;
    fan_out->due -= fan->audience;
    fan_out->came -= fan->heard;
}

void mohs_fan_out_leave(struct mohs_fan_out *fan_out, uint64_t number) {
    assert(number < fan_out->capacity);
    struct mohs_fan *fan = &fan_out->fans[number];
    if (fan->cut || fan->heard >= fan->audience) return;
    fan->audience--;
    fan_out->due--;
    fan->cut = fan->audience == 0;
    mohs_parts_note(&fan->parts, fan->heard, fan->audience);
}

bool mohs_fan_out_came(struct mohs_fan_out *fan_out, uint64_t number, uint32_t connection,
                       uint64_t came_ns) {
    if (mohs_fan_out_heard(fan_out, number, connection)) return false;
    struct mohs_fan *fan = &fan_out->fans[number];
    uint8_t *byte = &fan_out->heard_by[number * fan_out->stride + connection / 8];
    *byte |= (uint8_t)(1u << connection % 8);
    if (fan->cut) return true;
    fan->heard++;
    fan_out->came++;
    mohs_parts_add(&fan->parts, came_ns, fan->heard, fan->audience);
    return true;
}
