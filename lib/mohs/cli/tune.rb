# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs tune --limit "p99 < 200ms"`: how many processes and threads serve the most requests of
    # the application within a limit, and what that is worth.
    class Tune < Measuring
      SUMMARY = "Finds processes and threads that serve the most within a limit."
      USAGE = 'mohs tune --limit "p99 < 200ms" [options]'
      ARGUMENTS = (0..0)

      EXAMPLES = <<~'TEXT'

        "p99 < 200ms": 99 of 100 requests, over all pages together, get their response
        within 200 ms.

        Settings (processes x threads) race: each is booted anew in every round, and
        those that serve fewer requests are dropped. For those that are left, and for
        your present setting (config/puma.rb, or puma:1x5), mohs searches for the
        highest rate within the limit. It then prints the lines for your server's
        configuration file. Of settings shown to be within 3 % of the fastest, the
        cheapest is recommended. All of it takes 10 minutes, or what --budget says. If
        your application serves no more than about 100 requests a second when it is
        busy, a p99 can't be counted in that time: the rates then follow from those
        with all threads busy, by the model of a queue, with wider intervals. With a
        limit on p90 and --budget 30m they are searched.

          mohs tune --limit "p99 < 200ms"                  the application here
          mohs tune --limit "p99 < 200ms" --get /products --budget 20m
          mohs tune --limit "p95 < 50ms" --memory 1GB      within 1 GB of memory
          mohs tune --limit "p99 < 200ms" --rate 300       the cheapest that serves 300
          mohs tune --limit "p99 < 200ms" --settings 1x3,1x5,2x3,2x5
          mohs tune --limit "p99 < 200ms" --variant 3.4.5 --variant "3.4.5 --yjit"
                                                           each setting with both
          mohs tune --limit "p99 < 200ms" --check          is the present setting
                                                           still among the best?

      TEXT
      private_constant :EXAMPLES

      # Options of other measurements that don't apply to a tuning, and what to do instead.
      OTHERS = {
        "--scenario" => "its clients decide when they send, so there is no rate to search for. " \
                        "Use --get, or --from-log",
        "--own-config" => "mohs tune measures the application's own file in any case",
        "--hold" => "mohs tune varies processes and threads. List them with --settings, and " \
                    "limit memory with --memory",
        **TypedParts::COUNTS.to_h do |option|
          [option, "list processes x threads: --settings 1x3,1x5,2x5"]
        end,
        "--rounds" => "mohs tune decides how many; limit its time with --budget",
        "--all" => "name each Ruby with --variant",
        "--baseline" => "settings are compared with the present one, on the first --variant",
      }.freeze
      private_constant :OTHERS

      # The help of --connections.
      CONNECTIONS = "connections of each server (default: enough to keep its threads busy)"
      private_constant :CONNECTIONS

      # "1:3,2*5"
      OTHER_SIGNS = /\A\d+[^\d,]+\d+(,\d+[^\d,]+\d+)*\z/
      private_constant :OTHER_SIGNS

      private

      def banner = "#{super}\n#{EXAMPLES}"

      def unknown(typed)
        option = typed[/\A[^=]+/]
        instead = OTHERS[option] || server_hint(option) or return super
        "unknown option #{option}: #{instead} (#{help_hint})"
      end

      # "--puma"
      def server_hint(option)
        name = option.delete_prefix("--")
        "name the server with --variant #{name}" if context.servers.names.include?(name)
      end

      def options(parser)
        @bases = []
        parser.about("subject") { limits(parser) }
        settings(parser)
        parser.about("output") { outcome(parser) }
        @measurement = MeasurementOptions.new(context, tell: method(:tell))
        @measurement.define(parser, variants: false, shapes: false, connections: CONNECTIONS)
        super
      end

      def limits(parser)
        parser.on('--limit "p99 < 200ms"', "a limit on p50 p90 p95 p99 p99.9 or mean response",
                  "time") do
          @limit = Load::Limit.parse(_1)
        end
        parser.on("--rate R", "find the cheapest setting that serves R requests a",
                  "second, not the fastest") { @rate = Mohs::Tune::Rules.rate(_1) }
        parser.on("--memory SIZE", "memory that the server may use: 512MB, 2GB") do |text|
          @memory_bytes = Study::Hold.bytes(text)
        end
        parser.on("--price CORE,GB", "price per hour of a core and of a gigabyte: 0.04,0.005") do
          @price = Mohs::Tune::Rules.price(_1)
        end
      end

      # Settings are what a tuning compares; each one on every variant.
      def settings(parser)
        parser.about("variants") do
          parser.on("--settings LIST", "processes x threads to try: 1x3,1x5,2x5") do |text|
            @shapes = shapes(text)
          end
        end
        parser.about("subject") do
          parser.on("--variant V", "combine each setting with this: \"3.4.5 --yjit\",",
                    "falcon, NAME=value (mohs help variants); repeatable") { |text| @bases << text }
        end
      end

      def outcome(parser)
        parser.on("--check", "exit with 10 if the present setting is no longer among the best,",
                  "11 if that is unknown") { @check = true }
        parser.on("--write FILE", "write the lines of the recommended setting to this new",
                  "file") do |text|
          @write = NewFile.new(File.expand_path(text, context.dir),
                               contents: Mohs::Tune::Document.method(:contents), typed: text,
                               tell: method(:tell))
        end
      end

      def shapes(text)
        listed = text.split(",").map { |one| Mohs::Servers::Base::NUMBERS.match(one.strip) }
        raise UsageError, "--settings #{text.inspect}: write processes x threads: " \
                          "#{likely(text)}" unless
          listed.any? && listed.all? { |numbers| numbers && numbers[:threads] }

        listed.map { |numbers| numbers.captures.map { |number| Integer(number, 10) } }.uniq
      end

      # The text with x between the numbers, if it was typed with other characters; else an example.
      def likely(text)
        text.match?(OTHER_SIGNS) ? text.gsub(/[^\d,]+/, "x") : "1x5,2x5"
      end

      def look_around = detect_rubies

      def declaration
        raise UsageError, "a limit is missing: mohs tune --limit \"p99 < 200ms\"" unless @limit

        given = @measurement.declaration
        @write&.verify
        app = given.fetch(:app, context.dir)
        settings = settings_of(app, given)
        settings.remarks.each { |code, values| tell(Report::Render.text(code, **values)) }
        { app:, **given, baseline: settings.notations.first.label,
          variants: settings.notations.map { |notation| [nil, notation] },
          tuning: Mohs::Tune::Rules.new(limit: @limit, memory_bytes: @memory_bytes, price: @price,
                                        left_out: settings.left_out, cgroup: settings.cgroup,
                                        wanted_per_s: @rate, check: @check == true,
                                        write: @write&.path) }
      end

      def settings_of(app, given)
        cores = Mohs::Tune::Planner.server_cores(given[:cores])
        Mohs::Tune::Settings.new(app:, bases: @bases, shapes: @shapes, cores:,
                                 servers: context.servers, allowance: context.doctor.allowance)
      end

      # Called once the table is printed.
      def status(document, signals)
        @write&.write(document)
        super
      end
    end
  end
end
