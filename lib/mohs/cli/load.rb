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

      private

      def options(parser)
        @values = {}
        @requests = RequestOptions.new(context)
        number(parser, :connections, "-c", "--connections N", "kept busy (10)")
        number(parser, :threads, "-t", "--threads N", "of the driver (1)")
        parser.on("-d", "--duration TIME", "10s, 2m (10s)") do |text|
          @values[:duration_s] = Study::Duration.parse(text)
        end
        number(parser, :count, "-n", "--requests N", "exactly so many, however long")
        number(parser, :seed, "--seed N", "of the mix of requests", least: 0)
        @requests.define(parser)
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      def number(parser, key, *option, least: 1)
        parser.on(*option) do |text|
          @values[key] = WholeNumber.parse(text, option: option.first.split.first, least:)
        end
      end

      def execute
        check_values
        @server = LoadTarget.parse(arguments.first)
        answers = App::Answers.learn(requests, **@server.to_h.slice(:host, :port, :unix).compact)
        document = Report::LoadModel.new(*load(answers), answers:, asked:).document
        answer("load", document) { Report::Terminal::LoadScreen.new(document, style: context.style(context.out)).to_s }
        status(document[:requests])
      end

      def status(requests)
        return INTERRUPTED if @interrupted

        requests[:good] == requests[:sent] ? 0 : 1
      end

      def check_values
        raise UsageError, "-n and -d exclude each other: a number of requests or a time." \
          if @values.key?(:count) && @values.key?(:duration_s)

        @values = DEFAULTS.merge(@values)
        return if @values[:threads] <= @values[:connections]

        raise UsageError, "#{@values[:threads]} threads have nothing to do with " \
                          "#{@values[:connections]} connections."
      end

      def requests = @requests.to_a(path: @server.path)

      def asked = @values.slice(:connections, :threads, :count, :duration_s)

      # [StepResult, Load::Recording]; of what was sent until then after Ctrl-C.
      def load(answers)
        progress = progress(answers)
        driver = driver(answers)
        until_interrupted { driver.run([step]) { |live| progress.call(live) } }
        [driver.results.first || raise(Interrupt), driver.recording(0)]
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
        context.driver.call(targets: [target(answers)], threads: @values[:threads],
                            seed: @values[:seed] || 0, capacity: CAPACITY)
      end

      def target(answers)
        Mohs::Load::Target.new(name: @server.to_s, **@server.to_h.slice(:host, :port, :unix),
                               connections: @values[:connections], keep_alive: :on,
                               requests: answers.map(&:load_request), timeout_s: TIMEOUT_S)
      end

      def step
        return Mohs::Load::Step.new(count: @values[:count]) if @values[:count]

        Mohs::Load::Step.new(duration_ns: (@values[:duration_s] * 1e9).round)
      end

      def progress(answers)
        live = !@quiet && context.live?(context.err)
        context.err.puts(intent(answers)) unless @quiet
        Report::Terminal::LoadProgress.new(context.err, live:, style: context.style(context.err))
      end

      def intent(answers)
        named = answers.map { |answer| answer.request.to_s }.uniq.join(", ")
        length = @values[:count] ? "#{@values[:count]} requests" : Report::Terminal::Numbers.duration(@values[:duration_s])
        "#{named} at #{@server} · closed loop, #{@values[:connections]} connections, #{length}"
      end
    end
  end
end
