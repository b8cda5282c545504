# frozen_string_literal: true

module Mohs
  module Report
    # The document of `mohs repro --all`: what came of every published study. Pure.
    class ReproAllModel
      # What came of one study: its `publication` (nil: it can't be read), `document` of its run,
      # `error` if there is none, `left_out` if there was no time for it: `needed_s` at least,
      # `left_s` of the budget; `status` of its command, `seconds` with all that had to be
      # installed, `planned_s` of a dry run.
      class Ended < Struct.new(:name, :publication, :document, :error, :left_out, :status, :seconds,
                               :planned_s, keyword_init: true)
        include Value

        # By a signal.
        #: () -> bool
        def interrupted? = status > 128
      end

      # folder: that the studies are in; nil: they are mohs's own. size: that was asked for.
      #: (Array[Report::ReproAllModel::Ended], of: Integer, ?folder: String?, ?size: String?) -> void
      def initialize(ended, of:, folder: nil, size: nil)
        @ended = ended
        @of = of
        @folder = folder
        @size = size
      end

      #: () -> Hash[Symbol, untyped]
      def document
        planned = @ended.filter_map(&:planned_s)
        { folder: @folder, size: @size, studies: @ended.map { |one| row(one) },
          left_out: @of - @ended.size, counts:, planned_s: (planned.sum if planned.any?) }
      end

      # Of the command: that of an interruption, else the worst of them.
      #: () -> Integer
      def status
        statuses = @ended.map(&:status)
        @ended.any?(&:interrupted?) ? statuses.last : statuses.max
      end

      private

      def row(one)
        publication = one.publication
        { name: one.name, title: publication&.title, source: publication&.source&.to_h,
          claims: publication&.claims.to_a.size, counts: one.document&.fetch(:counts),
          seconds: one.seconds, error: one.error, left_out: one.left_out, document: one.document }
      end

      def counts
        found = @ended.filter_map { |one| one.document&.fetch(:counts) }
        Repro::Judge::OUTCOMES.to_h do |outcome|
          [outcome.to_sym, found.sum { |counts| counts.fetch(outcome.to_sym) }]
        end
      end
    end
  end
end
