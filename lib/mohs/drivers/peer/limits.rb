# frozen_string_literal: true

module Mohs
  module Drivers
    module Peer
      # Compares what a load needs with what a tool can do: pure.
      module Limits
        # The capabilities (drivers/base.rb) in words for people.
        WORDS = {
          targets: "several targets at once", mix: "a mix of requests", unix: "a unix socket",
          sources: "source addresses", closing: "ends of connections by FIN or RST",
          checks: "checks of the body", statuses: "statuses of its own as right answers",
          slices: "several steps, warm-ups and pauses", arrivals: "an open loop",
          count: "an exact number of requests", duration: "a length of time",
          fractions: "anything but whole seconds",
          remainder: "a number of requests that does not divide by the connections",
          uneven: "a number of connections that does not divide by the threads",
          threads: "a number of threads", recording: "a record of each request",
          close_for_a_time: "Connection: close for a length of time",
          lines: "a body with line ends", fewer: "fewer requests than connections",
          secrets: "headers that other users can't see in the list of processes (--header-file)",
        }.freeze

        module_function

        # Raises UsageError unless the tool can load the targets as declared. good: the range of
        # statuses that the tool takes for correct; nil if mohs chooses the statuses. secrets: may
        # no other user see the headers?
        #: (String, Set[Symbol], Array[Load::Target], threads: Integer, good: Range[Integer]?, secrets: bool) -> void
        def verify_targets(tool, capabilities, targets, threads:, good:, secrets:)
          needs = targets.flat_map { |target| of_target(target, good) }
          needs << :secrets if secrets
          needs << :targets if targets.size > 1
          needs << :threads if threads > 1
          needs << :uneven if targets.any? { |target| (target.connections % threads).positive? }
          refuse(tool, needs - capabilities.to_a)
        end

        #: (String, Set[Symbol], Array[Load::Step], Load::Target) -> void
        def verify_steps(tool, capabilities, steps, target)
          needs = steps.flat_map { |step| of_step(step, target) }
          needs << :slices if steps.size > 1
          refuse(tool, needs - capabilities.to_a)
        end

        #: (Load::Target, Range[Integer]?) -> Array[Symbol]
        def of_target(target, good)
          checks = target.requests.map(&:check)
          chosen({ mix: target.requests.size > 1, unix: target.unix,
                   sources: target.source_addresses.any?,
                   closing: %i[fin rst].include?(target.keep_alive),
                   lines: target.requests.any? { |request| request.body&.b&.match?(/[\r\n]/n) },
                   checks: checks.any? { |check| check.mode != :status },
                   statuses: good && !checks.flat_map(&:statuses).all?(good) })
        end

        #: (Load::Step, Load::Target) -> Array[Symbol]
        def of_step(step, target)
          count, duration_ns = step.count, step.duration_ns
          chosen({ count:, duration: duration_ns, arrivals: step.to_h[:arrivals],
                   slices: step.warm_up,
                   fractions: duration_ns && (duration_ns % 1_000_000_000).positive?,
                   remainder: count && (count % target.connections).positive?,
                   fewer: count && count < target.connections,
                   close_for_a_time: duration_ns && target.keep_alive == :asked })
        end

        def chosen(needs) = needs.select { |_, needed| needed }.keys

        def refuse(tool, missing)
          return if missing.empty?

          raise UsageError, "#{tool} can't do #{WORDS.values_at(*missing.uniq).join(', ')}. " \
                            "The native driver can (docs/driver.md, Peers)."
        end
        private_class_method :chosen, :refuse
      end
    end
  end
end
