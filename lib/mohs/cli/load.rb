# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs load URL`: the load driver alone, against a server that already runs.
    class Load < Base
      SUMMARY = "Loads a server that already runs on this machine, and says how it answers."
      USAGE = "mohs load URL [options]"
      ARGUMENTS = (1..1)

      # As wrk has them, so that nobody has to learn new letters.
      DEFAULTS = { connections: 10, threads: 1, duration_s: 10 }.freeze
      TIMEOUT_S = 30
      INTERRUPTED = 130
      # Records to have room for before load starts: more are taken as they come.
      CAPACITY = 500_000
      # Requests of a mix that are named.
      NAMED = 4
      OTHERS = (Drivers.names - %w[native mock]).freeze

      private

      def options(parser)
        @values = {}
        @requests = RequestOptions.new(context, tell: method(:tell))
        number(parser, :connections, "-c", "--connections N", "kept busy (10)")
        number(parser, :threads, "-t", "--threads N", "of the driver (1)")
        parser.on("-d", "--duration TIME", "10s, 2m (10s)") do |text|
          @values[:duration_s] = Study::Duration.parse(text)
        end
        number(parser, :count, "-n", "--requests N", "exactly so many, however long")
        number(parser, :seed, "--seed N", "of the mix of requests, and of --poisson", least: 0)
        open_loop(parser)
        parser.on("--driver NAME", "another tool loads: #{OTHERS.join(', ')}") do |name|
          @peer = peer(name)
        end
        parser.on("--i-own HOST", "load that host, which is yours, not this machine") do |host|
          @own = host
        end
        @requests.define(parser)
        @exports = ExportOptions.new(context)
        @exports.define(parser)
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      def open_loop(parser)
        parser.on("--rate N", "so many requests a second, whatever the answers take") do |text|
          @values[:rate_per_s] = rate(text)
        end
        parser.on("--poisson", "at random moments, as of independent clients") { @poisson = true }
      end

      def number(parser, key, *option, least: 1)
        parser.on(*option) do |text|
          @values[key] = WholeNumber.parse(text, option: option.first.split.first, least:)
        end
      end

      # The class of that driver; nil for our own.
      def peer(name)
        raise UsageError, "mock makes no load: it is for tests." if name == "mock"

        Drivers.fetch(name).then { |member| member unless name == "native" }
      end

      def rate(text)
        number = Float(text, exception: false)
        return number if number&.positive? && number.finite?

        raise UsageError, "--rate #{text}: a number of requests a second is needed, above 0"
      end

      def execute
        check_values
        @exports.open(json: json?) do
          @server = LoadTarget.parse(arguments.first, own: @own)
          answers = learn
          step, told = load(answers)
          @peer ? tell_peer(step, told, answers) : tell_account(account(step, told, answers))
        end
      end

      def learn
        requests = @requests.to_a(path: @server.path)
        server = @server.to_h.slice(:host, :port, :unix).compact
        @learner = App::Answers.new(App::Asker.new(**server))
        @learner.learn(requests).tap { tell(@learner.left_out_told) }
      end

      # Of logs, what was taken and what was left out.
      def traffic
        return unless @requests.mix

        refused = @learner.left_out.map do |request, reason|
          { request: request.to_s, weight: request.weight, reason: }
        end
        { **@requests.mix.document, refused: }
      end

      def tell_peer(step, told, answers)
        show(Report::PeerModel.new(step, told, driver: @peer, answers:, asked:, traffic:).document)
      end

      # The table first: it is there, whatever becomes of the files.
      def tell_account(account)
        show(account.document).tap { @exports.write_load(account, quiet: @quiet) }
      end

      def show(document)
        print_load(document, @exports.table_out)
        status(document)
      end

      def account(step, recording, answers)
        Exporters::Account.new(
          server: @server.to_s, asked: asked.merge(@values.slice(:seed)), answers:, step:, traffic:,
          recording:, epoch_real_ns: @epoch_real_ns, argv: Secrets.mask_argv(["load", *@argv]),
          host: Probes::Host.fingerprint, versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION },
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
        raise UsageError, "-n and -d exclude each other: a number of requests or a time." \
          if @values.key?(:count) && @values.key?(:duration_s)

        raise UsageError, "--poisson needs --rate N: how many requests a second." \
          if @poisson && !@values.key?(:rate_per_s)

        raise UsageError, "#{@peer.tool} keeps no record of each request, which #{@exports} " \
                          "needs. Leave out --driver." if @peer && @exports.any?

        @values = DEFAULTS.merge(@values)
        return if @values[:threads] <= @values[:connections]

        raise UsageError, "#{@values[:threads]} threads have nothing to do with " \
                          "#{@values[:connections]} connections."
      end

      def asked
        @values.slice(:connections, :threads, :count, :duration_s, :rate_per_s)
               .merge(arrivals: arrivals&.kind)
      end

      # [StepResult, Load::Recording]; of what was sent until then after Ctrl-C.
      def load(answers)
        # Load may take every descriptor, and then no file of ours can be opened.
        LOADER.eager_load
        progress = progress(answers)
        driver = driver(answers)
        @epoch_real_ns = Clock.real_ns(driver.epoch_ns) unless @peer
        until_interrupted { driver.run([step]) { |live| progress.call(live) if live.completed } }
        [driver.results.first || raise(Interrupt), driver.told(0)]
      ensure
        progress&.close
        driver&.close
      end

      def until_interrupted
        yield
      rescue Interrupt
        @interrupted = true
      end

      def driver(answers)
        named = @peer ? { name: @peer.tool } : {}
        context.driver.call(targets: [target(answers)], threads: @values[:threads],
                            seed: @values[:seed] || 0, capacity: CAPACITY, **named)
      end

      def target(answers)
        Mohs::Load::Target.new(name: @server.to_s, **@server.to_h.except(:path),
                               connections: @values[:connections], keep_alive: :on,
                               requests: answers.map { |answer| load_request(answer) },
                               timeout_s: TIMEOUT_S)
      end

      # A tool holds no body against what it should be.
      def load_request(answer)
        request = answer.load_request
        return request unless @peer

        check = Mohs::Load::Check.new(statuses: request.check.statuses)
        Mohs::Load::Request.new(**request.to_h, check:)
      end

      def step
        return Mohs::Load::Step.new(count: @values[:count], arrivals:) if @values[:count]

        Mohs::Load::Step.new(duration_ns: (@values[:duration_s] * 1e9).round, arrivals:)
      end

      # nil: a closed loop.
      def arrivals
        return unless @values[:rate_per_s]

        Mohs::Load::Arrivals.new(kind: @poisson ? :poisson : :constant,
                                 rate_per_s: @values[:rate_per_s], seed: @values[:seed] || 0)
      end

      def progress(answers)
        live, style = context.live?(context.err), context.style(context.err)
        tell(intent(answers))
        Report::Terminal::LoadProgress.new(context.err, live:, style:, quiet: @quiet)
      end

      def intent(answers)
        requests = named(answers.map { |answer| answer.request.to_s }.uniq)
        length = @values[:count] ? "#{@values[:count]} requests" : Report::Terminal::Numbers.duration(@values[:duration_s])
        ["#{requests} at #{@server} · #{loop_named}", "#{@values[:connections]} connections",
         length, *("by #{@peer.tool}" if @peer)].join(", ")
      end

      def named(requests)
        more = requests.size - NAMED
        return requests.join(", ") unless more > 1

        "#{requests.first(NAMED).join(', ')} and #{more} more"
      end

      def loop_named
        return "closed loop" unless arrivals

        "open loop, #{Report::Terminal::LoadScreen.rate(@values[:rate_per_s], arrivals.kind)}"
      end
    end
  end
end
