# frozen_string_literal: true

module Mohs
  module Report
    # A line that GitHub's runner turns into an annotation of the pull request. It is the only
    # command that mohs gives a CI runner: its text is escaped as in the runner's own toolkit
    # (actions/toolkit, command.ts), so that it can neither end the line nor begin another command.
    class GithubAnnotation < Struct.new(:level, :title, :message, :file, keyword_init: true)
      include Value

      DATA = { "%" => "%25", "\r" => "%0D", "\n" => "%0A" }.freeze
      PROPERTY = { **DATA, ":" => "%3A", "," => "%2C" }.freeze

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
