# frozen_string_literal: true

require_relative "events"

# Event streams (text/event-stream) whose truth the path says: the first event at once, then one
# every so many milliseconds until the client hangs up.
#
#     /events/20    a Rack 3 streaming body: Puma gives a thread to each stream, Falcon a fiber
#     /hijacked/20  the server hands the connection over (rack.hijack): one thread of the
#                   application sends the events of all streams, and the server's are free
#
# And streams that get what somebody publishes (mohs run --stream --get /everybody --publish
# /publish):
#
#     /everybody    a streaming body, as /events; an event is what was posted
#     /publish      takes the body of a POST, and sends it to all streams of /everybody in its own
#                   process. Several processes would need something that carries it to the others,
#                   such as Redis: mohs counts how often a message did not come to a stream (missed)
run Events.new
