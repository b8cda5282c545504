# frozen_string_literal: true

module Mohs
  class LoadRun
    # Latency against rate: the steps of a load at several rates.
    class RatesSection < Report::Sections::Base
      KEY = "rates"
      TITLE = "Latency against rate"
      HOW = "Each mark is one rate. Where the line turns upwards a queue begins to grow: the " \
            "server has reached what it can serve. At a cross the latency is at least that: " \
            "requests without a correct response hold the rank."
      HEIGHT = 260

      private

      def any? = drawn.size > 1

      def parts
        [picture, shown(view.table(:steps), "Each rate of the load, response times in ms")]
      end

      # [{ rate:, ms:, text:, **a mark's look }, ...], sorted by rate.
      def drawn
        @drawn ||= points.select { |one| one[:ms]&.positive? && one[:rate] }
                         .sort_by { |one| one[:rate] }
      end

      def points
        @document[:steps].to_a.map do |one|
          known, bound = one.dig(:response_ms, :p99), one.dig(:response_ms, :more_than, :p99)
          look = known ? { shape: :disc, series: 0 } : { shape: :cross, tone: :bad }
          { rate: one[:answered_per_s], ms: known || bound, look:,
            text: "#{Report::Numbers.figure(one[:answered_per_s])} answered/s: " \
                  "p99 #{Report::Numbers.latency_with_unit(known, bound)}" }
        end
      end

      # Rates without a figure.
      def endless = []

      # The latency that a rate must keep; nil: none was given.
      def limit_ms = nil

      # Of what is across.
      def unit = :per_s

      def picture
        all = [*drawn, *endless]
        across = Parts::Axis.new(values: all.map { |one| one[:rate] }, unit:, ticks: 6, zero: true)
        down = Parts::Axis.new(values: [*drawn.map { |one| one[:ms] }, *limit_ms], unit: :ms,
                               ticks: 5, log: true)
        line = Parts::Line.new(points: drawn.map { |one| one.values_at(:rate, :ms) }, series: 0)
        Parts::Chart.new(key: "plot", title:, height: HEIGHT, across:, down:, limits:,
                         text: drawn.map { |one| one[:text] }.join("; "), lines: [line],
                         marks: all.map { |one| mark(one) })
      end

      def mark(one)
        Parts::Mark.new(x: one[:rate], y: one[:ms], text: one[:text], **one[:look])
      end

      def limits
        return [] unless limit_ms

        [Parts::Limit.new(down: limit_ms, text: "limit #{Report::Numbers.figure(limit_ms)} ms")]
      end
    end
  end
end
