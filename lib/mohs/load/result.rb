# frozen_string_literal: true

module Mohs
  module Load
    # One load as a whole, from which every figure of it can be computed:
    #   server         as the person would write it
    #   asked          connections, keep_alive (of a Load::Target), threads, seed, duration_s or
    #                  count, and of how many `batches` that is; `arrivals`, the
    #                  Load::Arrivals#facts of each step (nil of a closed loop)
    #   answers        [App::Answer] that the others were held against
    #   step           Load::StepResult; of several steps their total
    #   stages         [[Load::StepResult, Load::Recording]] of several steps; [] of one
    #   recording      Load::Recording; of another tool's load its Load::Summary
    #   tool           of another tool's load { name:, caveat:, threads: does it have a number of
    #                  them? }, else nil
    #   epoch_real_ns  the wall clock where due_ns of the records is 0, in ns since 1970
    #   argv, host, versions   what was typed, secrets masked; the host's fingerprint; { mohs:,
    #                  ruby: }
    #   traffic        of logs, what was taken and left out, as in docs/json.md, else nil
    #   scenario       { file:, steps: Load::Scenario#outline }, else nil
    #   login          Load::StepResult of a scenario's logins, or nil
    #   empty_per_s    of Load::NullServerRate, nil where it was not asked
    #   specimen       Load::FailedResponse#summary of the first wrong answer, or nil
    class Result < Struct.new(:server, :asked, :answers, :step, :recording, :epoch_real_ns, :argv,
                              :host, :versions, :traffic, :stages, :scenario, :login, :tool,
                              :empty_per_s, :specimen, keyword_init: true)
      #: (**untyped) -> void
      def initialize(answers: [], stages: [], **)
        super
        freeze
      end

      #: () -> bool
      def open_loop? = !step.offered.nil?

      # What a client waits for: in a closed loop nobody waits before a request is sent.
      #: () -> Symbol
      def kind = open_loop? ? :response : :service
    end
  end
end
