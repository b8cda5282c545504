# frozen_string_literal: true

threads 5, 5
workers 0
log_requests false
enable_keep_alives ENV["CLOSED_BY"] != "server"
