# frozen_string_literal: true

module Mohs
  module Exporters
    # One load as a whole, from which everything about it is told: `server` as the person would
    # write it, `asked` and `answers` as Report::LoadModel takes them, `step` (Load::StepResult),
    # `recording` (Load::Recording), `epoch_real_ns` the wall clock where due_ns is 0 (ns since
    # 1970), `argv` what was typed, secrets masked, `host` its fingerprint, `versions` { mohs:,
    # ruby: }, `traffic` of logs or nil, `stages` of several steps ([] of one).
    class Account < Struct.new(:server, :asked, :answers, :step, :recording, :epoch_real_ns, :argv,
                               :host, :versions, :traffic, :stages, keyword_init: true)
      #: (**untyped) -> void
      def initialize(traffic: nil, stages: [], **)
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
        Report::LoadModel.new(step, recording, answers:, asked:, traffic:, stages:).document
      end
    end
  end
end
