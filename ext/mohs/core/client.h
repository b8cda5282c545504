/*
 * One client of a scenario, on one connection: its position, its values, its cookies. It renders
 * requests and takes from the responses what later requests need; the connection decides when
 * requests are sent and how they end. All its memory is mapped before load starts.
 *
 * For each action: begin; then for each of its steps render, tell and body while the response is
 * read, judge, ended.
 */
#ifndef MOHS_CLIENT_H
#define MOHS_CLIENT_H

#include "cookies.h"
#include "scenario.h"

struct mohs_client {
    const struct mohs_scenario *scenario;
    uint64_t seed;
    uint32_t number; /* its number among the target's clients */
    uint32_t of;     /* how many clients the target has */
    uint64_t begun;  /* actions begun */
    uint32_t step;   /* the next step */
    uint32_t end;    /* one past the last step of the action */
    bool midway;     /* the action has more steps, which will be sent */
    bool finished;   /* every step of the action succeeded */
    uint64_t found;  /* captures made in this step, a bit each */
    uint64_t think;  /* random state of its think times */
    char *request;   /* room for two: head and body are rendered separately */
    char *page;      /* as much of the response body as fits */
    size_t page_size;
    struct mohs_span *values; /* of each variable */
    char **places;            /* where drawn and captured values are stored */
    uint64_t *drawn;          /* how often each variable was drawn */
    struct mohs_cookies cookies;
};

/* Bytes that a client of a ready scenario needs, a whole number of pages. */
size_t mohs_client_bytes(const struct mohs_scenario *scenario);

/* Makes client `number` of `of` in zeroed memory of that size. `seed` determines what it draws. */
struct mohs_client *mohs_client_make(void *memory, const struct mohs_scenario *scenario,
                                     uint64_t seed, uint32_t number, uint32_t of);

/* Begins the login, or an action drawn by weight, which advances *random. Draws its variables. */
void mohs_client_begin(struct mohs_client *client, bool login, uint64_t *random);

/* Renders the next request. Its bytes are valid until the next call. Returns its step's number. */
uint32_t mohs_client_render(struct mohs_client *client, struct mohs_span *bytes);

/* Takes a header of the response (mohs_header_listener; the listener is the client). */
void mohs_client_tell(void *client, struct mohs_span name, struct mohs_span value);

/* Takes the next piece of the response body. */
void mohs_client_body(struct mohs_client *client, struct mohs_span piece);

/* Judges a correct response: MOHS_OK, or MOHS_NO_CAPTURE if it lacks something to capture. */
int mohs_client_judge(struct mohs_client *client);

/* To be called when the request has ended. A good response leads to the next step; anything else
 * ends the action. Returns how long the client thinks before it goes on. */
uint64_t mohs_client_ended(struct mohs_client *client, bool good);

#endif
