# frozen_string_literal: true

module Mohs
  module Track
    # How far the application is from the reference of its history. Points are to be equally
    # certain: one that stopped as soon as it differs would be less certain the further it is away.
    # `history`: the History that it is a point of.
    class Question < Compare::Question
      BESIDE = %i[track].freeze

      # What the history shows with this point in it (PointDocument).
      PART_OF = %i[history].freeze

      class << self
        #: (Hash[Symbol, untyped]) -> bool
        def of?(study) = !study[:track].nil?

        #: (Hash[Symbol, untyped]) -> Track::Question
        def stored(study) = new(History.new(**study.fetch(:track)))

        #: (Hash[Symbol, untyped]) -> Symbol?
        def outcome(document) = (:regression if PointDocument.regression?(document))
      end

      #: () -> Track::History
      attr_reader :history

      #: (Track::History) -> void
      def initialize(history)
        super()
        @history = history
        freeze
      end

      #: () -> Hash[Symbol, untyped]
      def beside = { track: history.to_h }

      # A reference is measured against even if nothing has changed.
      #: () -> bool
      def even_if_same? = true

      #: () -> String
      def command = "track"

      #: (Stats::Sequential?, Compare::Rules, last: bool) -> untyped
      def decision(test, rules, last:)
        precision = rules.precision
        Stats::Sequential::Decision.new(test, margin: rules.margin, precision:,
                                              until_precise: !precision.nil? && !last)
      end

      #: (Analysis::Run, Store) -> void
      def finished(run, store) = store.add_point(history.name, **Point.record(run))

      # The history of the point grows.
      #: (Store) -> Integer?
      def version(store) = store.newest_point

      # nil if the run is no point of the history here: it was interrupted, or imported.
      #: (Analysis::Run, points: ^(String) -> Array[Hash[Symbol, untyped]]) -> Hash[Symbol, untyped]?
      def answer(run, points:)
        points = Point.all(points.call(history.name))
        PointDocument.new(run, history:, points:).document if
          points.any? { |one| one.run_id == run.stored.id }
      end
    end
  end
end
