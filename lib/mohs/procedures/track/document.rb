# frozen_string_literal: true

module Mohs
  module Track
    # The document of `mohs history NAME`, from Track::Result. Pure.
    class Document
      # Facts of a commit, in documents.
      COMMIT = %i[id short date title changes].freeze

      #: (String, Track::Result) -> Hash[Symbol, untyped]
      def self.document(name, history) = new(name, history).document

      #: (String, Track::Result) -> void
      def initialize(name, history)
        @name = name
        @history = history
      end

      #: () -> Hash[Symbol, untyped]
      def document
        document = Report::Document.envelope("history", track: @name, **facts)
        document.merge(sentence: Headline.new(document).to_s)
      end

      private

      def facts
        { metric: metric(@history.metric), reference: newest&.reference,
          requested: newest&.requested.to_a, connections: newest&.connections,
          points: points.map { |point| point(point) },
          now: @history.now&.then { |now| effect(now) },
          changes: @history.changes.map { |change| change(change) }, hidden: @history.hidden }
      end

      def metric(metric)
        { name: metric.name, title: metric.title, better: metric.more ? "more" : "less" }
      end

      def newest = points.last

      def points
        @points ||= (@history.kept + @history.left_out).sort_by { |one| [one.at_ms, one.id] }
      end

      def point(point)
        ratio, low, high = point.effects[@history.metric.key]&.map { |log| log && Math.exp(log) }
        { run: point.run, at_ms: point.at_ms, commit: commit(point), effect: ratio,
          interval: low && [low, high], reason: point.reason }
      end

      def commit(point) = point.commit&.slice(*COMMIT)

      def effect(interval)
        { effect: interval.value, interval: interval.low && [interval.low, interval.high] }
      end

      def change(change)
        { **effect(change.effect), outcome: change.effect.value > 1 ? "better" : "worse",
          p: change.p, points: change.points, fresh: change.fresh, from: place(change.before),
          to: place(change.first) }
      end

      def place(point) = { run: point.run, at_ms: point.at_ms, commit: commit(point) }
    end
  end
end
