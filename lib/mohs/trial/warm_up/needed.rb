# frozen_string_literal: true

module Mohs
  class Trial
    class WarmUp
      # How many requests a server has to serve before it can be warm: those of its engine's rule
      # and, if a JIT compiles a method at its nth call, those with which each page has been called
      # as often in each process. Pages may be too slow or too rare to wait for that. Pure.
      class Needed
        # The fewest requests of each process. Slow requests run more code each, so fewer of them
        # are enough.
        FEWEST = 120

        # What a page calls once, a JIT compiles at the same request, all of it at once. So windows
        # tell something only after it, and have to be of this many requests of each process.
        # (Method, section 1.)
        AFTER = 32

        # Seconds that it may take, unless a cap is given. If it would take longer, there is no time
        # to wait for a JIT: then as many requests as SLOW_S takes are enough.
        LONGEST_S = 20
        SLOW_S = 10

        # Pages that have this share of the requests together need not be compiled: they hardly
        # change what a request costs.
        RARE = Rational(1, 20)

        # shares: of the requests, of each page. given_s: a cap of the warm-up; nil: none is given.
        #: (Trial::WarmUp::Rule, processes: Integer, shares: Array[Numeric], ?given_s: Numeric?) -> void
        def initialize(rule, processes:, shares:, given_s: nil)
          @rule = rule
          @fewest = processes * FEWEST
          @after = rule.calls.zero? ? 0 : processes * AFTER
          @called = common(shares).map { |share| (processes * rule.calls / share).ceil }
          @longest_s = given_s || LONGEST_S
        end

        # Takes the rate so far, in requests per second. What was waited for once is waited for from
        # then on: while a JIT compiles, a server is slower.
        #: (Float) -> void
        def rate=(per_s)
          @rate = per_s
          in_time = @called.select { |count| compared(count) <= @longest_s * per_s }
          @compiled = [@compiled, *in_time].compact.max
        end

        # Requests after which its windows are compared: its JIT has compiled what they call.
        #: () -> Integer
        def compiled = @compiled.to_i

        # Requests of such a window, at least.
        #: () -> Integer
        def window = @compiled ? @after : 0

        # Requests before which it can't be warm.
        #: () -> Numeric
        def least
          all = @compiled ? compared(@compiled) : SLOW_S * @rate
          [[@rule.requests, @rule.requests_s * @rate].min, all].max
        end

        # Requests with which it is warm even if windows differ.
        #: () -> Numeric
        def most = [[@rule.most, @rule.most_s * @rate].min, least].max

        # Are so many requests too few to tell? Its JIT has yet to compile a page: that the rate is
        # level proves nothing.
        #: (Integer) -> bool
        def short?(requests) = requests < [@called.last, least].max

        # Seconds of warm-up in which it would have served enough, and a quarter more.
        #: () -> Numeric
        def longer_s = [@rule.cap_s, (1.25 * compared(@called.last) / @rate).ceil].max

        private

        # Without the RARE ones, the most frequent first.
        def common(shares)
          sorted = shares.sort.reverse
          covered = 0
          sorted.first(1 + sorted.index { |share| (covered += share) >= 1 - RARE })
        end

        # The fewest requests if windows are compared after so many.
        def compared(count) = [@fewest, count + (@rule.windows * @after)].max
      end
    end
  end
end
