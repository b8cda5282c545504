# frozen_string_literal: true

module Mohs
  module Load
    # A request of a mix: what is sent, how often relative to the others (`weight`, a whole number),
    # and what is right.
    Request = Struct.new(:method, :path, :headers, :body, :weight, :check, keyword_init: true) do
      #: (?method: String, ?path: String, ?headers: Hash[String, String]?, ?body: String?, ?weight: Integer, ?check: Check?) -> void
      def initialize(method: "GET", path: "/", headers: nil, body: nil, weight: 1, check: nil)
        super(method:, path:, headers: headers || {}, body:, weight:, check: check || Check.new)
        freeze
      end

      # The request of a learned answer, which every other answer is held against.
      #: (App::Answer, ?check: Load::Check) -> Load::Request
      def self.of(answer, check: Check.of(answer))
        new(**answer.request.to_h.except(:expect, :optional), check:)
      end
    end
  end
end
