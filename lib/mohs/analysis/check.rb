# frozen_string_literal: true

module Mohs
  module Analysis
    # A decision over facts, that answers #call(facts) with a Finding whose code is "its_name.case".
    # A subclass implements #judge by ending in `pass`, `unknown`, `warn` or `bad` with the case and
    # the values that its words need, and has as constant WORDS the template of each case
    # (Report::Phrase). A case that was released keeps its template: findings are stored, and put
    # into words when shown.
    class Check
      # Its name in documents: that of its file.
      #: () -> String
      def self.title
        name.split("::").last.gsub(/(?<=[a-z])[A-Z]/) { |letter| "_#{letter}" }.downcase
      end

      #: (Hash[Symbol, untyped]) -> Analysis::Finding
      def call(facts)
        @facts = facts
        judge
      end

      private

      attr_reader :facts

      def judge = raise(NotImplementedError, "#{self.class}#judge")

      def pass(kind, **values) = finding(:ok, kind, values)

      def unknown(kind = :unknown, **values) = finding(:unknown, kind, values)

      def warn(kind, **values) = finding(:warn, kind, values)

      def bad(kind, **values) = finding(:bad, kind, values)

      def finding(severity, kind, values)
        Finding.new(code: "#{self.class.title}.#{kind}", severity:, values:)
      end
    end
  end
end
