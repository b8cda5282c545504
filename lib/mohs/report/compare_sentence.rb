# frozen_string_literal: true

module Mohs
  module Report
    # The answer of a comparison in one sentence that a manager can repeat, from its document.
    class CompareSentence
      # How a difference of the deciding metric reads: B does this more, or less, than A, or so many
      # times as much as A.
      PHRASES = {
        "throughput" => ["serves %s more requests a second than",
                         "serves %s fewer requests a second than",
                         "serves %s as many requests a second as"],
        "cpu" => ["takes %s more CPU time a request than", "takes %s less CPU time a request than",
                  "takes %s as much CPU time a request as"],
        "p50" => ["takes %s longer in the median than", "takes %s less time in the median than",
                  "takes %s as long in the median as"],
        "memory" => ["needs %s more memory than", "needs %s less memory than",
                     "needs %s as much memory as"],
        "boot" => ["takes %s longer to boot than", "takes %s less time to boot than",
                   "takes %s as long to boot as"],
      }.freeze

      # Of a step of a bisection, by how its cohorts ended.
      SIDES = { "first" => "good", "second" => "bad" }.freeze

      # States of a run that nobody has ended yet, or that somebody ended before its time.
      OPEN = %w[running interrupted].freeze

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @document = document
        @verdict = document[:verdict]
        @metric = document[:metrics].find { |metric| metric[:key] == @verdict[:metric] }
        @change = Change.new(@verdict, better: @metric[:better]) if @verdict[:effect]
      end

      #: () -> String
      def to_s
        case @verdict[:outcome]
        when "faster", "slower" then differs
        when "equivalent" then equal
        when "invalid" then "No verdict: #{@verdict[:reasons].first.to_s.delete_suffix('.')}."
        else undecided
        end
      end

      private

      def differs
        more, less, times = PHRASES.fetch(@metric[:name])
        phrase = @change.times? ? times : { true => more, false => less }[@change.more?]
        "#{provisional}B, #{name(:b)}, #{format(phrase, @change.amount)} A, #{name(:a)} " \
          "#{@change.bracket}."
      end

      def equal
        figures = "#{@metric[:title]} #{@change.signed} #{@change.interval}"
        "#{provisional}A and B are equal within #{percent(@verdict[:margin])} (#{figures})."
      end

      # A step of a bisection asks only which end B is like; A is the good one.
      def side
        good = SIDES.fetch(@document.dig(:cohorts, :state)) { return }
        "B, #{name(:b)}, is on the #{good} side: #{@metric[:title]} #{@change.signed} against A, " \
          "#{name(:a)}, the good end."
      end

      def undecided
        return side if side
        return open if OPEN.include?(@document[:state])
        return precise if @document.dig(:cohorts, :state) == "precise"

        forecast = @document[:forecast]
        next_step = forecast ? " #{forecast[0].upcase}#{forecast[1..]}." : ""
        begun = @document[:quick] ? "#{provisional}undecided" : "Undecided"
        "#{begun}#{between} after #{seconds}.#{next_step}"
      end

      def precise
        "No difference beyond chance#{between} after #{seconds}, as exact as was asked for."
      end

      # What is known of a run that has not ended by itself.
      def open
        count = @document.dig(:cohorts, :done)
        running = @document[:state] == "running"
        stopped = running ? "Not decided yet" : "Stopped before it was decided"
        return "#{stopped}: not one cohort is done, so nothing is known." if count.zero?

        cohorts = "after #{count} cohort#{'s' unless count == 1}"
        return "#{stopped}, #{cohorts}#{between}." if @verdict[:interval]

        "#{stopped}, #{cohorts}: an interval needs #{Stats::Sequential::LOOKS.first}."
      end

      def between
        return unless @verdict[:interval]
        return ": it is too noisy here to tell anything" if Verdict::Words.wide?(*@verdict[:interval])

        ": B is between #{@verdict[:interval].map { |ratio| direction(ratio) }.join(' and ')}"
      end

      def direction(ratio)
        better, worse = words
        "#{Verdict::Words.number((ratio - 1).abs * 100)} % #{ratio < 1 ? worse : better}"
      end

      def words
        return %w[faster slower] if @metric[:name] == "throughput"

        ["better in #{@metric[:title]}", "worse in #{@metric[:title]}"]
      end

      def provisional = @document[:quick] ? "Provisional: " : ""

      def name(side) = @document[side].inspect

      def seconds = Terminal::Numbers.duration(@document.dig(:cohorts, :seconds))

      def percent(share) = Verdict::Words.percent(share)
    end
  end
end
