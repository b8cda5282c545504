# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # Descriptors that a process of ours may have open: a connection is one in the driver and one
      # in the server.
      class Files < Base
        LABEL = "files"
        UNIT = "files"
        LIMITS = Limits.new(warn: 1023, bad: 255)

        WORDS = {
          limited: "%{value|count} open files at most",
          unlimited: "no limit on open files",
          unknown: "/proc/self/limits can't be read",
        }.freeze
        REMEDIES = { limited: "ulimit -n 4096" }.freeze

        private

        def judge
          limit = facts[:open_files] or return unknown
          return pass(:unlimited) if limit == :unlimited

          measured(LIMITS, :limited, limit)
        end
      end
    end
  end
end
