# frozen_string_literal: true

# Puma with a connection for each request, so that none waits for a thread that is free: with more
# kept connections than threads it sets some of them aside for up to 200 ms.
enable_keep_alives false

workers Integer(ENV.fetch("PROCESSES"))
threads Integer(ENV.fetch("THREADS")), Integer(ENV.fetch("THREADS"))
log_requests false
