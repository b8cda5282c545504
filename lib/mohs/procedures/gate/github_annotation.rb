# frozen_string_literal: true

module Mohs
  module Gate
    # A line that GitHub's runner turns into an annotation of the pull request. It is the only
    # command that mohs gives a CI runner: its text is escaped as in the runner's own toolkit
    # (actions/toolkit, command.ts), so that it can neither end the line nor begin another command.
    class GithubAnnotation < Struct.new(:level, :title, :message, :file, keyword_init: true)
      include Value

      LEVELS = { "fails" => "error", "inconclusive" => "warning" }.freeze
      DATA = { "%" => "%25", "\r" => "%0D", "\n" => "%0A" }.freeze
      PROPERTY = { **DATA, ":" => "%3A", "," => "%2C" }.freeze

      # The annotations of a `mohs gate` document: one for each gate that doesn't hold. file: the
      # file that declares the gates, relative to the folder that the runner has checked out; nil:
      # none.
      #: (Hash[Symbol, untyped], ?file: String?) -> Array[Gate::GithubAnnotation]
      def self.of(document, file: nil)
        document[:gates].reject { |gate| gate[:outcome] == "holds" }.map do |gate|
          message = "#{gate[:title]} #{gate[:limit]} #{gate[:outcome]}: #{gate[:reason]}"
          new(level: LEVELS.fetch(gate[:outcome]), title: "mohs gate: #{gate[:name]}", message:,
              file:)
        end
      end

      #: (level: String, title: String, message: String, ?file: String?) -> void
      def initialize(level:, title:, message:, file: nil) = super

      #: () -> String
      def to_s
        properties = { file:, title: }.compact.map do |name, value|
          "#{name}=#{escape(value, PROPERTY)}"
        end
        "::#{level} #{properties.join(',')}::#{escape(message, DATA)}"
      end

      private

      # Printable removes what a terminal would act upon.
      def escape(text, signs)
        Printable.call(text).gsub(Regexp.union(signs.keys), signs)
      end
    end
  end
end
