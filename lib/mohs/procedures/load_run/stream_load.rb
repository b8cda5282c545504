# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load of event streams or WebSockets on a running server. Nothing is learned beforehand: the
    # response has no end that could be waited for. Progress goes to `on_event`, as that of LoadRun:
    # :begin, and :live with a Load::Streams::Live.
    class StreamLoad
      # declared: with one request and `open_per_s`.
      #: (LoadRun::Declaration, ?on_event: ^(Symbol, Hash[Symbol, untyped]) -> void) -> void
      def initialize(declared, on_event: ->(*) {})
        @declared = declared
        @on_event = on_event
        @redact = Secrets::Redaction.new(declared.secrets)
        @interrupted = false
      end

      # Whether a signal ended it (CLI::StopSignals). Then the result covers what was done until
      # then.
      #: () -> bool
      def interrupted? = @interrupted

      # The document of docs/json.md, `load --stream`. Raises EnvironmentError if this machine can't
      # make the load.
      #: () -> Hash[Symbol, untyped]
      def call
        LoadRun.make_room(@declared)
        @on_event.call(:begin, { requests: [request.to_s], left_out: nil, ports: nil })
        streams = prepared
        run(streams)
        StreamDocument.new(streams.result, declared: @declared, redact: @redact).document
      end

      # What came of it, without a document. drain_s: seconds to wait for messages to come back. A
      # signal is the caller's to handle.
      #: (?drain_s: Numeric) -> Load::Streams::Result
      def load(drain_s: Load::Streams::DRAIN_S)
        LoadRun.make_room(@declared)
        streams = prepared(drain_s:)
        streams.run { |live| @on_event.call(:live, { live: }) }
        streams.result
      end

      private

      def prepared(**options)
        streams = Load::Streams.new(target, open_per_s: @declared.open_per_s,
                                            duration_s: @declared.duration_s,
                                            cpu: @declared.cpus&.first,
                                            websocket: @declared.websocket == true,
                                            cable: @declared.cable,
                                            fan_out: @declared.fan_out == true, publish: post,
                                            messages: @declared.arrivals.first,
                                            storm: @declared.storm, seed: @declared.seed,
                                            **options)
        # Load may take every descriptor, and then no file of mohs can be opened.
        LOADER.eager_load
        streams
      end

      def request = @declared.requests.first

      def post
        App::Publication.post(request, @declared.publish) if @declared.publish
      end

      def target
        server = @declared.server
        bare = Load::Target.new(name: server.to_s, **server.place, owned: server.owned,
                                **@declared.to_h.slice(:connections, :source_addresses),
                                timeout_s: TIMEOUT_S, requests: [])
        more = @declared.cable&.headers(Load::Address.host_header(bare)).to_h
        asked = Load::Streams.request(request, websocket: @declared.websocket == true, more:)
        Load::Target.new(**bare.to_h, requests: [asked])
      end

      def run(streams)
        streams.run { |live| @on_event.call(:live, { live: }) }
      rescue SignalException
        @interrupted = true
      end
    end
  end
end
