# frozen_string_literal: true

module Mohs
  class Study
    # A page that `mohs gate` compares between two revisions: its `name` in tables and comments, the
    # App::Request, and its `limits`, [Compare::Condition] (empty: the limits of all pages).
    class GatedPage < Struct.new(:name, :request, :limits, keyword_init: true)
      #: (request: App::Request, ?name: String?, ?limits: Array[Compare::Condition]) -> void
      def initialize(request:, name: nil, limits: [])
        super(name: name || request.to_s, request:, limits:)
        freeze
      end
    end
  end
end
