# frozen_string_literal: true

module Mohs
  class Trial
    # Replaces Trial::WarmUp, with the same interface, where streams are measured: a few connections
    # are opened until each has its first event, or until as many messages came back, again and
    # again. What an event costs is not looked at: a stream costs most when it is opened. Pure.
    class StreamWarmUp
      # Streams opened at a time. The memory of connections is that of those beyond what the server
      # had when it was warm: with many at a time it would have had theirs.
      AT_ONCE = 2

      # Streams or echoes after which any server is warm, and seconds after which it is taken as it
      # is: an application may send its first event late, and a server may close a connection late.
      STREAMS = 200
      LONGEST_S = 5

      # As those of Trial::WarmUp.
      attr_reader :outcome, :settle_s

      #: (settle_s: Numeric, ?cap_s: Numeric?) -> void
      def initialize(settle_s:, cap_s: nil)
        @settle_s = settle_s
        @cap_s = cap_s || LONGEST_S
        @results = []
      end

      # Streams to open in the next step; or :warm; :capped if none had an event or echo.
      #: () -> (Integer | Symbol)
      def next = @outcome || AT_ONCE

      # Nothing is made of it.
      #: (Integer?) -> void
      def compilers(_used_ns) = nil

      # Which process holds a stream does not matter.
      #: () -> void
      def begin_again = nil

      # Its steps are of few streams.
      #: () -> nil
      def left_s = nil

      # Takes the result of a step.
      #: (Load::StepResult) -> self
      def <<(result)
        @results << result
        @outcome = :capped if result.good.zero?
        @outcome ||= :warm if requests >= STREAMS || seconds >= @cap_s
        self
      end

      # Are servers warmed up one at a time? Their connections would wait for each other's events.
      #: (Trial::StreamWarmUp) -> bool
      def alike?(_other) = false

      # A JIT has little to do with what a stream costs.
      #: (Integer, ?compiles: bool, ?pages: Array[Trial::WarmUp::Pages::Page]?) -> Hash[Symbol, Float]
      def unwarmed(_served, **) = WarmUp::Needed::NOTHING

      # Streams that had an event, or echoes.
      #: () -> Integer
      def requests = @results.sum(&:good)

      # Seconds from the first step to the end of the last.
      #: () -> Float
      def seconds
        return 0.0 if @results.empty?

        last = @results.last
        (last.started_ns + last.wall_ns - @results.first.started_ns) / 1e9
      end

      # Streams per second.
      #: () -> Float
      def rate = requests / [seconds, 1e-9].max

      # As Trial::WarmUp#to_h.
      #: () -> Hash[Symbol, untyped]
      def to_h
        { outcome: @outcome&.to_s, requests:, seconds: seconds.round(3), windows: @results.size }
      end
    end
  end
end
