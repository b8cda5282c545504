# frozen_string_literal: true

module Mohs
  class Store
    # A stretch of load on one trial (Load::StepResult says what most members count). `block` is nil
    # where nothing was measured (`warm_up`), `half` of the machine on which the server was, `pulse`
    # what the driver's threads noticed. `at_pace` { metric => log } is not stored:
    # Analysis::SpeedAdjustment says there what has to be added to the logarithms of its metrics.
    class Slice < Struct.new(:id, :trial_id, :block, :position, :warm_up, :started_ns, :wall_ns,
                             :sent, :completed, :good, :bytes, :latency_sum_ns, :p50_ns, :max_ns,
                             :cpu_ns, :driver_cpu_ns, :errors, :half, :pulse, :connections,
                             :at_pace, keyword_init: true)
      include Record
      extend Record::Members

      EMPTY = { errors: {}.freeze }.freeze
    end
  end
end
