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
        LONGEST_S = 28
        SLOW_S = 10

        # Until so many requests of each process, an interpreter may be slow at first, too: what
        # differs until then is not yet noise. (Of two Rails applications 85, method, section 1;
        # larger ones may take longer.)
        EARLY = 300

        # A JIT goes on for so many requests of a page in each process after it has compiled what
        # the page calls once; its rate may still rise by SETTLING_RISE at first, and by less with
        # each of them (method, What may still come).
        SETTLING = 560
        SETTLING_RISE = 0.07

        # Of an equal share of the requests, what a process is taken to get at least.
        MIN_SHARE = Rational(1, 4)

        # Of the seconds that there are, how many are used where it may be warm sooner: the rate may
        # fall, and at the end it would be capped.
        EARLY_SHARE = 0.7

        # What #unwarmed returns if there is nothing to allow for.
        NOTHING = { may_rise: 0.0, uncompiled: 0.0, uncompiled_requests: 0.0, seldom: 0.0 }.freeze

        # pages: as Pages.of. given_s: a cap of the warm-up; nil: none is given. settling_s: the
        # seconds that there are until its rate hardly rises any more; nil: that is not waited for.
        #: (Trial::WarmUp::Rule, processes: Integer, pages: Array[Trial::WarmUp::Pages::Page], given_s: Numeric?, settling_s: Numeric?) -> void
        def initialize(rule, processes:, pages:, given_s:, settling_s:)
          @rule = rule
          @processes = processes
          @fewest = processes * FEWEST
          @after = counts_calls? ? processes * AFTER : 0
          @pages = pages
          @common = Pages.common(pages)
          @share = 1
          @longest_s = given_s || LONGEST_S
          @settling_s = settling_s
        end

        # The rate so far, in requests per second.
        attr_writer :rate

        # Decides at the end of a window which pages there is time to wait for. What was waited for
        # once is waited for from then on: while a JIT compiles, a server is slower. share: what the
        # process with the fewest requests had so far, of an equal share; its future share is taken
        # to be MIN_SHARE at least.
        #: (Numeric) -> void
        def decide(share)
          @share = share
          in_time = called.select { |count| compared(for_slowest(count)) <= @longest_s * @rate }
          @waited = [@waited, *in_time].compact.max
        end

        # Requests after which its windows are compared: its JIT has compiled what they call.
        #: () -> Integer
        def compiled = for_slowest(@waited || 0)

        # Requests of such a window, at least.
        #: () -> Integer
        def window = @waited ? @after : 0

        # Requests before which it can't be warm. To settle, most of the time is used.
        #: () -> Numeric
        def least
          [enough, *([settled, EARLY_SHARE * @settling_s * @rate].min if @settling_s)].max
        end

        # Requests with which it is warm even if windows differ.
        #: () -> Numeric
        def most
          early = [@processes * EARLY, EARLY_SHARE * @longest_s * @rate].min
          [[@rule.most, @rule.most_s * @rate].min, early, least].max
        end

        # Are so many requests too few to tell? The JIT of a process has yet to compile a page, or
        # has just done so: that the rate is level proves nothing.
        #: (Integer) -> bool
        def short?(requests)
          requests < enough || @common.any? { |page| uncompiled?(page, requests) }
        end

        # As Trial::WarmUp#unwarmed, after so many.
        #: (Integer, ?pages: Array[Trial::WarmUp::Pages::Page]?) -> Hash[Symbol, Float]
        def unwarmed(requests, pages: nil)
          return NOTHING unless gains?

          all = pages || @pages
          uncompiled = all.select { |page| uncompiled?(page, requests) }
          { may_rise: all.sum { |page| page.of_time * rise(page, requests) },
            uncompiled: uncompiled.sum(0.0, &:of_time),
            uncompiled_requests: uncompiled.sum(&:share).to_f, seldom: seldom(requests) }
        end

        # Seconds of warm-up in which it would have served enough, and a quarter more.
        #: () -> Numeric
        def longer_s = [@rule.cap_s, (1.25 * last_compared / @rate).ceil].max

        private

        def counts_calls? = @rule.calls.positive?

        # Are applications known to get faster by what it compiles after some calls?
        def gains? = counts_calls? && @rule.gains

        def enough
          all = @waited ? compared(compiled) : SLOW_S * @rate
          [[@rule.requests, @rule.requests_s * @rate].min, all].max
        end

        # Has a process of its workers had too few calls of this page?
        def uncompiled?(page, requests)
          counts_calls? && requests < compared(called_by(page) / @share.to_f)
        end

        # The share of requests below which a branch has not been called often enough to be
        # compiled.
        def seldom(requests)
          calls = requests * @share.to_f / @processes
          calls > @rule.calls ? @rule.calls / calls : 1.0
        end

        # With which requests the pages that are waited for have been called enough.
        def called = @called ||= @common.map { |page| called_by(page) }

        # The same of one page, if requests are spread evenly.
        def called_by(page)
          @processes * with_margin(@rule.calls, page.share) / page.share
        end

        # So many calls of a page, and by chance hardly ever fewer than that: which page is next is
        # drawn (two standard deviations of the binomial distribution).
        def with_margin(calls, share) = calls + (2 * Math.sqrt(calls * (1 - share)))

        # Requests with which the process that gets the fewest has as many as it would have of so
        # many that are spread evenly.
        def for_slowest(count) = (count / [@share, MIN_SHARE].max).ceil

        # The fewest requests if windows are compared after so many.
        def compared(count) = [@fewest, count + (@rule.windows * @after)].max

        # The fewest if they are compared after the last page that a JIT compiles; 0 without one.
        def last_compared = counts_calls? ? compared(for_slowest(called.max)) : 0

        # After which such a JIT brings nothing more.
        def settled = counts_calls? ? @pages.map { |page| settled_by(page) }.max : 0

        def settled_by(page) = for_slowest(called_by(page)) + settling(page)

        # Requests among which a page has SETTLING in each process.
        def settling(page) = for_slowest(@processes * SETTLING / page.share)

        def rise(page, requests)
          return Analysis::Unwarmed::UNCOMPILED_RISE if uncompiled?(page, requests)

          SETTLING_RISE * (settled_by(page) - requests).fdiv(settling(page)).clamp(0, 1)
        end
      end
    end
  end
end
