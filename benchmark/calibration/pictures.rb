# frozen_string_literal: true

module Mohs
  module Calibration
    # The pictures of docs/method.md, from the figures of one session: why not to use long runs,
    # how an interval narrows, the results of all comparisons.
    class Pictures
      #: (Calibration::Ledger) -> void
      def initialize(ledger)
        @ledger = ledger
        @summary = Summary.new(ledger)
      end

      # { file name => SVG }, without pictures for which the session has no figures.
      #: () -> Hash[String, String]
      def call
        { "long-runs.svg" => long_runs, "narrowing.svg" => narrowing,
          "verdicts.svg" => verdicts }.compact.transform_values(&:to_s)
      end

      private

      # A server compared with itself: pairs of long runs, and cohorts, each as a dot.
      def long_runs
        runs = @ledger.of("practice").flat_map do |entry|
          entry[:runs].each_cons(2).map { |a, b| percent(Math.log(b[:rate] / a[:rate])) }
        end
        cohorts = @ledger.of("live", "aa").flat_map { |entry| differences(entry) }
                         .map { |log| percent(log) }
        return if runs.empty? || cohorts.empty?

        reach = [(runs + cohorts).map(&:abs).max.ceil, 3].max
        picture = Picture.new(title: "A server against itself: each dot is one comparison",
                              x: (-reach..reach), y: (0.0..2.0), height: 230)
        picture.x_axis(ticks(reach), "difference in requests/s") { |tick| "#{signed(tick)} %" }
        picture.y_axis(1.5 => "a run, then a run", 0.5 => "side by side")
        scatter(picture, runs, 1.5, Picture::RED)
        scatter(picture, cohorts, 0.5, Picture::BLUE)
        picture
      end

      # Spreads a row's dots over several heights, so that equal values do not hide each other.
      def scatter(picture, values, row, color)
        values.each_with_index { |x, i| picture.dot(x, row - 0.3 + (i % 7 * 0.1), color) }
      end

      # The 2 % comparison whose length is nearest to the median: its interval after each look.
      def narrowing
        entry = @ledger.of("live", "2").select { |one| one[:interval] }
                       .sort_by { |one| one[:differences].size }.then { |all| all[all.size / 2] }
        entry ? narrowing_of(differences(entry), truth(entry)) : nil
      end

      def narrowing_of(logs, truth)
        at = looks(logs)
        low, high = %i[low high].map { |side| at.map { |n, i| [n, percent(i[side])] } }
        picture = framed(logs, [low, high])
        picture.band(low, high, Picture::BLUE)
        [low, high].each { |points| picture.path(points, Picture::BLUE) }
        logs.each_with_index { |log, i| picture.dot(i + 1, percent(log), Picture::GREY) }
        { 0 => Picture::INK, truth => Picture::GREEN }.each do |y, color|
          picture.line([1, y], [logs.size, y], color, width: 1.5)
        end
        picture
      end

      # As high as the cohorts and the last interval need, with some room for the wide first
      # intervals.
      def framed(logs, edges)
        ends = edges.map { |points| points.last.last }
        reach = [4, *(ends + logs.map { |log| percent(log) }).map { |y| (1.5 * y.abs).ceil }].max
        picture = Picture.new(title: "2 % slower (green): dots are cohorts, the band the interval",
                              x: (1..logs.size), y: (-reach..reach))
        picture.x_axis((1..logs.size).to_a, "cohorts measured", &:to_s)
        picture.y_axis(ticks(reach).to_h { |y| [y, "#{signed(y)} %"] })
        picture
      end

      def looks(logs)
        sequential = Stats::Sequential.new
        (1..logs.size).select { |n| sequential.look?(n) }
                      .map { |n| [n, sequential.interval(logs.first(n))] }
      end

      # Every comparison whose truth is known: when it ended and with what result.
      def verdicts
        rows = @summary.rows.select { |row| row.truth[:throughput] }.reverse
        return if rows.empty?

        most = rows.map(&:max_s).max
        picture = Picture.new(title: "Time to the verdict (green: right, red: wrong, grey: none)",
                              x: (0.0..most), y: (0.0..rows.size), height: 96 + (34 * rows.size))
        step = [5, 10, 20, 30, 60, 120].find { |each| most / each < 9 } || 300
        picture.x_axis((0..most).step(step).to_a, "seconds") { |tick| tick.to_i.to_s }
        picture.y_axis(rows.each_with_index.to_h { |row, i| [i + 0.5, title(row.name)] })
        rows.each_with_index { |row, i| dots(picture, row.name, i + 0.5) }
        picture
      end

      def dots(picture, name, y)
        @ledger.of("live", name).each_with_index do |entry, i|
          picture.dot(entry[:wall_s], y - 0.24 + (i % 5 * 0.12), color(name, entry[:outcome]))
        end
      end

      # Green: right. Red: wrong. Grey: no verdict.
      def color(name, outcome)
        return Picture::GREY unless %w[faster slower equivalent].include?(outcome)

        right = name == "aa" ? "equivalent" : "slower"
        outcome == right ? Picture::GREEN : Picture::RED
      end

      def title(name) = name == "aa" ? "A against A" : "#{name} % slower"

      def differences(entry) = entry[:differences].filter_map(&:first)

      def truth(entry) = percent(Dose.new(@ledger.of("truth")).effect(entry[:rounds], :throughput))

      def percent(log) = 100 * (Math.exp(log) - 1)

      def ticks(reach)
        step = [1, 2, 5, 10, 20, 50].find { |each| reach / each < 6 } || 100
        (-reach..reach).select { |tick| (tick % step).zero? }
      end

      def signed(number) = number.zero? ? "0" : format("%+d", number)
    end
  end
end
