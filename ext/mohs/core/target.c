#include "target.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "client.h"
#include "tls.h"

static int copy_address(struct mohs_address *copy, const void *address, size_t size) {
    if (size < sizeof(sa_family_t) || size > sizeof copy->storage) return -EINVAL;
    memset(&copy->storage, 0, sizeof copy->storage);
    memcpy(&copy->storage, address, size);
    copy->size = (socklen_t)size;
    return 0;
}

/* Copies `size` bytes; never NULL for 0 bytes. */
static void *copy_bytes(const void *bytes, size_t size) {
    void *copy = malloc(size ? size : 1);
    if (copy && size) memcpy(copy, bytes, size);
    return copy;
}

int mohs_target_set_address(struct mohs_target *target, const void *address, size_t size) {
    return copy_address(&target->address, address, size);
}

int mohs_target_add_source(struct mohs_target *target, const void *address, size_t size) {
    size_t count = target->source_count + 1;
    struct mohs_address *sources = realloc(target->sources, count * sizeof *sources);
    if (!sources) return -ENOMEM;
    target->sources = sources;
    int result = copy_address(&sources[count - 1], address, size);
    if (result == 0) target->source_count = count;
    return result;
}

int mohs_target_set_workers(struct mohs_target *target, const uint32_t *workers, size_t count) {
    assert(count > 0);
    uint32_t *copy = copy_bytes(workers, count * sizeof *workers);
    if (!copy) return -ENOMEM;
    free(target->workers);
    target->workers = copy;
    target->worker_count = count;
    return 0;
}

int mohs_target_watch(struct mohs_target *target, const pid_t *pids, size_t count) {
    pid_t *copy = copy_bytes(pids, count * sizeof *pids);
    if (!copy) return -ENOMEM;
    free(target->watched);
    target->watched = copy;
    target->watched_count = count;
    return 0;
}

int mohs_target_set_tls(struct mohs_target *target, const char *name, size_t size) {
    assert(!target->tls);
#ifdef MOHS_TLS
    return mohs_tls_context_make(&target->tls, name, size);
#else
    (void)name, (void)size;
    return -ENOTSUP;
#endif
}

/* Makes room for one more request. */
static int grow_requests(struct mohs_target *target) {
    size_t count = target->request_count + 1;
    if (count > UINT16_MAX + 1u) return -E2BIG; // a record holds 16 bits of index
    struct mohs_request *requests = realloc(target->requests, count * sizeof *requests);
    if (!requests) return -ENOMEM;
    target->requests = requests;
    uint64_t *weights = realloc(target->weights, count * sizeof *weights);
    if (!weights) return -ENOMEM;
    target->weights = weights;
    return 0;
}

static void free_check(struct mohs_check *check) {
    free((char *)(uintptr_t)check->body);
    free((char *)(uintptr_t)check->type.data);
    mohs_text_free(&check->text);
}

/* Copies everything that the check points to. Returns 0 or -ENOMEM. */
static int copy_check(struct mohs_check *copy, const struct mohs_check *check) {
    bool exact = check->mode == MOHS_CHECK_EXACT;
    *copy = *check;
    copy->body = exact ? copy_bytes(check->body, check->length) : NULL;
    copy->type.data = check->type.size ? copy_bytes(check->type.data, check->type.size) : NULL;
    copy->text = (struct mohs_text){0};
    bool whole = (copy->body || !exact) && (copy->type.data || !check->type.size);
    if (whole && check->text.bytes.size) whole = !mohs_text_init(&copy->text, check->text.bytes);
    if (!whole) free_check(copy);
    return whole ? 0 : -ENOMEM;
}

int mohs_target_add_request(struct mohs_target *target, const char *bytes, size_t size,
                            uint32_t weight, bool head, const struct mohs_check *check) {
    uint64_t before = target->request_count ? target->weights[target->request_count - 1] : 0;
    if (weight == 0 || before + weight > UINT32_MAX) return -EINVAL;
    int result = grow_requests(target);
    if (result) return result;
    struct mohs_request request = {.size = size, .head = head, .bytes = copy_bytes(bytes, size)};
    if (!request.bytes) return -ENOMEM;
    result = copy_check(&request.check, check);
    if (result) {
        free(request.bytes);
        return result;
    }
    target->requests[target->request_count] = request;
    target->weights[target->request_count] = before + weight;
    target->request_count++;
    return 0;
}

struct mohs_scenario *mohs_target_take_scenario(struct mohs_target *target) {
    assert(!target->scenario);
    return target->scenario = calloc(1, sizeof *target->scenario);
}

int mohs_target_map_clients(struct mohs_target *target) {
    if (!target->scenario) return 0;
    int result = mohs_scenario_ready(target->scenario, target->request_count);
    if (result) return result;
    size_t bytes = mohs_client_bytes(target->scenario) * target->max_connections;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return -errno;
    target->clients = memory;
    target->clients_bytes = bytes;
    return 0;
}

struct mohs_client *mohs_target_client(const struct mohs_target *target, uint32_t number,
                                       uint64_t seed) {
    if (!target->scenario) return NULL;
    char *memory = target->clients + number * mohs_client_bytes(target->scenario);
    return mohs_client_make(memory, target->scenario, seed, number, target->max_connections);
}

void mohs_target_free(struct mohs_target *target) {
    if (target->clients) munmap(target->clients, target->clients_bytes);
    if (target->scenario) mohs_scenario_free(target->scenario);
    free(target->scenario);
    for (size_t index = 0; index < target->request_count; index++) {
        free(target->requests[index].bytes);
        free_check(&target->requests[index].check);
    }
    free(target->requests);
    free(target->weights);
    free(target->sources);
    free(target->workers);
    free(target->watched);
    if (target->tls) mohs_tls_context_free(target->tls);
    *target = (struct mohs_target){0};
}
