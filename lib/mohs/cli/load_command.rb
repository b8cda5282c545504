# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs load URL`: the load driver alone, against a server that already runs.
    class LoadCommand < Base
      SUMMARY = "Loads a server that already runs on this machine, and says how it answers."
      USAGE = "mohs load URL [options]"
      ARGUMENTS = (1..1)

      TIMEOUT_S = 30
      INTERRUPTED = 130
      # Records to have room for before load starts: more are taken as they come.
      CAPACITY = 500_000
      # Descriptors of its loop.
      OF_A_THREAD = 4
      OTHERS = (Drivers.names - %w[native mock]).freeze

      private

      def options(parser)
        @requests = RequestOptions.new(context, tell: method(:tell))
        @amounts, @open_loop = LoadAmounts.new, OpenLoop.new
        @scenario, @exports = ScenarioOption.new(context), ExportOptions.new(context)
        @amounts.define(parser)
        @open_loop.define(parser)
        find_rate(parser)
        @scenario.define(parser)
        parser.on("--driver NAME", "another tool loads: #{OTHERS.join(', ')}") do |name|
          @peer = peer(name)
        end
        parser.on("--unix PATH", "over this socket of the server's") { @unix = _1 }
        parser.on("--i-own HOST", "load that host, which is yours, not this machine") { @own = _1 }
        @requests.define(parser)
        @exports.define(parser)
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      def find_rate(parser)
        parser.on('--find-rate "p99 < 50ms"', "the highest rate of which that is true; p50 p90",
                  "p95 p99 p99.9 or mean of response times") do |text|
          @limit = Load::Limit.parse(text)
        end
      end

      # The class of that driver; nil for our own.
      def peer(name)
        raise UsageError, "mock makes no load: it is for tests." if name == "mock"

        Drivers.fetch(name).then { |member| member unless name == "native" }
      end

      def execute
        check_values
        @exports.open(document: !exporter.nil?) do
          @server = LoadTarget.parse(arguments.first, own: @own, unix: @unix)
          make_room
          next follow if @scenario.given?

          @learner = LoadAnswers.new(@requests, @server)
          answers = @learner.call.tap { tell(@learner.left_out) }
          requests = answers.map { |answer| load_request(answer) }
          @limit ? search(answers, target(requests:)) : measure(answers, target(requests:))
        end
      end

      def measure(answers, target)
        step, summary, stages = load(target, named(answers))
        return tell_peer(step, summary, answers) if @peer

        empty_per_s = headroom_of(step, target, answers.first.length.to_i)
        report(load_result(step, summary, stages, answers:, traffic: @learner.traffic,
                                                  empty_per_s:))
      end

      # Of what takes less time than asking would, nothing is asked.
      def headroom_of(step, target, body_bytes)
        headroom(target, body_bytes) if step.wall_ns >= Load::NullServerRate::SECONDS * 1e9
      end

      def headroom(target, body_bytes)
        return if @interrupted

        Load::NullServerRate.new(driver: context.driver, threads: @values[:threads])
                            .call(target, body_bytes:)
      rescue Interrupt
        nil # the load itself is whole
      end

      def follow
        step, summary, stages = load(target(scenario: @scenario.load(@server)), [@scenario.file])
        empty_per_s = headroom_of(step, plain, step.bytes / [step.good, 1].max)
        report(load_result(step, summary, stages, scenario: @scenario.facts, login: @login,
                                                  empty_per_s:))
      end

      # What costs a driver as much as a scenario's requests do.
      def plain = target(requests: [Load::Request.new(path: "/")])

      def tell_peer(step, summary, answers)
        show(Report::PeerModel.new(step, summary, driver: @peer, answers:, asked:,
                                                  traffic: @learner.traffic).document)
      end

      # The table first: it is there, whatever becomes of the files.
      def report(load_result)
        show(Report::LoadModel.document(load_result)).tap { @exports.write_load(load_result, quiet: @quiet) }
      end

      def show(document)
        print_load(document, @exports.table_out)
        status(document)
      end

      def load_result(step, recording, stages, **what)
        Load::Result.new(
          server: @server.to_s, asked: asked.merge(@values.slice(:seed)), step:, stages:,
          recording:, epoch_real_ns: @epoch_real_ns, argv: Secrets.mask_argv(["load", *@argv]),
          host: Probes::Host.fingerprint, versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION },
          specimen: @first_failed, **what
        )
      end

      # Of what a tool does not tell, its errors are the measure.
      def status(document)
        return INTERRUPTED if @interrupted

        sent, good = document[:requests].values_at(:sent, :good)
        return good&.positive? && document[:errors][:total].zero? ? 0 : 1 if @peer

        good == sent ? 0 : 1
      end

      def check_values
        check_records
        raise UsageError, "--find-rate: only our own driver can, without --driver." if
          @limit && @peer

        @scenario.check(requests: @requests, peer: @peer, limit: @limit, open_loop: @open_loop,
                        batches: @amounts.batches?)
        @values = @amounts.complete(open_loop: @open_loop, limit: @limit)
      end

      # For each connection a socket and, but on a unix socket, a port; whoever loads.
      def make_room
        count = [@values[:connections], *@open_loop.max_connections].max
        what = "#{count} connections"
        Process::Descriptors.make_room(count + (@values[:threads] * OF_A_THREAD), what:)
        Process::Port.verify_local(count, what:) unless @server.unix
      end

      # What keeps no record of each request has nothing to write, and knows no batches.
      def check_records
        by = @peer ? @peer.tool : ("--find-rate" if @limit)
        options = [*(@exports.to_s if @exports.any?), *("--batches" if @amounts.batches?)]
        return if by.nil? || options.empty?

        raise UsageError, "#{by} keeps no record of each request, which #{options.join(' and ')} " \
                          "needs. Leave one of them out."
      end

      def asked
        @values.slice(:connections, :keep_alive, :threads, :count, :duration_s, :batches)
               .merge(arrivals: steps.map { |step| step.arrivals&.facts })
      end

      def steps
        @steps ||= @open_loop.steps(**@values.slice(:seed, :count, :duration_s))
      end

      # Result and recording; of what was sent until then after Ctrl-C. Beside them those of each
      # step, where there are several.
      def load(target, named)
        # Load may take every descriptor, and then no file of ours can be opened.
        LOADER.eager_load
        progress = progress(named)
        driver = driver(target)
        @epoch_real_ns = Clock.real_ns(driver.epoch_ns) unless @peer
        @login = Load::Login.new(driver, target.scenario).call if target.scenario&.login
        until_interrupted { driver.run(steps) { |live| progress.call(live) if live.completed } }
        results = driver.results
        raise Interrupt if results.empty?

        summary = driver.summary(0)
        @first_failed = driver.first_failed(0)&.summary
        [Load::Total.of(results, summary), summary, Load::Total.stages(results, summary)]
      ensure
        progress&.close
        driver&.close
      end

      def until_interrupted
        yield
      rescue Interrupt
        @interrupted = true
      end

      def driver(target)
        tool = @peer ? { name: @peer.tool } : {}
        context.driver.call(targets: [target], threads: @values[:threads],
                            seed: @values[:seed] || 0, capacity: CAPACITY, **tool,
                            **@open_loop.driver_options)
      end

      def target(**what)
        Load::Target.new(name: @server.to_s, **@server.to_h.except(:path),
                         **@values.slice(:connections, :keep_alive),
                         max_connections: @open_loop.max_connections,
                         timeout_s: TIMEOUT_S, **what)
      end

      # A tool holds no body against what it should be.
      def load_request(answer)
        return Load::Request.of(answer) unless @peer

        check = Load::Check.new(statuses: [answer.status])
        Load::Request.of(answer, check:)
      end

      def search(answers, target)
        empty_per_s = -> { headroom(target, answers.first.length.to_i) }
        finding = FindRate.new(context, limit: @limit, target:, values: @values, empty_per_s:,
                                        open_loop: @open_loop, quiet: @quiet)
        finding.call(answers, intent(named(answers))) do |document|
          screen = Report::Terminal::RateScreen
          answer("load", document) { screen.new(document, style: context.style(context.out)).to_s }
        end
      end

      def progress(named)
        live, style = context.live?(context.err), context.style(context.err)
        tell(intent(named))
        Report::Terminal::LoadProgress.new(context.err, live:, style:, quiet: @quiet)
      end

      def named(answers) = answers.map { |answer| answer.request.to_s }.uniq

      def intent(named)
        LoadIntent.new(@values, server: @server, open_loop: @open_loop, limit: @limit, peer: @peer)
                  .to_s(named)
      end
    end
  end
end
