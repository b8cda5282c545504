# frozen_string_literal: true

module Mohs
  module Load
    # The first wrong answer of a target, to be shown to the person: its error class, status (0
    # without one), and up to 4096 bytes: of the body, or, where it was not HTTP, of what came.
    class FailedResponse < Struct.new(:error, :status, :bytes, keyword_init: true)
      include Value

      SHOWN_BYTES = 400

      # For documents, and for who asks what it was when told that there was one: { error:, status:,
      # bytes: its first ones as Ruby writes them }.
      #: () -> Hash[Symbol, untyped]
      def summary = { error:, status:, bytes: bytes.b[0, SHOWN_BYTES].inspect }
    end
  end
end
