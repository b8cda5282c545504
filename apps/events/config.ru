# frozen_string_literal: true

require_relative "events"

# Event streams (text/event-stream) whose truth the path says: the first event at once, then one
# every so many milliseconds until the client hangs up.
#
#     /events/20    a Rack 3 streaming body: Puma gives a thread to each stream, Falcon a fiber
#     /hijacked/20  the server hands the connection over (rack.hijack): one thread of the
#                   application sends the events of all streams, and the server's are free
run Events.new
