/*
 * One client of a scenario, on one connection: its position, its values, its cookies. It renders
 * requests and takes from the answers what the next requests need; when they are sent and how they
 * end is the connection's business. All its memory is mapped before load starts.
 *
 * An action: begin; then for each of its steps render, tell and body while the answer is read,
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
    uint32_t of;     /* so many */
    uint64_t begun;  /* actions */
    uint32_t step;   /* the next one, */
    uint32_t end;    /* where the action ends */
    bool midway;     /* the action has more steps, which will be sent */
    bool finished;   /* every step of the action was right */
    uint64_t found;  /* captures made in this step, a bit each */
    uint64_t think;  /* random state of its think times */
    char *request;   /* room for two: head and body are rendered separately */
    char *page;      /* as much of the answer's body as fits */
    size_t page_size;
    struct mohs_span *values; /* of each variable */
    char **places;            /* where drawn and captured values are stored */
    uint64_t *drawn;          /* how often each variable was drawn */
    struct mohs_cookies cookies;
};

/* Bytes that a client of a ready scenario needs, a whole number of pages. */
size_t mohs_client_bytes(const struct mohs_scenario *scenario);

/* Makes client `number` of `of` in zeroed memory of that size; what it draws follows from `seed`.
 * */
struct mohs_client *mohs_client_make(void *memory, const struct mohs_scenario *scenario,
                                     uint64_t seed, uint32_t number, uint32_t of);

/* Begins an action, drawn by weight, for which *random advances, or the login. Draws its variables.
 * */
void mohs_client_begin(struct mohs_client *client, bool login, uint64_t *random);

/* The bytes of the next request, valid until the next call; returns the number of its step. */
uint32_t mohs_client_render(struct mohs_client *client, struct mohs_span *bytes);

/* Takes a header of the answer (mohs_header_listener; the listener is the client). */
void mohs_client_tell(void *client, struct mohs_span name, struct mohs_span value);

/* Takes the next piece of its body. */
void mohs_client_body(struct mohs_client *client, struct mohs_span piece);

/* Judges a right answer: MOHS_OK, or MOHS_NO_CAPTURE if something was not in it. */
int mohs_client_judge(struct mohs_client *client);

/* To be called when the request has ended. A good one leads to the next step, any other ends the
 * action. Returns how long the client thinks before it goes on. */
uint64_t mohs_client_ended(struct mohs_client *client, bool good);

#endif
