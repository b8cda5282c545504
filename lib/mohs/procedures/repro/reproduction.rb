# frozen_string_literal: true

module Mohs
  module Repro
    # What of a publication is reproduced: in one of its sizes (nil: study.yml as it is), of the
    # claims about one word (nil: all), with the Rubies of this machine, less those that turn out
    # not to be measurable.
    class Reproduction
      #: () -> Repro::Publication
      attr_reader :publication

      # rubies, cores, instead: as for Repro::Selection.
      #: (Repro::Publication, rubies: untyped, cores: Integer, ?size: String?, ?only: String?, ?instead: Hash[String, String]) -> void
      def initialize(publication, rubies:, cores:, size: nil, only: nil, instead: {})
        @publication = publication
        @found = { rubies:, cores:, instead: }
        @size = size
        @only = only
        @lost = {}
      end

      # Raises UsageError for a word that no claim is about, and for a size that the study lacks.
      #: () -> Repro::Choice
      def choice = @choice ||= chosen

      # given: from the command line, takes precedence.
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def declaration(given) = Order.new(choice:, size: @size, only: @only).declaration(given)

      # The prepared study with stand-ins for Rubies that are installed and can't be measured;
      # itself if that does not let more claims be tested. Yields the declaration with the
      # stand-ins, to be prepared. given: as for #declaration. report: called with the Rubies that
      # something stands in for, and why.
      #: (Study, given: Hash[Symbol, untyped], report: ^(Hash[String, Reason]) -> void) { (Hash[Symbol, untyped]) -> Study } -> Study
      def with_stand_ins(study, given:, report:, &prepare)
        lost = study.lost_rubies.reject { |name, reason| known?(name, reason) }
        return study if lost.empty?

        @lost = { **@lost, **lost }
        other = chosen
        return study if other.testable.size <= choice.testable_in(study).size

        report.call(lost)
        @choice = other
        prepared = yield(declaration({ **given, seed: study.seed }))
        with_stand_ins(prepared, given:, report:, &prepare)
      end

      # The document of the claims by the source's own data in this folder.
      #: (String, invocation: Invocation) -> Hash[Symbol, untyped]
      def of_source(folder, invocation:)
        raw = RawData.load(folder, publication)
        judgements = Judge.new(publication, selection.of_source(@only), raw).call
        Document.of_source(publication, judgements, raw, folder:, invocation:)
      end

      # The document if none of its variants can be measured.
      #: (invocation: Invocation) -> Hash[Symbol, untyped]
      def unmeasured(invocation:)
        judgements = Judge.new(publication, choice.tests, nil).call
        Document.unmeasured(publication, judgements, size: @size, invocation:)
      end

      private

      def chosen = selection.call(@only, without: Order.without(publication, @size))

      def selection = Selection.new(publication, **@found, lost: @lost)

      # Another Ruby would do no better.
      def known?(name, reason) = @lost.key?(name) || App::Bundle::Failure.of_any_ruby?(reason)
    end
  end
end
