# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs load URL`: the load driver alone, against a running server.
    class LoadCommand < Base
      SUMMARY = "Loads a server that runs here; reports rate, latency and errors."
      USAGE = "mohs load URL [options]"
      ARGUMENTS = (1..1)

      private

      def options(parser)
        @requests = RequestOptions.new(context, tell: method(:tell))
        @amounts, @open_loop = LoadAmounts.new, OpenLoop.new
        @scenario, @exports = ScenarioOption.new(context), ExportOptions.new(context)
        @streams, @slow = StreamOptions.new, SlowOptions.new
        @amounts.define(parser)
        parser.about("subject") { loading(parser) }
        parser.about("output") do
          @exports.define(parser)
          reports(parser)
          parser.on("--quiet", "no progress") { @quiet = true }
        end
      end

      def loading(parser)
        @open_loop.define(parser)
        find_rate(parser)
        @scenario.define(parser)
        @streams.define(parser)
        @slow.define(parser)
        parser.on("--driver NAME", others) { |name| @tool = tool(name) }
        parser.on("--unix PATH", "connect over this unix socket of the server") { @unix = _1 }
        parser.on("--i-own HOST", "allow load on this host, which is yours") { @own = _1 }
        @requests.define(parser)
      end

      def document_kind
        return stream_view::KIND if @streams.given?

        (@limit ? LoadRun::RateView : LoadRun::View)::KIND
      end

      def stream_view = @streams.limit ? LoadRun::ConnectionView : LoadRun::StreamView

      def find_rate(parser)
        parser.on('--find-rate "p99 < 50ms"',
                  "find the highest rate that meets this limit on p50 p90 p95 p99 p99.9 or mean " \
                  "of response times") do |text|
          @limit = Load::Limit.parse(text)
        end
      end

      def others = "let another tool load: #{(Drivers.names - %w[native mock]).join(', ')}"

      # The name of that driver; nil for mohs's own.
      def tool(name)
        raise UsageError, "mock sends nothing: it is for tests." if name == "mock"

        Drivers.fetch(name)
        name unless name == "native"
      end

      def execute
        check_tls
        @slow.check(beside_slow)
        @signals = StopSignals.new
        @signals.during { @streams.given? ? load_streams : load_requests }
      end

      def load_requests
        check_values
        tell_place if @tool
        @exports.open(document: !exporter.nil?) do
          declared = declaration(LoadRun::Server.parse(arguments.first, own: @own, unix: @unix))
          run = LoadRun.new(declared, driver: context.driver,
                                      on_event: ->(name, facts) { follow(declared, name, facts) })
          result = wiping_progress { run.call }
          status = @limit ? show_rate(result, declared.server) : show(result)
          run.interrupted? ? @signals.status : status
        end
      end

      def load_streams
        @values = @streams.complete(@amounts, requests: @requests, open_loop: @open_loop,
                                               others: excluded)
        declared = declaration(LoadRun::Server.parse(arguments.first, own: @own, unix: @unix))
        @streams.check_requests(declared.requests)
        return find_connections(declared) if @streams.limit

        run = LoadRun::StreamLoad.new(declared, on_event: lambda do |name, facts|
          follow(declared, name, facts)
        end)
        document = wiping_progress { run.call }
        print_load(document, context.out)
        return @signals.status if run.interrupted?

        STATUSES.fetch(LoadRun::StreamDocument.outcome(document))
      end

      def find_connections(declared)
        follow(declared, :begin, { requests: declared.requests.map(&:to_s), left_out: nil,
                                   ports: nil })
        finder = LoadRun::ConnectionFinder.new(
          declared, most: LoadRun.most_connections(declared), on_event: @progress.method(:call)
        )
        result = wiping_progress { finder.call }
        document = LoadRun::ConnectionDocument.new(result, declared:).document
        print_load(document, context.out)
        return @signals.status if finder.interrupted?

        STATUSES.fetch(LoadRun::ConnectionDocument.outcome(document))
      end

      # Options in use that make no sense with streams, nor beside slow clients.
      def excluded
        { "--driver" => @tool, "--find-rate" => @limit, "--scenario" => @scenario.given?,
          @exports.to_s => @exports.any? }
          .select { |_, given| given }.keys
      end

      # Ordinary requests by our own driver go over TLS, nothing else.
      def check_tls
        return unless arguments.first.match?(%r{\Ahttps://}i)

        plain = [*("--driver #{@tool}" if @tool), *(@streams.to_s if @streams.given?),
                 *(@slow.to_s if @slow.given?)]
        raise UsageError, "#{plain.first} needs http://: only the requests of an ordinary load " \
                          "go over TLS." if plain.any?
      end

      # Two loads are compared, each of so many seconds.
      def beside_slow
        fixed = LoadAmounts::LENGTHS.slice(:count, :batches).slice(*@amounts.asked.keys).values
        streams = @streams.to_s if @streams.given?
        [*excluded, *fixed, *("--times" if @open_loop.times?), *streams]
      end

      def check_values
        @streams.check_absence
        check_records
        both = (@exports.paths & @reports.paths).first
        raise UsageError, "#{@exports} and --report can't both write #{both}." if both
        raise UsageError, "--find-rate needs the driver of mohs: leave out --driver." if
          @limit && @tool

        @scenario.check(requests: @requests, peer: @tool, limit: @limit, open_loop: @open_loop,
                        batches: @amounts.batches?)
        @values = @slow.complete(@amounts.complete(open_loop: @open_loop, limit: @limit))
      end

      # A driver that does not record each request has nothing to write, and no batches.
      def check_records
        by = @tool || ("--find-rate" if @limit)
        options = [*(@exports.to_s if @exports.any?), *("--batches" if @amounts.batches?)]
        return if by.nil? || options.empty?

        raise UsageError, "#{by} does not record each request, which #{options.join(' and ')} " \
                          "needs. Leave one of them out."
      end

      def declaration(server)
        scenario = @scenario.load(server) if @scenario.given?
        requests = @requests.to_a(path: @streams.path(server.path)) unless scenario
        @slow.check_requests(requests) if @slow.given?
        LoadRun::Declaration.new(
          server:, scenario:, tool: @tool, limit: @limit, **@values, **@open_loop.declaration,
          scenario_file: (@scenario.file if scenario), requests:, mix: @requests.mix,
          arrivals: @open_loop.arrivals(@values.fetch(:seed, 0)),
          argv: Secrets.mask_argv(["load", *@argv]), invocation:
        )
      end

      def follow(declared, name, facts)
        return beside_slow_clients if name == :slow
        return @progress.call(name, facts) unless name == :begin

        left_out = facts[:left_out] && Report::Render.call(facts[:left_out])
        tell([*left_out, *facts[:ports], LoadRun::Intent.new(declared).to_s(facts[:requests])])
        @progress = progress
      end

      def beside_slow_clients
        @progress.close
        tell(Report::Render.text("load_again"))
        @progress = progress
      end

      def progress
        return Report::Terminal::NullProgress.new if @quiet

        live, style = context.live?(context.err), context.style(context.err)
        return stream_progress(live, style) if @streams.given?
        return LoadRun::Progress.new(context.err, live:, style:) unless @limit

        LoadRun::RateProgress.new(context.err, live:, style:, limit: @limit)
      end

      def stream_progress(live, style)
        limit = @streams.limit
        return LoadRun::ConnectionProgress.new(context.err, live:, style:, limit:) if limit

        kind = @streams.websocket? ? "messages" : "events"
        LoadRun::StreamProgress.new(context.err, live:, style:, kind:)
      end

      def wiping_progress
        yield
      ensure
        @progress&.close
      end

      # Prints the table first, so that it is there even if writing a file fails.
      def show(result)
        @result = result
        document = LoadRun::Document.document(result)
        print_load(document, @exports.table_out)
        @exports.write_load(result, quiet: @quiet)
        STATUSES.fetch(LoadRun::Document.outcome(document))
      end

      # A search for a rate has no recordings, so it has no curves.
      def with_curves(document)
        @result ? LoadRun::Curves.added(document, @result) : document
      end

      def show_rate(result, server)
        document = LoadRun::RateDocument.new(result, server: server.to_s, invocation:).document
        answer("load", document) { |whole| screen.call(whole) }
        STATUSES.fetch(LoadRun::RateDocument.outcome(document))
      end
    end
  end
end
