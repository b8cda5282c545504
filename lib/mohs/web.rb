# frozen_string_literal: true

require "puma"
require "puma/server"
require "securerandom"
require "stringio"

module Mohs
  # The dashboard (docs/web.md): what the store has, as pages for a browser. Results supplies the
  # documents that pages show, Views are their elements, App routes addresses, Streams follow runs
  # under way. This class serves the App on Puma, in this process, until it is stopped.
  class Web
    # MOHS on the keys of a telephone.
    PORT = 6647
    BIND = "127.0.0.1"
    # Pages and streams that are served at the same time.
    THREADS = Streams::MOST + 8
    # Time for pages that are still being made when the server is stopped.
    GRACE_S = 0.5
    # Fewest characters of a token that a user chooses: a shorter token could be guessed.
    LEAST_TOKEN = 16

    # A token that nobody can guess.
    #: () -> String
    def self.random_token = SecureRandom.urlsafe_base64(24)

    # The port, and the token that is required (nil: none).
    attr_reader :port, :token

    # bind: an address; an address that other machines can reach needs a token, which is made up
    # unless given. log: receives a line for each fault of mohs itself (default: discarded).
    #: (Web::Results, ?bind: String, ?port: Integer, ?token: String?, ?log: untyped) -> void
    def initialize(results, bind: BIND, port: PORT, token: nil, log: StringIO.new)
      raise UsageError, "--token: at least #{LEAST_TOKEN} characters, or leave it out with " \
                        "another --bind and one is made up." if token && token.size < LEAST_TOKEN

      @results = results
      @bind = bind
      @port = port
      @token = token || (self.class.random_token unless private?)
      @log = log
      @streams = Streams.new
    end

    # Whether only this machine can reach the server.
    #: () -> bool
    def private? = Loopback.host?(@bind)

    # The address for a browser, with the token.
    #: () -> String
    def url
      host = { "0.0.0.0" => "localhost", "::" => "localhost" }.fetch(@bind, @bind)
      "http://#{HostName.at(host, @port)}/#{"?token=#{@token}" if @token}"
    end

    # Listens, and responds in threads of its own. Raises EnvironmentError if it can't listen on the
    # port, UsageError if this machine doesn't have the address.
    #: () -> Web
    def start
      server = ::Puma::Server.new(nil, nil, options)
      @port = listen(server)
      server.app = App.of(results: @results, streams: @streams, port: @port, token: @token,
                          bind: @bind, log: @log)
      @thread = server.run(true, thread_name: "web")
      @server = server
      @warming = Thread.new { @results.warm }
      self
    end

    # Waits until the server is stopped, as by a signal.
    #: () -> void
    def wait = @thread.join

    # Ends all streams and pages, within a second.
    #: () -> void
    def stop
      @streams.stop
      @server&.stop(true)
      @warming&.kill
    end

    private

    # A page that fails has its own message; Puma would only print messages about broken requests.
    def options
      { min_threads: 1, max_threads: THREADS, force_shutdown_after: GRACE_S, environment: "none",
        log_writer: ::Puma::LogWriter.null, persistent_timeout: 20, first_data_timeout: 10,
        http_content_length_limit: App::LONGEST_FORM }
    end

    def listen(server)
      server.add_tcp_listener(HostName.bare(@bind), @port)
      server.connected_ports.first
    rescue Errno::EADDRINUSE
      raise EnvironmentError, "port #{@port} of #{@bind} is in use, perhaps by another mohs web. " \
                              "Choose another: mohs web --port #{@port + 1} (or 0: any free one)."
    rescue Errno::EACCES
      raise EnvironmentError, "port #{@port} is reserved for root. Choose one from 1024 on: " \
                              "mohs web --port #{PORT}"
    rescue Errno::EADDRNOTAVAIL, SocketError => error
      raise UsageError, "--bind #{@bind}: this machine has no such address (#{error.message})."
    end
  end
end
