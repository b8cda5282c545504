# frozen_string_literal: true

module Mohs
  module Repro
    # The studies of a library, measured one after another. A study that ends with an error of any
    # kind becomes a result, and the others go on; so does a study for whose smallest useful run the
    # budget has no time.
    class AllStudies
      # command: called for each study with its publication and name, `last_run:` (to be resumed;
      # nil: the study begins) and `share:` of the budget (nil: there is none); returns what
      # measures it: its `call` returns an exit status, `printed` is its document, `planned` the
      # Repro::Estimate of a dry run. failure: gives `status` and `error` of an AllDocument::Ended
      # for an error. runs: returns the stored runs. budget_s: for all studies together; nil: each
      # takes as long as it takes. resume: what a run must have been begun with to be resumed or
      # shown instead of a new run (Repro::Order.newest); nil: each study begins anew. planned:
      # whether nothing is measured.
      #: (Repro::Library, command: untyped, failure: untyped, runs: untyped, ?budget_s: Numeric?, ?resume: Hash[Symbol, String?]?, ?planned: boolish) -> void
      def initialize(library, command:, failure:, runs:, budget_s: nil, resume: nil, planned: false)
        @library = library
        @command = command
        @failure = failure
        @runs = runs
        @budget = SharedBudget.new(budget_s, planned:) if budget_s
        @resume = resume
        @planned = planned
      end

      # The results of the studies, up to the first that was interrupted. Yields each name and
      # position, from 1, before the study begins.
      #: () { (String, Integer) -> void } -> Array[Repro::AllDocument::Ended]
      def call
        names, ended = @library.names, []
        names.each.with_index(1) do |name, position|
          yield name, position
          ended << reproduce(name, names.size - position + 1)
          break if ended.last.interrupted?
        end
        ended
      end

      private

      def reproduce(name, left)
        began_ns = Clock.mono_ns
        publication = command = nil
        came = called do
          publication = @library.own(name)
          command = @command.call(publication, name, last_run: last_run(publication),
                                                     share: @budget&.share(left))
          command.call
        end
        seconds = (Clock.mono_ns - began_ns) / 1e9
        AllDocument::Ended.new(name:, publication:, document: command&.printed, seconds:,
                               planned: planned(command), **came)
      end

      def called
        { status: yield }
      rescue SharedBudget::NoTime => e
        { status: 0, left_out: e.facts }
      rescue SignalException => e
        { status: 128 + e.signo, error: "stopped before it began" }
      rescue StandardError => e
        @failure.call(e)
      end

      def last_run(publication)
        @resume && Order.newest(@stored ||= @runs.call, publication, **@resume)
      end

      # What a dry run plans, whose seconds count as spent, {} for a study without a plan; nil if it
      # is not a dry run.
      def planned(command)
        return unless @planned

        planned = command&.planned.to_h
        @budget&.plan(planned[:estimate_s] || 0)
        planned
      end
    end
  end
end
