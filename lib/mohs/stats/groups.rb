# frozen_string_literal: true

module Mohs
  module Stats
    # Groups of things that can't be told apart, as letters: two that share a letter were not found
    # to differ, two that share none were (compact letter display, by the insert-and-absorb
    # algorithm of Piepho, J. Comput. Graph. Stat. 13, 2004). Never a bare order: whether neighbours
    # in a ranking really are in that order is mostly unknown.
    module Groups
      module_function

      # The groups, each in the order of `names`, in the order of their first members; groups of one
      # member are left out, since it shares nothing. The block returns whether two names differ.
      #: (Array[String]) { (String, String) -> boolish } -> Array[Array[String]]
      def of(names)
        groups = [names]
        names.combination(2) do |one, other|
          groups = absorb(split(groups, one, other)) if yield(one, other)
        end
        shared = groups.select { |group| group.size > 1 }
        shared.sort_by { |group| group.map { |name| names.index(name) } }
      end

      # The same by tests of all pairs together (Holm): the block returns the p of two names, and
      # `alpha` is the chance that any two are told apart that do not differ.
      #: (Array[String], alpha: Float) { (String, String) -> Float } -> Array[Array[String]]
      def tested(names, alpha:)
        pairs = names.combination(2).to_a
        found = pairs.zip(Holm.adjust(pairs.map { |one, other| yield one, other })).to_h
        of(names) { |one, other| found.fetch([one, other]) < alpha }
      end

      # { name => "ab" } for the names that share a letter. The letters follow the groups that .of
      # returns, in their order.
      #: (Array[Array[String]]) -> Hash[String, String]
      def marks(groups)
        groups.zip("a".."zz").each_with_object({}) do |(group, letter), marks|
          group.each { |name| marks[name] = "#{marks[name]}#{letter}" }
        end
      end

      # No group may contain two that differ: each group that does becomes two, one without the
      # first and one without the second.
      def split(groups, one, other)
        groups.flat_map do |group|
          group.include?(one) && group.include?(other) ? [group - [one], group - [other]] : [group]
        end
      end

      # A group within another adds nothing.
      def absorb(groups)
        groups = groups.uniq
        groups.reject { |group| groups.any? { |other| other != group && (group - other).empty? } }
      end

      private_class_method :split, :absorb
    end
  end
end
