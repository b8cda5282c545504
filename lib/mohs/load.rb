# frozen_string_literal: true

require "mohs/core"

module Mohs
  # Ruby interface to the driver's core: what a load consists of, and its results. This file has
  # plain data; what acts has a file of its own.
  module Load
    # Seconds that a request may take, unless its target says otherwise.
    TIMEOUT_S = 10

    # The class of error of what had no answer, or was not sent, when a load ended.
    IN_FLIGHT = "in_flight_at_end"

    # A target of load: an address (`host` and `port`, or `unix`, the path of a socket), how many
    # connections, which requests. `keep_alive` is :on, :asked (the request says Connection: close),
    # :fin or :rst (we close after each answer). `workers` are the numbers of the driver's threads
    # that serve the target; nil means all of them. In an open loop more connections are opened
    # while all are busy, up to `max_connections`, and closed at the step's end. `owned`: the user
    # declares that they may load this host, which then need not be this machine. With a `scenario`
    # (Load::Scenario), each connection is one of its clients, and the requests are its steps'.
    # `tls`: connections are made over TLS, and the server is told this host name ("": none); nil:
    # they are plain.
    Target = Struct.new(:name, :host, :port, :unix, :connections, :requests, :keep_alive,
                        :timeout_s, :source_addresses, :workers, :max_connections, :owned,
                        :scenario, :tls,
                        keyword_init: true) do
      #: (?connections: Integer, ?keep_alive: Symbol, ?timeout_s: Numeric, **untyped) -> void
      def initialize(connections: 1, keep_alive: :on, timeout_s: TIMEOUT_S, requests: nil,
                     source_addresses: nil, max_connections: nil, owned: false, scenario: nil,
                     **rest)
        super(connections:, max_connections: max_connections || connections, keep_alive:,
              timeout_s:, scenario:,
              requests: requests || scenario&.requests || [Request.new],
              source_addresses: source_addresses || [], owned:, **rest)
        freeze
      end
    end

    # A request of a mix: what is sent, its frequency relative to the others (`weight`, an integer),
    # and the expected response.
    Request = Struct.new(:method, :path, :headers, :body, :weight, :check, keyword_init: true) do
      #: (?method: String, ?path: String, ?headers: Hash[String, String]?, ?body: String?, ?weight: Integer, ?check: Check?) -> void
      def initialize(method: "GET", path: "/", headers: nil, body: nil, weight: 1, check: nil)
        super(method:, path:, headers: headers || {}, body:, weight:, check: check || Check.new)
        freeze
      end

      # The request of a learned response, against which every later response is checked.
      #: (App::Answer, ?check: Load::Check) -> Load::Request
      def self.of(answer, check: Check.of(answer))
        new(**answer.request.to_h.except(:expect, :optional, :confidential), check:)
      end
    end

    # The definition of a correct response, checked on every response while load runs. `mode`:
    #   :status  its status is among `statuses`
    #   :filled  and its body is not empty
    #   :length  and its body has `length` bytes
    #   :exact   and its body is `body`, byte for byte
    # In each mode also `type`, its Content-Type without parameters, and `text`, which its body
    # contains; nil: any.
    Check = Struct.new(:mode, :statuses, :length, :body, :type, :text, keyword_init: true) do
      #: (?mode: Symbol, ?statuses: Array[Integer], ?length: Integer?, ?body: String?, ?type: String?, ?text: String?) -> void
      def initialize(mode: :status, statuses: [200], length: nil, body: nil, type: nil, text: nil)
        length ||= body&.bytesize
        super
        freeze
      end

      # The parts of a learned response that repeat.
      #: (App::Answer) -> Load::Check
      def self.of(answer)
        kind = answer.kind
        mode = answer.never_empty? ? :filled : self::OF_ANSWERS.fetch(kind)
        new(mode:, statuses: [answer.status],
            length: (answer.length unless kind == :status),
            body: (answer.body if kind == :body), type: answer.type, text: answer.expect)
      end
    end

    Check::OF_ANSWERS = { body: :exact, length: :length, status: :status }.freeze

    # A stretch of load on one or more targets (their indexes) at once: by time (`duration_ns`), or
    # by an exact number of requests on each target (`count`), shared evenly among its connections
    # (they differ by one at most). Requests of a `warm_up` step are recorded as such and stay out
    # of quantiles. Without `arrivals` it is a closed loop; with Load::Arrivals it is an open loop,
    # which ends after the duration or the count. Arrivals with given times need neither. On a
    # target with a scenario, `count` and `arrivals` are of actions, each of one or more requests;
    # in a `login` step each client does its login instead. For a closed loop by time, edge_ns:
    # responses count less within this time of either end of the load, and not at all in the first
    # quarter of such a time (StepResult#span_ns); nil: within two mean service times, as if the
    # server worked on all connections at once. hang_up: in a closed loop, close each connection as
    # soon as it has nothing more to send. limit_ns: of a closed loop by count, time after which no
    # request begins. followed: another list follows at once, and detects bytes that come after the
    # last response, so this one does not wait for any. Only our own driver has these two.
    Step = Struct.new(:targets, :duration_ns, :count, :limit_ns, :warm_up, :followed, :arrivals,
                      :login, :edge_ns, :hang_up, keyword_init: true) do
      # The login of this many clients: the connections of one target.
      #: (Integer, ?targets: Array[Integer]) -> Load::Step
      def self.login(clients, targets: [0])
        new(targets:, count: clients, warm_up: true, login: true)
      end

      #: (?targets: Array[Integer], ?duration_ns: Integer?, ?count: Integer?, ?limit_ns: Integer?, ?warm_up: bool, ?followed: bool, ?arrivals: Load::Arrivals?, ?login: bool, ?edge_ns: Integer?, ?hang_up: bool) -> void
      def initialize(targets: [0], duration_ns: nil, count: nil, limit_ns: nil, warm_up: false,
                     followed: false, arrivals: nil, login: false, edge_ns: nil, hang_up: false)
        count ||= arrivals.times.size if arrivals&.times && !duration_ns
        super
        freeze
      end
    end

    # That a server closed a connection just as a request was sent is no fault of either: for each
    # connection once, or RACE_SHARE of the requests. More often it is the server's.
    RACES = %w[closed_between_requests reset_between_requests].freeze
    RACE_SHARE = 0.01

    # The result of one step on one target. Every request that was sent is counted: sent = good +
    # the sum of `errors` ({ "class" => count }, without zeros). `good` counts correct responses,
    # `completed` complete ones, correct or not; `bytes` counts those of bodies.
    #   started_ns      since the driver's epoch
    #   wall_ns         from there to the last response; if requests failed after it, until the
    #                   step's time was over or the server was given up; in an open loop by time, at
    #                   least that time
    #   loaded_ns       how long all connections were loaded: from started_ns until one of them
    #                   first had nothing more to send; wall_ns if none had
    #   span_ns         how long the good responses take at the rate of that time: good / span_ns is
    #                   the rate. In a closed loop by time, responses that come after loaded_ns
    #                   don't affect it, unless the server computed most of the time (a cohort then
    #                   has Cohort::Spread#computed_spans_ns). Else, and if it left requests
    #                   unanswered, wall_ns.
    #                   nil for another driver, as loaded_ns
    #   in_use_ns       the part of loaded_ns in which a connection waited for a good response (from
    #                   sent, for its first from due), added up over the connections: divided by
    #                   loaded_ns, the connections in use (Little); nil for another driver
    #   latency_sum_ns  of good requests, due to done
    #   service_sum_ns  the same, sent to done (for the first on its connection, due to done)
    #   turn_ns         median of due to sent where a connection was free: in a closed loop, what
    #                   the driver takes from a response to the next request; 0 without any
    #   p50_ns          exact median service time (sent to done), failed requests ranking last
    #                   (Recording#ranked); nil if the median request failed, or without any
    #   max_ns          the longest due to done of a good request; nil without any
    #   cpu_ns          CPU time of the watched processes; nil if none is watched, or one is gone
    #   loaded_cpu_ns   the same in loaded_ns, at the pace that it has from the first good response
    #                   to its end; nil also if it is no closed loop by time
    #   processes_cpu_ns  of each of them, in their order, nil for one that is gone; nil if none is
    #                   watched
    #   driver_cpu_ns   CPU time of the driver's own threads
    #   thread_stats    what the driver's threads measured about themselves (core/thread_stats.h);
    #                   nil for another driver. { spins:, windows:, busy:, full:, wakeups:, events:,
    #                   events_max:, age_sum_ns:, age_max_ns:, gap_max_ns:, gaps_ns:, held_ns:,
    #                   stalls:, stalled_ns:, preempted:, waited_ns:, pace_ns:, memory_ns:,
    #                   steal_share: }: windows of 100 ms, and how many of them used more than 50
    #                   and 85 % of a core; returns from epoll_wait, their events, and how long each
    #                   event waited for the events before it; the longest time from when a thread
    #                   should have run to when it did (core/loop.h), what such times exceed 0.2 ms
    #                   by, asleep and awake, how many were above 20 ms, and the sum of these;
    #                   involuntary context switches; ns ready to run without a core (nil if the
    #                   kernel doesn't report it); ns per unit of two fixed pieces of work on that
    #                   core, geometric means (core/core_speed.h; nil: not requested); the share of
    #                   all CPU time that the hypervisor took during the whole run. Stored slices
    #                   and documents have them under the key `pulse`, as do #to_h and .from_h.
    #   connections     { asked:, opened:, lost:, served:, requests_min:, requests_max: }: served
    #                   had a good response; the last two count good responses on the connection
    #                   with the fewest and on the one with the most
    #   gone            the server gave no response for so long that the step was ended
    #   outage          { from_ns:, ns: }: the longest time without a response, on any connection,
    #                   in which requests failed, and its start, counted from the step's start; nil
    #                   without
    # With a scenario, else nil:
    #   actions         begun
    #   finished        actions of which every step was correct
    # In an open loop, else nil (in a scenario, counts of actions):
    #   offered         requests that fell due = sent (in a scenario: actions) + unsent
    #   unsent          not yet sent when the drain was over
    #   late            sent, but only after the step's time; with a count, after the last was due
    #   queued          found no connection free when they were due
    #   waiting_max     the most that waited at once
    #   lag_ns          { p50:, p99: } due to sent where a connection was free: the driver's own
    #                   lateness, opening the connection included; values nil without such requests
    #   queue_ns        { p50:, p99: } due to sent of the queued ones; values nil without them
    # Of streams, else nil (sent, good and times are those of what is timed, as in
    # Cohort::StreamDriver):
    #   streams         { asked:, opened:, failed:, dropped:, ends:, events:, messages:, gaps:,
    #                   gap_p50_ns:, gap_p99_ns:, opening_p50_ns:, opening_p99_ns:, rss_bytes:,
    #                   rss_before_bytes:, open_at_reading: }: as in Load::Streams::Result (failed:
    #                   its errors), with the number of gaps, and quantiles of gaps and openings
    #                   (nil without any, or if a failure holds that rank), the memory of the
    #                   watched processes near the end and before any was open (nil if unknown), and
    #                   how many were open at the former (nil if it ended before that)
    #
    # The members come from the core, which fills them (ext/mohs/core/step_fields.h), except those
    # that only Ruby knows: step and target as requested, offered, and streams.
    StepResult = Struct.new(:step, :target, *Core::STEP_FIELDS, :offered, :streams,
                            keyword_init: true) do
      include Value

      # The inverse of #to_h.
      #: (Hash[Symbol, untyped]) -> Load::StepResult
      def self.from_h(hash) = new(**hash.transform_keys(pulse: :thread_stats))

      #: () ?{ (Symbol, untyped) -> [untyped, untyped] } -> Hash[untyped, untyped]
      def to_h(&block)
        hash = super().transform_keys(thread_stats: :pulse)
        block ? hash.to_h(&block) : hash
      end

      # The errors that are the server's.
      #: () -> Hash[String, Integer]
      def faults
        races = errors.values_at(*RACES).sum(&:to_i)
        by_chance = [connections.to_h[:asked].to_i, RACE_SHARE * sent.to_i].max
        races > by_chance ? errors : errors.except(*RACES)
      end
    end

    # Correct responses per second over consecutive steps or slices: anything with `good` and
    # `span_ns`. nil if one is unknown, or if no time passed.
    #: (Array[untyped]) -> Float?
    def self.rate_per_s(steps)
      good = steps.map { |step| step[:good] }
      span_ns = steps.sum { |step| Stats::Sample.span_ns(step) }
      good.sum * 1e9 / span_ns if good.all? && span_ns.positive?
    end

    # The state of a load under way: the index of the step, and the counts over its list of steps so
    # far; `times`: a Load::Times of correct responses (response times in an open loop, else service
    # times); `waiting`: a Load::Times of requests without a response yet, by how long they have
    # waited; both nil if the driver has none.
    Live = Struct.new(:step, :completed, :failed, :times, :waiting, keyword_init: true) do
      include Value
    end

    # The first wrong response of a target, to be shown to the user: its error class, status (0
    # without one), and up to 4096 bytes of the body or, if it was not HTTP, of what arrived.
    class FailedResponse < Struct.new(:error, :status, :bytes, keyword_init: true)
      include Value

      SHOWN_BYTES = 400

      # Classes of responses whose body is another one.
      BODIES = %w[wrong_length wrong_body].freeze

      # As many bytes as the driver keeps (MOHS_SAMPLE_MAX).
      KEPT_BYTES = 4096

      # For documents and messages: { error:, status:, bytes: the first ones, as Ruby prints them;
      # nil: it had none }, without the user's secrets, which the response may quote.
      #: (Secrets::Redaction) -> Hash[Symbol, untyped]
      def summary(redact)
        first = redacted(redact)[0, SHOWN_BYTES]
        { error:, status:, bytes: (first.inspect unless first.empty?) }
      end

      # Where it leaves the body that was right, for #summary: { offset:, right:, wrong: } with a
      # few bytes of each; { same: } if all the bytes that were kept are right ones. nil if it is no
      # response with another body, or if either has a secret of the user's.
      #: (String, Secrets::Redaction) -> Hash[Symbol, untyped]?
      def difference(body, redact)
        kept, right = bytes.b, body.b[0, KEPT_BYTES]
        return if kept.empty? || !BODIES.include?(error) ||
                  [kept, right].any? { |text| redact.call(text.dup) != text }

        offset = App::BodyDifference.offset(right, kept)
        return { same: offset } if offset == kept.bytesize

        around = App::BodyDifference.shown(offset)
        shown = [right, kept].map { |text| text.byteslice(*around).to_s.inspect }
        { offset:, right: shown[0], wrong: shown[1] }
      end

      # All bytes that were kept, with the user's secrets masked.
      #: (Secrets::Redaction) -> String
      def redacted(redact) = redact.call(bytes.b, cut: bytes.bytesize >= KEPT_BYTES)
    end

    # The latencies reported by another tool, in place of a Recording, since tools don't record
    # requests. `times`: { share => ns }, 0.0 the fastest and 1.0 the slowest; `good`: correct
    # responses. What was not reported is nil.
    Summary = Struct.new(:good, :times, keyword_init: true) do
      #: (?good: Integer?, ?times: Hash[Float, Integer]) -> void
      def initialize(good: nil, times: {})
        super
        freeze
      end

      # Requests recorded: nil, since none is.
      #: () -> nil
      def size = nil

      # As Recording#quantiles, for the shares that were reported. The tools load in a closed loop,
      # where the time from the moment a request is due is its service time.
      #: (Symbol, Array[Numeric]) -> Array[Integer?]
      def quantiles(kind, shares) = shares.map { |share| times[share] unless kind == :first }

      # As Recording#ranked, as far as the tool reports: whether its times are of correct responses
      # only is up to the tool.
      #: (Symbol, Array[Numeric]) -> Array[Recording::Ranked?]
      def ranked(kind, shares)
        quantiles(kind, shares).map { |ns| ns && Recording::Ranked.new(ns, false) }
      end

      # Not reported.
      #: (Symbol) -> nil
      def unanswered(_kind) = nil
    end

    # One load as a whole, from which every figure of it can be computed:
    #   server         as the user would write it
    #   asked          connections, keep_alive (of a Load::Target), threads, seed, duration_s or
    #                  count, and the number of `batches` of that count; `arrivals`:
    #                  Load::Arrivals#facts of each step (nil for a closed loop)
    #   answers        [App::Answer] that the responses were compared with
    #   step           Load::StepResult; for several steps their total
    #   stages         [[Load::StepResult, Load::Recording]] of several steps; [] for one
    #   recording      Load::Recording; Load::Summary for another tool's load
    #   tool           for another tool's load { name:, caveat:, threads: whether its number of
    #                  threads can be set }, else nil
    #   epoch_real_ns  the wall clock where due_ns of the records is 0, in ns since 1970
    #   argv, host, versions   what was typed, secrets masked; the host's fingerprint; { mohs:,
    #                  ruby: }
    #   invocation     the same as argv in values (Invocation#to_h); nil: unknown
    #   traffic        for logs, what was taken and left out, as in docs/json.md, but with a Reason
    #                  for each request that was `refused`; else nil
    #   scenario       { file:, steps: Load::Scenario#outline }, else nil
    #   login          Load::StepResult of a scenario's logins, or nil
    #   empty_per_s    Load::NullServerRate's, nil if it was not measured
    #   specimen       Load::FailedResponse#summary of the first wrong response, or nil
    #   diagnosis      App::AnswerDiagnosis's if responses were wrong, or nil
    #   tls            of a load over TLS { done:, failed:, p50_ns: }: handshakes, and their median
    #                  time, accurate to 3 % (nil without any), else nil
    #   slow           of a load beside slow clients { asked: SlowClients::Asked, clients:
    #                  SlowClients::Result, without: Load::Result of the load before without them },
    #                  else nil
    class Result < Struct.new(:server, :asked, :answers, :step, :recording, :epoch_real_ns, :argv,
                              :invocation, :host, :versions, :traffic, :stages, :scenario, :login,
                              :tool, :empty_per_s, :specimen, :diagnosis, :slow, :tls,
                              keyword_init: true)
      #: (**untyped) -> void
      def initialize(answers: [], stages: [], **)
        super
        freeze
      end

      #: () -> bool
      def open_loop? = !step.offered.nil?

      # The time that a client waits: in a closed loop no client waits before a request is sent.
      #: () -> Symbol
      def kind = open_loop? ? :response : :service
    end
  end
end
