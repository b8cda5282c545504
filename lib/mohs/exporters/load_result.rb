# frozen_string_literal: true

module Mohs
  module Exporters
    # One load as a whole, from which everything about it is told: `server` as the person would
    # write it, `asked` and `answers` as Report::LoadModel takes them, `step` (Load::StepResult),
    # `recording` (Load::Recording), `epoch_real_ns` the wall clock where due_ns is 0 (ns since
    # 1970), `argv` what was typed, secrets masked, `host` its fingerprint, `versions` { mohs:,
    # ruby: }, `traffic` of logs or nil, `stages` of several steps ([] of one); of a scenario's
    # clients `scenario`, what is told of it ({ file:, steps: } as Report::ScenarioModel takes it),
    # and `login`, the Load::StepResult of their logins, or nil; `empty_per_s` of
    # Load::NullServerRate, nil where it was not asked; `specimen` of the first wrong answer
    # (Load::FailedResponse#summary), or nil.
    class LoadResult < Struct.new(:server, :asked, :answers, :step, :recording, :epoch_real_ns,
                                  :argv, :host, :versions, :traffic, :stages, :scenario, :login,
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

      # The document of docs/json.md, `load`.
      #: () -> Hash[Symbol, untyped]
      def document
        both = { asked:, empty_per_s:, specimen: }
        return Report::ScenarioModel.new(step, recording, scenario:, login:, **both).document if
          scenario

        Report::LoadModel.new(step, recording, answers:, traffic:, stages:, **both).document
      end
    end
  end
end
