# frozen_string_literal: true

module Mohs
  module Gate
    # A page that `mohs gate` compares between two revisions: its `name` in tables and comments, the
    # App::Request, `limits` as typed ("p50 < +2%"; empty: the limits of all pages), and the `place`
    # that declares it ("study.yml: gates/1"; nil: the command line, or the application's own
    # requests).
    class Page < Struct.new(:name, :request, :limits, :place, keyword_init: true)
      #: (request: App::Request, ?name: String?, ?limits: Array[String], ?place: String?) -> void
      def initialize(request:, name: nil, limits: [], place: nil)
        super(name: name || request.to_s, request:, limits:, place:)
        freeze
      end
    end
  end
end
