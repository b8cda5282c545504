# frozen_string_literal: true

module Mohs
  class LoadRun
    # Finds the highest number of event streams or WebSockets with which a limit is kept, within a
    # time budget: makes the loads that ConnectionSearch asks for, each on connections of its own.
    class ConnectionFinder
      # Unless a rate is given, all connections of a load are opened within this many seconds.
      OPEN_S = 1.0
      # Seconds for which a load holds them after that: at least this, and the limit, and until so
      # many times beyond the limit's quantile are to be expected of its messages, but at most this
      # part of the budget.
      HOLD_S, BEYOND, PART = 1.0, 2, 12
      # So many loads in a row that the driver itself spoiled end the search, and so many in which
      # no connection was opened: the server has gone, or never was one of streams. As many from the
      # first on end it if no message was published, as POSTs are refused: no number of connections
      # would change that; with those of BUSY fewer might.
      SPOILED, GONE = 3, 2
      # Statuses of a server, or of a proxy before it, that is too busy for a request.
      BUSY = [408, 425, 429, 502, 503, 504].freeze
      # Seconds that the server has to close the connections of a load, at most, and between looks.
      LINGER_S, LOOK_S = 10, 0.02
      # This share of the connections may fail or be dropped in a load that keeps the limit.
      FAILED = 0.01

      # One load. outcome: "kept", "missed" or "spoiled" (by the driver, as `reason` says). figure:
      # Load::Recording::Ranked, nil without any time. unposted: what became of the POSTs that got
      # no 2xx, { "class" => count }; nil: nothing is published. The others as in
      # Load::Streams::Result.
      Loaded = Struct.new(:connections, :seconds, :outcome, :figure, :opened, :dropped, :errors,
                          :unposted, :reason, keyword_init: true) do
        include Value
      end

      # outcome: "found"; "at_least" (kept by every number tried); "none" (by not even one
      # connection); "gone" (no connection was opened any more); "unpublished" (every POST was
      # refused); "spoiled"; "undecided" (there was no time). kept, missed: the ends of the range;
      # nil: unknown. most: what this machine can make, if that ended the search. checks: of the
      # driver, in the load that decided last. first_refused: Load::FailedResponse, the first answer
      # to a POST that was not 2xx; nil: there was none.
      Result = Struct.new(:outcome, :kept, :missed, :most, :precise, :seconds, :loads, :checks,
                          :first_refused, keyword_init: true) do
        include Value
      end

      # declared: a load of streams with a `connection_limit` and the whole time as `duration_s`.
      # most: connections that this machine can make.
      #: (LoadRun::Declaration, most: Integer, ?on_event: ^(Symbol, Hash[Symbol, untyped]) -> void, ?load: ^(LoadRun::Declaration, drain_s: Numeric) -> Load::Streams::Result, ?clock: Module) -> void
      def initialize(declared, most:, on_event: ->(*) {},
                     load: ->(one, drain_s:) { StreamLoad.new(one).load(drain_s:) }, clock: Clock)
        @declared = declared
        @limit = declared.connection_limit
        @most = most
        @on_event = on_event
        @load = load
        @clock = clock
        @search = ConnectionSearch.new(most:, first: declared.connections)
        @loads = []
        @checks = []
        @first_refused = nil
        @published = false
        @interrupted = false
        @waits = true
      end

      # Whether a signal ended it (CLI::StopSignals). Then the result covers what was known until
      # then.
      #: () -> bool
      def interrupted? = @interrupted

      #: () -> LoadRun::ConnectionFinder::Result
      def call
        @started_ns = @clock.mono_ns
        search
        result
      rescue SignalException
        @interrupted = true
        result
      end

      private

      def search
        while (@next = @search.next) && !ended?
          one = declaration(@next)
          spare_s = left_s - one.duration_s
          break if spare_s < least_drain_s

          GC.start # frees the descriptors and records of the last load
          @on_event.call(:load, { connections: @next, number: @loads.size + 1 })
          @loads << loaded(one, drain_s: [spare_s, longest_drain_s].min)
          @on_event.call(:loaded, { loaded: @loads.last, kept: @search.kept,
                                    missed: @search.missed })
          wait_for_closing
        end
      end

      def result
        kept, missed = @search.kept, @search.missed
        Result.new(outcome: outcome(kept, missed), kept:, missed:, precise: @next.nil?,
                   most: (@most if kept == @most), seconds:, loads: @loads.dup.freeze,
                   checks: @checks, first_refused: @first_refused)
      end

      def seconds = (@clock.mono_ns - @started_ns) / 1e9

      def left_s = @declared.duration_s - seconds

      def ended? = gone? || unpublished? || spoiled?

      def spoiled?
        last = @loads.last(SPOILED)
        last.size == SPOILED && last.all? { |one| one.outcome == "spoiled" }
      end

      def gone?
        last = @loads.last(GONE)
        last.size == GONE && last.all? { |one| one.opened.zero? }
      end

      def unpublished?
        return false if @first_refused.nil? || BUSY.include?(@first_refused.status)

        !@published && @loads.size >= GONE
      end

      def outcome(kept, missed)
        return "gone" if gone?
        return "unpublished" if unpublished?
        return "spoiled" if spoiled?
        return missed ? "found" : "at_least" if kept

        missed == 1 ? "none" : "undecided"
      end

      # The load of so many connections.
      def declaration(connections)
        open_per_s = @declared.open_per_s || (connections / OPEN_S)
        duration_s = (connections / open_per_s.to_f) + hold_s
        Declaration.new(**@declared.to_h, connections:, open_per_s:, duration_s:)
      end

      def hold_s
        least_s = [HOLD_S, limit_s].max
        due = @declared.arrivals.first or return least_s
        wanted_s = BEYOND / (1 - @limit.share) / due.rate_per_s
        [least_s, [wanted_s, @declared.duration_s.fdiv(PART)].min].max
      end

      def limit_s = @limit.limit.ns / 1e9

      # Seconds that messages have to come back after a load: whether one does within the limit is
      # known after `least_drain_s`, and what is left of the budget may go into how long it takes.
      def least_drain_s = @declared.arrivals.any? ? limit_s : 0

      def longest_drain_s = [Load::Streams::DRAIN_S, limit_s].max

      def loaded(declared, drain_s:)
        started_ns = @clock.mono_ns
        found = @load.call(declared, drain_s:)
        figure = figure(found, declared.connections)
        kept = kept?(figure, found, declared.connections)
        reason = spoiling(found) unless kept
        @search.add(declared.connections, kept:) unless reason
        outcome = "spoiled" if reason
        outcome ||= kept ? "kept" : "missed"
        Loaded.new(connections: declared.connections, outcome:, figure:, reason:,
                   seconds: (@clock.mono_ns - started_ns) / 1e9, unposted: unposted(found),
                   errors: found.errors, **found.to_h.slice(:opened, :dropped))
      end

      def unposted(found)
        return unless @declared.publish

        @first_refused ||= found.first_refused
        @published ||= found.messages[:sent].positive?
        found.echoes.errors
      end

      # The limited quantile over all that should have been, connections or messages. FAILED alone
      # limits what connections may fail while messages come back.
      def figure(found, connections)
        good, bad = timed(found).each_row(%i[done_ns error]).partition { |_, error| error.zero? }
        return if good.empty? && bad.empty?

        total = good.size + bad.size + unrecorded(found, connections)
        times = good.map(&:first).sort
        exact = times[(@limit.share * total).ceil - 1]
        Load::Recording::Ranked.new(exact || (times + bad.map(&:first)).max, exact.nil?)
      end

      # Connections that have no record of what is limited, and rank as what was never answered:
      # those that failed, or were never begun. A message has a record whatever becomes of it.
      def unrecorded(found, connections)
        case @limit.what
        when "first-event" then found.failed + connections - found.asked
        when "opening" then connections - found.asked
        else 0
        end
      end

      def timed(found)
        case @limit.what
        when "first-event" then found.firsts
        when "echo" then found.echoes
        when "fan-out" then found.fan_out.mosts
        else found.openings
        end
      end

      def kept?(figure, found, connections)
        lost = connections - found.opened + found.dropped
        ns = figure&.exact_ns
        lost <= FAILED * connections && !ns.nil? && ns < @limit.limit.ns
      end

      # Why a load that missed the limit says nothing about the server; nil: it does.
      def spoiling(found)
        @checks = StreamResult.new(found).checks
        @checks.find(&:fatal?)
      end

      # Until then threads of the server may be busy with clients that have gone.
      def wait_for_closing
        port = @declared.server.place[:port]
        return unless @waits && port && Loopback.host?(@declared.server.place[:host])

        # False if the server has other clients.
        @waits = Probes::Listener.closed?(port, within_s: [LINGER_S, left_s].min, look_s: LOOK_S,
                                                clock: @clock)
      end
    end
  end
end
