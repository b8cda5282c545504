# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Pages that went to or came from swap: any of them stall whoever touches them.
      class Swap < Base
        LABEL = "swap"
        UNIT = "pages"
        NEEDS = [:activity].freeze

        private

        def judge
          pages = facts.activity[:swapped]
          return unknown("/proc/vmstat does not count it") unless pages
          return ok(0, "nothing swapped") if pages.zero?

          bad(pages, "#{pages} pages swapped", remedy: "free memory, then sudo swapoff -a")
        end
      end
    end
  end
end
