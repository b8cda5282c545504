# frozen_string_literal: true

module Mohs
  class CLI
    # The options of `mohs load` for event streams and WebSockets, and what they exclude.
    class StreamOptions
      # Amounts of a load that mean nothing here.
      EXCLUDED = { count: "-n", batches: "--batches", keep_alive: "--close",
                   threads: "-t" }.freeze
      DEFAULTS = LoadAmounts::DEFAULTS.slice(:connections, :duration_s).freeze
      # The same of a search for a number of connections.
      SEARCH = { connections: LoadRun::ConnectionSearch::FIRST,
                 duration_s: LoadAmounts::SEARCH_S }.freeze
      # What helps if connections are not open in time.
      SOONER = "use a longer -d or a higher --open-rate"

      #: (OptionParser) -> void
      def define(parser)
        stream(parser)
        websocket(parser, "the same with WebSockets; with --rate: send N messages",
                  "per second, which the server has to echo")
        channel(parser, "with --cable and --rate: the channel's action that sends",
                "back what it gets (#{Http::Cable::ACTION})")
        fan_out(parser)
        publish(parser)
        drop(parser)
        find_connections(parser)
        open_rate(parser, "with these: open N connections per second", "(all within 1s)")
      end

      # The options of a measurement, whose slices hold the connections (Study::Streams). rated:
      # whether --rate without them is that of requests (#requests_per_s).
      #: (CLI::Options, ?rated: bool) -> void
      def define_slices(parser, rated: false)
        @rated = rated
        stream(parser)
        websocket(parser, "the same with WebSockets; messages are sent, which the",
                  "server has to echo")
        channel(parser, "with --cable: the channel's action that is called with each",
                "message (#{Http::Cable::ACTION}), if there is a --rate")
        fan_out(parser)
        publish(parser)
        messages(parser)
        open_rate(parser, "with these: open N connections per second",
                  "(all within #{(100 * Load::Streams::OPEN_WITHIN).round} % of a slice)")
        parser.on("--slice TIME", "with these: hold the connections of each slice for this",
                  "long (#{Study::Streams::SLICE_S.round}s)") do |text|
          @slice_s = Study::Duration.parse(text)
        end
      end

      #: () -> bool
      def given? = !@names.nil?

      #: () -> bool
      def websocket? = @names != ["--stream"]

      # Whether messages may be sent.
      #: () -> bool
      def messages? = websocket? || !@publish.nil?

      # Of --find-connections, or nil.
      #: () -> LoadRun::ConnectionLimit?
      attr_reader :limit

      # "--stream", "--websocket" or "--cable".
      #: () -> String
      def to_s = @names.last

      # The path to request if the user has named none.
      #: (String) -> String
      def path(given) = @channel && given == "/" ? Http::Cable::PATH : given

      # What a measurement declares; nil without --stream, --websocket and --cable. Raises
      # UsageError for an option that only these have.
      #: () -> Study::Streams?
      def declaration
        check_absence unless given?
        return unless given?

        check_names(messages: messages? && !@messages_per_s&.zero?)
        raise UsageError, "--rate is for --websocket and --publish." if
          @messages_per_s && !messages?

        protocol = websocket? ? Study::Streams::WEBSOCKET : Study::Streams::SSE
        Study::Streams.new(protocol:, **{ open_per_s: @open_per_s, slice_s: @slice_s,
                                          messages_per_s: @messages_per_s, channel: @channel,
                                          action: @action, fan_out: @fan_out,
                                          publish: @publish }.compact)
      end

      # Requests that fall due per second in place of messages; nil without. Raises UsageError.
      #: () -> Integer?
      def requests_per_s
        Study::Notation.load("rate", @rate) if @rate && @rated && !given?
      end

      # Raises UsageError for an option that only streams have.
      #: () -> void
      def check_absence
        { "--rate is for --websocket and --publish; a variant takes rate=N (mohs help variants)" =>
            (@messages_per_s unless @rated),
          "--open-rate is for --stream and --websocket" => @open_per_s,
          "--slice is for --stream and --websocket" => @slice_s,
          "--action is for --cable" => @action,
          "--fan-out is for --websocket and --stream" => @fan_out,
          "--publish is for --stream" => @publish,
          "--drop is for --stream and --websocket" => @drop,
          "--find-connections is for --stream and --websocket" => @limit }
          .each { |message, given| raise UsageError, "#{message}." if given }
      end

      # Members of a LoadRun::Declaration. others: options in use that exclude streams. Raises
      # UsageError for options that make no sense with them.
      #: (CLI::LoadAmounts, requests: CLI::RequestOptions, open_loop: CLI::OpenLoop, others: Array[String]) -> Hash[Symbol, untyped]
      def complete(amounts, requests:, open_loop:, others:)
        asked = amounts.asked
        check_names(messages: messages? && open_loop.any?)

        excluded = [*others, *EXCLUDED.slice(*asked.keys).values, *rates(open_loop)]
        excluded << "--from-log" if requests.mix
        raise UsageError, "#{self} excludes #{excluded.join(', ')}." if excluded.any?

        values = (@limit ? SEARCH : DEFAULTS).merge(asked)
        open_loop.verify(values, finding: false)
        { **values, **(@limit ? search(values, open_loop) : held(values, open_loop)),
          websocket: websocket?, cable:, fan_out: @fan_out || (true if @publish),
          publish: @publish }
      end

      # Raises UsageError unless it is one request that can open a stream.
      #: (Array[App::Request]) -> void
      def check_requests(requests)
        raise UsageError, "#{self} takes one request." unless requests.one?
        raise UsageError, "#{self} excludes --expect: its response has no end." if
          requests.first.expect

        Study::Streams.check_upgrade(requests.first, name: to_s) if websocket?
        App::Publication.post(requests.first, @publish) if @publish
      end

      private

      # Of a load of so many connections.
      def held(values, open_loop)
        open_per_s = @open_per_s || Load::Streams.open_per_s(**values.slice(*DEFAULTS.keys))
        check_time(values, open_per_s) if open_loop.any?
        { open_per_s:, storm: storm(values, open_per_s) }
      end

      # Of a search for their number.
      def search(values, open_loop)
        raise UsageError, "--find-connections excludes --drop." if @drop
        raise UsageError, "--find-connections needs #{LoadAmounts::SHORTEST_SEARCH_S} s or more " \
                          "(-d)." if values[:duration_s] < LoadAmounts::SHORTEST_SEARCH_S

        what = @limit.what
        unless limits(open_loop).include?(what)
          raise UsageError, "\"#{@limit.title}\" is for #{LoadRun::ConnectionLimit::WHATS.fetch(what)}."
        end

        { open_per_s: @open_per_s, connection_limit: @limit }
      end

      # What such a load has.
      def limits(open_loop)
        return ["first-event", "opening"] unless messages?
        return ["opening"] unless open_loop.any?

        ["opening", @fan_out || @publish ? "fan-out" : "echo"]
      end

      def find_connections(parser)
        parser.on('--find-connections "fan-out p99 < 200ms"',
                  "with these: find how many connections keep this limit on the first event, " \
                  "opening, echo or fan-out") { |text| @limit = LoadRun::ConnectionLimit.parse(text) }
      end

      def stream(parser)
        parser.on("--stream", "keep the connections open and listen to the events",
                  "(text/event-stream) that the server sends") { @names = [*@names, "--stream"] }
      end

      def websocket(parser, *help)
        parser.on("--websocket", *help) { @names = [*@names, "--websocket"] }
      end

      def messages(parser)
        help = ["with --websocket or --publish: send N messages per second over",
                "all connections (default #{Study::Streams::MESSAGES_PER_S}; to all of " \
                "them #{Study::Streams::FANNED_PER_S}; none with --cable alone or 0)" \
                "#{';' if @rated}",
                *("without it, N requests fall due per second for A and for B" if @rated)]
        parser.on("--rate N", *help) do |text|
          @rate = text
          @messages_per_s = Float(text, exception: false)
          raise UsageError, "--rate #{text}: a number of #{'requests or ' if @rated}messages per " \
                            "second." unless @messages_per_s
        end
      end

      def channel(parser, *help)
        parser.on("--cable CHANNEL", "as --websocket; each joins this channel of ActionCable,",
                  "a name or JSON with its parameters") do |text|
          @names = [*@names, "--cable"]
          @channel = text
        end
        parser.on("--action NAME", *help) { |text| @action = text }
      end

      def fan_out(parser)
        parser.on("--fan-out", "with messages: the server has to send each to all connections;",
                  "times until half, 99 % and all have received it") { @fan_out = true }
      end

      def publish(parser)
        parser.on("--publish PATH", "with --stream: POST messages there (with --rate), each of",
                  "which the server has to send to all streams as an event") do |path|
          @publish = path
        end
      end

      def drop(parser)
        parser.on("--drop SHARE", "with these: halfway through, drop this share of the",
                  "connections at once, e.g. 20% (100%: all), and open them again") do |text|
          @drop = share(text)
        end
      end

      def storm(values, open_per_s)
        return unless @drop

        Load::Storm.within(@drop, **values.slice(:connections, :duration_s), open_per_s:) ||
          raise(UsageError, "--drop: at #{open_per_s}/s not all of the connections are open " \
                            "again before the load ends: #{SOONER}.")
      end

      # As typed: "20%".
      def share(text)
        number = Float(text[/\A\s*(.+?)\s*%\s*\z/, 1].to_s, exception: false)
        return number / 100 if number&.positive? && number <= 100

        raise UsageError, "--drop #{text}: use a share of the connections, above 0% and up to 100%."
      end

      # A channel needs a WebSocket in any case.
      def check_names(messages:)
        kinds = @names.uniq
        raise UsageError, "--stream and #{(kinds - ['--stream']).last} can't be combined." if
          kinds.size > 1 && kinds.include?("--stream")
        raise UsageError, "--action is for --cable." if @action && @channel.nil?

        check_fan_out(messages:)
      end

      def check_fan_out(messages:)
        raise UsageError, "--publish is for --stream: a WebSocket sends its messages itself " \
                          "(--fan-out)." if @publish && websocket?
        raise UsageError, "--fan-out with --stream needs the path that takes messages: " \
                          "--publish PATH." if @fan_out && !websocket? && @publish.nil?
        raise UsageError, "--publish is for messages: with --rate." if @publish && !messages
        raise UsageError, "--fan-out is for messages: --websocket or --cable, with --rate." if
          @fan_out && !messages
      end

      def cable = (Http::Cable.parse(@channel, action: @action) if @channel)

      def open_rate(parser, *help)
        parser.on("--open-rate N", *help) { |text| @open_per_s = rate(text) }
      end

      # Options of an open loop that don't go with it.
      def rates(open_loop)
        given = open_loop.declaration
        names = { max_connections: "--max-connections", spin: "--spin" }
        [*names.slice(*given.compact.keys).values, *("--times" if open_loop.times?),
         *("--rate" if open_loop.stages.any? && !messages?),
         *("several rates" if open_loop.stages.size > 1 && messages?)]
      end

      # Messages are sent when all connections had to be opened.
      def check_time(values, open_per_s)
        why = Study::Streams.unsent(**values.slice(:connections, :duration_s), open_per_s:)
        raise UsageError, "#{why}: #{SOONER}." if why
      end

      def rate(text)
        rate = Float(text, exception: false)
        return rate if rate&.positive? && rate.finite?

        raise UsageError, "--open-rate #{text}: a number of connections per second, above 0."
      end
    end
  end
end
