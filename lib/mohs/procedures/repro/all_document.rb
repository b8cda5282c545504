# frozen_string_literal: true

module Mohs
  module Repro
    # The document of `mohs repro --all`: the outcome of every published study. Pure.
    class AllDocument
      # The outcome of one study. `publication` is nil if it can't be read; `document` is that of
      # its run, with `error` if there is none; `left_out`, if there was no time for the study, has
      # `needed_s` (at least) and `left_s` of the budget. `status` is that of its command, `seconds`
      # includes all installation. `planned` is what a dry run plans (nil without one), the values
      # of a Repro::Estimate; {} for a study without a plan.
      class Ended < Struct.new(:name, :publication, :document, :error, :left_out, :status, :seconds,
                               :planned, keyword_init: true)
        include Value

        # Whether a signal ended it.
        #: () -> bool
        def interrupted? = status > 128
      end

      # folder: the folder of the studies; nil if they are mohs's own. size: the requested size.
      #: (Array[Repro::AllDocument::Ended], of: Integer, ?folder: String?, ?size: String?) -> void
      def initialize(ended, of:, folder: nil, size: nil)
        @ended = ended
        @of = of
        @folder = folder
        @size = size
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { folder: @folder, size: @size, studies: @ended.map { |one| row(one) },
          left_out: @of - @ended.size, counts:, planned_s: }
      end

      # The command's exit status: the last study's if one was interrupted, else the highest.
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
          seconds: one.seconds, error: one.error, left_out: one.left_out, document: one.document,
          planned: one.planned }
      end

      def planned_s
        planned = @ended.filter_map(&:planned)
        planned.sum { |one| one[:estimate_s] || 0 } if planned.any?
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
