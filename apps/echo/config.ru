# frozen_string_literal: true

require_relative "echo"

# WebSockets (RFC 6455) that send each message back.
#
#     /echo       a Rack 3 streaming body: Puma gives a thread to each WebSocket, Falcon a fiber
#     /everybody  the same, but sends each message to all WebSockets of the process
#     /hijacked   the server hands the connection over (rack.hijack): one thread of the application
#                 serves all WebSockets, and the server's are free
run Echo.new
