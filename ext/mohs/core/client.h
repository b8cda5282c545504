/*
 * One client of a scenario, on one connection: where it stands, what it knows, its cookies. It
 * renders the requests and reads what the next ones need off the answers; when they are sent, and
 * what becomes of them, is the connection's business. All its memory is mapped before load starts.
 *
 * An action: begin, then for each of its steps render, tell and body while the answer is read,
 * judge, ended.
 */
#ifndef MOHS_CLIENT_H
#define MOHS_CLIENT_H

#include "cookies.h"
#include "scenario.h"

struct mohs_client {
    const struct mohs_scenario *scenario;
    uint64_t seed;
    uint32_t number; /* among the target's clients, */
    uint32_t of;     /* that are so many */
    uint64_t begun;  /* actions */
    uint32_t step;   /* the next one, */
    uint32_t end;    /* of those before this */
    bool midway;     /* steps of an action are to come */
    uint64_t found;  /* captures of the step that were made, a bit each */
    uint64_t think;  /* the state of its chance of times */
    char *request;   /* room for two: head and body are rendered apart */
    char *page;      /* of the answer's body as much as there is room for */
    size_t page_size;
    struct mohs_span *values; /* of each variable */
    char **places;            /* where a drawn or captured value is kept */
    uint64_t *drawn;          /* how often each sequence was */
    struct mohs_cookies cookies;
};

/* Bytes that a client of a ready scenario takes, a whole number of pages. */
size_t mohs_client_bytes(const struct mohs_scenario *scenario);

/* Makes the client number `number` of `of` in so many bytes of zeros; what chance brings it follows
 * from `seed`. */
struct mohs_client *mohs_client_make(void *memory, const struct mohs_scenario *scenario,
                                     uint64_t seed, uint32_t number, uint32_t of);

/* Begins an action: one by weight, for which *random moves on, or the login. Its variables are
 * drawn. */
void mohs_client_begin(struct mohs_client *client, bool login, uint64_t *random);

/* The bytes of the next request, valid until the next call; returns the number of its step. */
uint32_t mohs_client_render(struct mohs_client *client, struct mohs_span *bytes);

/* A header of the answer (mohs_header_told; the listener is the client). */
void mohs_client_tell(void *client, struct mohs_span name, struct mohs_span value);

/* The next piece of its body. */
void mohs_client_body(struct mohs_client *client, struct mohs_span piece);

/* Of a right answer: MOHS_OK, or MOHS_NO_CAPTURE when something was not in it. */
int mohs_client_judge(struct mohs_client *client);

/* The request ended. A good one leads to the next step, any other ends the action. Returns for how
 * long the client thinks before what follows. */
uint64_t mohs_client_ended(struct mohs_client *client, bool good);

#endif
