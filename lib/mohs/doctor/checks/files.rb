# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Descriptors that a process of ours may have open: a connection is one in the driver and one
      # in the server.
      class Files < Base
        LABEL = "files"
        UNIT = "files"
        LIMITS = { warn: 1023, bad: 255 }.freeze

        private

        def judge
          limit = reader.text("proc/self/limits")&.slice(/^Max open files\s+(\w+)/, 1)
          return unknown("/proc/self/limits can't be read") unless limit
          return ok(nil, "no limit of open files") if limit == "unlimited"

          graded(limit.to_i, "#{limit} open files at most", remedy: "ulimit -n 4096")
        end
      end
    end
  end
end
