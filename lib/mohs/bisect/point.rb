# frozen_string_literal: true

module Mohs
  class Bisect
    # One of the things among which the culprit is looked for: a commit or a version of a gem.
    # `name` is short and its variant's in tables, `id` the full one, `title` and `date` of a
    # commit (nil of a version), `notation` what is measured (Study::Notation).
    class Point < Struct.new(:name, :id, :title, :date, :notation, keyword_init: true)
      #: (name: String, id: String, ?title: String?, ?date: String?, ?notation: Study::Notation?) -> void
      def initialize(**values)
        super
        freeze
      end

      # As docs/json.md has it.
      #: () -> Hash[Symbol, String?]
      def to_h = super.except(:notation)
    end
  end
end
