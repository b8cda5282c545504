# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # What a right answer is, held against every answer while load runs. `mode`:
    #   :status  its status is among `statuses`
    #   :length  and its body has `length` bytes
    #   :exact   and its body is `body`, byte for byte
    #   :digest  and its body has `length` bytes and this `digest` (Mohs::Core.digest)
    Check = Struct.new(:mode, :statuses, :length, :body, :digest, keyword_init: true) do
      #: (?mode: Symbol, ?statuses: Array[Integer], ?length: Integer?, ?body: String?, ?digest: Integer?) -> void
      def initialize(mode: :status, statuses: [200], length: nil, body: nil, digest: nil)
        length ||= body&.bytesize
        digest ||= Core.digest(body) if mode == :digest && body
        super
        freeze
      end

      # Of a learned answer, what repeats.
      #: (App::Answer) -> Load::Check
      def self.of(answer)
        kind = answer.kind
        new(mode: self::OF_ANSWERS.fetch(kind), statuses: [answer.status],
            length: (answer.length unless kind == :status),
            body: (answer.body if kind == :body))
      end
    end

    Check::OF_ANSWERS = { body: :exact, length: :length, status: :status }.freeze

    # Modes in the order of the core's enum mohs_check_mode.
    Check::MODES = %i[status length exact digest].freeze
  end
end
