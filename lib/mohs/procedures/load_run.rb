# frozen_string_literal: true

module Mohs
  # One load of a server that is already running: learns its responses, loads it, and measures the
  # driver's own limit; or searches for the highest rate under a limit. Knows no terminal: progress
  # goes to `on_event`, which is called with a name and its facts:
  #
  #   :begin     { requests: [String], left_out: Analysis::Finding | nil, ports: String | nil }
  #              before load starts: what is sent, which requests of a log the server refuses, how
  #              long local ports last
  #   :live      { live: Load::Live }  about every 100 ms
  #   :slow      {}  slow clients begin beside the second load
  #   :capacity, :closed_loop, :probe, :probed  of a search: see LoadRun::RateProgress
  class LoadRun
    TIMEOUT_S = 30
    # A server that says nothing for so long may be waiting for TLS.
    SILENT_S = 2
    # Records to allocate before load starts: more are added as they are needed.
    CAPACITY = 500_000
    # Descriptors that a driver thread's loop needs.
    OF_A_THREAD = 4

    # A search has those of loads that are over until they are collected.
    OF_SEARCH = 4

    # Makes room for a declared load's connections: each needs a socket and, except on a unix
    # socket, a port, with any driver. Raises EnvironmentError if there is too little.
    #: (LoadRun::Declaration) -> void
    def self.make_room(declared)
      count = [declared.connections, *declared.max_connections].max + declared.slow&.count.to_i
      count += 1 if declared.publish
      what = "#{count} connections"
      Process::Descriptors.make_room(count + (declared.threads * OF_A_THREAD), what:)
      return if declared.server.unix

      Process::Port.verify_local(count.fdiv([declared.source_addresses.size, 1].max).ceil, what:)
    end

    # The most connections of a load for which there is room on this machine.
    #: (LoadRun::Declaration) -> Integer
    def self.most_connections(declared)
      room = Process::Descriptors.room - (OF_SEARCH * declared.threads * OF_A_THREAD)
      ports = Process::Port.local unless declared.server.unix
      [room, *(ports * [declared.source_addresses.size, 1].max if ports)].min
    end

    # driver: makes one from its options (`name` and `secrets` for another tool's). client: learns
    # responses.
    #: (LoadRun::Declaration, driver: ^(**untyped) -> Drivers::Base, ?client: Http::Client, ?on_event: ^(Symbol, Hash[Symbol, untyped]) -> void) -> void
    def initialize(declared, driver:, client: nil, on_event: ->(*) {})
      @redact = Secrets::Redaction.new(declared.secrets)
      @declared = declared
      @driver = driver
      @client = client || Http::Client.new(**declared.server.place, redact: @redact,
                                                                   silent_s: SILENT_S)
      @on_event = on_event
      @interrupted = false
    end

    # Whether a signal ended it (CLI::StopSignals). Then the result covers what was done until then.
    #: () -> bool
    def interrupted? = @interrupted ? true : false

    # Raises TrialError if the server's responses can't be learned, EnvironmentError if this machine
    # can't make the load.
    #: () -> (Load::Result | LoadRun::RateResult)
    def call
      make_room
      return follow if @declared.scenario

      @learner = App::ResponseLearner.new(@client, sign_in: false)
      @answers = learn
      @left_out = @learner.left_out
      began(@answers.map { |answer| answer.request.to_s }.uniq, left_out: @learner.left_out_facts)
      target = target(requests: @answers.map { |answer| request(answer) })
      @declared.limit ? search(target) : measure(target)
    rescue Error => error
      raise error.exception(@redact.call(error.message)) # a tool may quote its arguments
    end

    private

    def learn
      @learner.learn(@declared.requests)
    rescue TrialError => error
      host, port, unix, tls = @declared.server.place.values
      Http::Tls.verify_plain(host, port) if !unix && !tls && may_want_tls?(error)
      raise
    end

    # An HTTP status shows plain HTTP, but for the 400 that nginx gives to HTTP on a TLS port.
    def may_want_tls?(error) = [nil, 400].include?(error.reason.values[:status])

    def make_room
      @ports = LocalPortLimit.new(@declared).verify
      LoadRun.make_room(@declared)
    end

    def began(requests, left_out: nil)
      left_out &&= Analysis::Finding.note("left_out", **left_out)
      @on_event.call(:begin, { requests:, left_out:, ports: @ports })
    end

    def measure(target)
      step, recording, stages = load(target)
      step, recording, stages, slow = beside_slow(target, step, recording, stages) if
        @declared.slow && !@interrupted
      result(step, recording, stages, slow:, diagnosis: diagnosis(step), answers: noted_answers,
                                      traffic:,
                                      empty_per_s: empty_per_s_beside(step, target, body_bytes))
    end

    # The same load beside slow clients, as #load returns it, and what there is to know of them. The
    # others are the results of the load without them.
    def beside_slow(target, *without)
      at = slow_request
      theirs = Load::Target.new(**target.to_h, requests: [target.requests[at]])
      clients = Load::SlowClients.new(theirs, @declared.slow, status: @answers[at].status,
                                                              cpu: @declared.cpus&.last)
      before = result(*without)
      @on_event.call(:slow, {})
      [*clients.during { load(target) },
       { asked: @declared.slow, clients: clients.result, without: before }]
    end

    # The place of the request that they send: the first, or the first with a body.
    def slow_request
      return 0 unless @declared.slow.part == :body

      @answers.index { |answer| !answer.request.body.to_s.empty? } || 0
    end

    # Diagnoses wrong responses; not for another tool's load, which may have asked for something
    # else.
    def diagnosis(step)
      wrong = step.errors.slice(*Analysis::Checks::Answers::WRONG).values.sum
      return if wrong.zero? || @declared.tool || @interrupted

      App::AnswerDiagnosis.new(@client, answers: @answers, connections: @declared.connections)
                          .call(wrong.fdiv(step.sent))
    rescue SignalException
      nil # the load itself is complete
    end

    def follow
      began([@declared.scenario_file])
      scenario = @declared.scenario
      step, recording, stages = load(target(scenario:))
      body_bytes = step.bytes / [step.good, 1].max
      result(step, recording, stages,
             scenario: { file: @declared.scenario_file, steps: scenario.outline }, login: @login,
             empty_per_s: empty_per_s_beside(step, plain, body_bytes))
    end

    # Requests that cost a driver as much as a scenario's do.
    def plain = target(requests: [Load::Request.new(path: "/")])

    def search(target)
      finder = RateFinder.new(
        target:, limit: @declared.limit, budget_s: @declared.duration_s, driver: @driver,
        arrivals: @declared.search, seed: @declared.seed, threads: @declared.threads,
        options: @declared.driver_options, on_event: @on_event
      )
      found = until_interrupted { finder.call } || finder.result
      empty_per_s = empty_per_s(target, body_bytes) if found.interval
      RateResult.new(**found.to_h, answers: noted_answers, asked: @declared.asked, empty_per_s:)
    end

    # With notes from further requests, now that no load runs.
    def noted_answers
      @interrupted ? @answers : @learner.annotate(@answers)
    rescue SignalException
      @answers # the load itself is complete
    end

    # [result, recording, each step's result and recording if there are several].
    def load(target)
      # Load may take every descriptor, and then no file of mohs can be opened.
      LOADER.eager_load
      driver = driver(target)
      @epoch_real_ns = Clock.real_ns(driver.epoch_ns) unless @declared.tool
      scenario = target.scenario
      @login = Load::Login.new(driver, scenario, redact: @redact).call if scenario&.login
      until_interrupted { driver.run(@declared.steps) { |live| @on_event.call(:live, { live: }) } }
      results = driver.results
      raise @interrupted || Interrupt if results.empty?

      summary = driver.summary(0)
      @first_failed = driver.first_failed(0)&.summary(@redact)
      @tls = driver.handshakes(0)
      [Load::Total.of(results, summary), summary, Load::Total.stages(results, summary)]
    ensure
      driver&.close
    end

    # nil if it was interrupted.
    def until_interrupted
      yield
    rescue SignalException => signal
      @interrupted = signal
      nil
    end

    def driver(target)
      secrets = @declared.confidential?
      tool = @declared.tool ? { name: @declared.tool, secrets: } : {}
      @driver.call(targets: [target], threads: @declared.threads, seed: @declared.seed,
                   capacity: CAPACITY, **tool, **@declared.driver_options)
    end

    def target(**what)
      server = @declared.server
      Load::Target.new(name: server.to_s, **server.place, owned: server.owned,
                       **@declared.to_h.slice(:connections, :max_connections, :keep_alive,
                                              :source_addresses),
                       timeout_s: TIMEOUT_S, **what)
    end

    # Tools do not compare bodies.
    def request(answer)
      return Load::Request.of(answer) unless @declared.tool

      Load::Request.of(answer, check: Load::Check.new(statuses: [answer.status]))
    end

    def body_bytes = @answers.first.length.to_i

    # Not measured if the load was shorter than the measurement would be; nor for another tool, nor
    # over TLS, which the null server hasn't.
    def empty_per_s_beside(step, target, body_bytes)
      return if @declared.tool || step.wall_ns < Load::NullServerRate::SECONDS * 1e9

      empty_per_s(target, body_bytes)
    end

    def empty_per_s(target, body_bytes)
      return if @interrupted || @declared.server.tls

      options = { threads: @declared.threads, cpus: @declared.cpus }.compact
      Load::NullServerRate.new(driver: @driver, **options).call(target, body_bytes:)
    rescue SignalException
      nil # the load itself is complete
    end

    # What was taken from logs and what was left out, as in docs/json.md.
    def traffic
      mix = @declared.mix or return
      refused = @left_out.map do |request, refusal|
        { request: request.to_s, weight: request.weight, reason: refusal.reason }
      end
      { **mix.document, refused: }
    end

    def result(step, recording, stages, **what)
      tool = Drivers.fetch(@declared.tool).facts if @declared.tool
      Load::Result.new(
        server: @declared.server.to_s, asked: @declared.asked, step:, stages:, recording:, tool:,
        epoch_real_ns: @epoch_real_ns, argv: @declared.argv,
        invocation: @declared.invocation&.to_h, host: Probes::Host.fingerprint,
        versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION }, specimen: @first_failed,
        tls: @tls, **what
      )
    end
  end
end
