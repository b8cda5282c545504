# frozen_string_literal: true

module Mohs
  module Track
    # The document of a comparison that is a point of a history: with what the history shows now.
    class PointDocument
      SHOWN = %i[track now changes hidden sentence].freeze

      # Does the point reveal a regression, where that was asked for? One that is resumed after
      # others does not.
      #: (Hash[Symbol, untyped]) -> bool
      def self.regression?(document)
        history = document[:history]
        return false unless history&.fetch(:check) && history[:newest] == document[:run]

        history[:changes].any? { |one| one[:fresh] && one[:outcome] == "worse" }
      end

      # points: of the history, as stored now.
      #: (Analysis::Run, history: Track::History, points: Array[Track::Point]) -> void
      def initialize(run, history:, points:)
        @run = run
        @history = history
        @points = points
      end

      #: () -> Hash[Symbol, untyped]
      def document
        Report::Model.build(@run).merge(history: { **shown.slice(*SHOWN), newest: @points.last&.run,
                                                   check: @history.check })
      end

      private

      def shown
        Document.document(@history.name, Result.new(@points, metric: @run.result.metric))
      end
    end
  end
end
