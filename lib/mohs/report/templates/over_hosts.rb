# frozen_string_literal: true

module Mohs
  module Report
    module Templates
      # The results of a fleet's hosts for a variant, each alone and combined.
      module OverHosts
        DIRECTION = %w[faster slower].freeze

        module_function

        #: (Analysis::OverHosts) -> String
        def text(over)
          [alone(over.outcomes, over.hosts.size), together(over.interval), apart(over)]
            .compact.join("; ")
        end

        # Counts the hosts with the most frequent outcome, and names the others.
        def alone(outcomes, count)
          most, names = outcomes.sort_by { |outcome, own| [-own.size, outcome] }.first
          others = outcomes.except(most).map { |outcome, own| "#{outcome} on #{Numbers.list(own)}" }
          ["#{most} on #{names.size} of #{count} hosts", *others].join(", ")
        end

        # nil without an interval: two hosts say nothing about a third.
        def together(interval)
          return if interval.low.nil?

          change = Change.new({ effect: interval.value, interval: [interval.low, interval.high] })
          return "on hosts like these #{change.directed(*DIRECTION)} #{change.bracket}" if
            change.sure?

          low, high = change.ends(*DIRECTION)
          "on hosts like these between #{low} and #{high}"
        end

        def apart(over)
          return if over.apart.empty?

          named = over.hosts.select { |host| over.apart.include?(host.name) }.map do |host|
            "#{host.name} (#{Change.of(host.interval.value).directed(*DIRECTION)})"
          end
          return "they differ: #{Numbers.list(named)}" if over.apart.size == over.hosts.size

          "#{Numbers.list(named)} #{named.one? ? 'differs' : 'differ'} from the others"
        end

        private_class_method :alone, :together, :apart
      end
    end
  end
end
