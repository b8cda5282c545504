# frozen_string_literal: true

module Mohs
  module Analysis
    # A self-check that did not pass, once for all variants of a run in which it did not: `worst`, a
    # Row::Worst, the variant `name` that has it, and the names of the `others`.
    class FailedCheck < Struct.new(:name, :worst, :others, keyword_init: true)
      include Value

      # In the order of the rows. Findings due to chance stay with their row.
      #: (Array[Analysis::Row]) -> Array[Analysis::FailedCheck]
      def self.of(rows)
        failed = rows.flat_map do |row|
          against = row.checks.select { |check| check.finding.against? && !check.chance? }
          against.map { |check| [row.name, check] }
        end
        failed.group_by { |_, check| check.finding.member }.values.map { |same| build(same) }
      end

      # Of checks that failed in the same share of the trials, the worst is the one with the larger
      # size.
      def self.build(same)
        name, worst = same.max_by do |_, check|
          [check.finding.rank, check.as_bad.fdiv(check.trials), Checks.size(check.finding)]
        end
        new(name:, worst:, others: same.map(&:first) - [name])
      end
      private_class_method :build
    end
  end
end
