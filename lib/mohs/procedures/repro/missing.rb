# frozen_string_literal: true

module Mohs
  module Repro
    # The Rubies that are not installed, and how many more claims could be tested with them.
    class Missing < Struct.new(:rubies, :claims, keyword_init: true)
      # The code of the finding that a claim has no Ruby to be tested with.
      CODE = "repro_absent"

      # lists: for each claim without a Ruby, the interpreters that it lacks (the values of its
      # finding). A Ruby that is installed and can't be used is no help.
      #: (Array[Array[Hash[Symbol, untyped]]]) -> Missing
      def self.of(lists)
        curable = lists.select { |all| all.none? { |one| one[:broken] || one[:lost] } }
        names = curable.flatten.map { |one| one[:asked_ruby].delete_prefix("ruby-") }
        new(rubies: names.uniq.sort_by { |name| name.scan(/\d+|\D+/).map { |one| order(one) } },
            claims: curable.size).freeze
      end

      # Numbers by size, before names.
      def self.order(part) = part.match?(/\A\d/) ? [0, part.to_i, ""] : [1, 0, part]
      private_class_method :order

      #: () -> bool
      def any? = rubies.any?
    end
  end
end
