# frozen_string_literal: true

module Mohs
  module Bisect
    # A candidate for the culprit: a commit or a version of a gem. `name` is its short name, used
    # for its variant in tables; `id` is the full one; `title` and `date` are those of a commit (nil
    # for a version); `notation` says what is measured (Study::Notation).
    class Point < Struct.new(:name, :id, :title, :date, :notation, keyword_init: true)
      #: (name: String, id: String, ?title: String?, ?date: String?, ?notation: Study::Notation?) -> void
      def initialize(**values)
        super
        freeze
      end

      # As documented in docs/json.md.
      #: () -> Hash[Symbol, String?]
      def to_h = super.except(:notation)
    end
  end
end
