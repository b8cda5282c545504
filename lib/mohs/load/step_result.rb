# frozen_string_literal: true

module Mohs
  module Load
    # What one step did on one target. Every request that was sent is counted: sent = good + the sum
    # of `errors` ({ "class" => count }, without zeros). `completed` counts whole answers, right or
    # wrong; `bytes` those of bodies.
    #   started_ns      since the driver's epoch
    #   wall_ns         from there to the last answer
    #   latency_sum_ns  of good requests, due to done: over wall_ns, the connections in use (Little)
    #   p50_ns          exact median of the good ones' service time (sent to done); nil without any
    #   max_ns          the longest due to done; nil without any good one
    #   cpu_ns          CPU time of the watched processes; nil when none is watched, or one is gone
    #   driver_cpu_ns   of our own threads
    #   connections     { asked:, opened:, lost:, served:, requests_min:, requests_max: }: served
    #                   had a good answer; the last two count good answers on the connection with
    #                   the fewest and the most
    #   gone            the server gave no answer for so long that the step was ended
    StepResult = Struct.new(:step, :target, :started_ns, :wall_ns, :sent, :completed, :good,
                            :errors, :bytes, :latency_sum_ns, :p50_ns, :max_ns, :cpu_ns,
                            :driver_cpu_ns, :connections, :gone, keyword_init: true) do
      def initialize(**)
        super
        freeze
      end
    end
  end
end
