# frozen_string_literal: true

require "etc"
require "json"
require_relative "../lines_ledger"
require_relative "server"

module Mohs
  # One row of the table: a server under a number of connections. Server and driver share the
  # machine's cores, as for a user.
  class AgreementRow
    # Seconds of each load, and of long ones: of pages so slow that those in progress at the end
    # would count, and of so many connections that wrk's rate would have the time in which they are
    # opened (puma-8 1x5, cpu/1, 256 connections: 820.9/s in 3 s, 846.4 in 12 s).
    SECONDS = 3
    SECONDS_OF_A_LONG = 10
    SLOW_MS = 50
    MANY = 100

    # cpu_ms: of a page, waits left out. wait_ms: its wait.
    Page = Struct.new(:path, :wait_ms, :cpu_ms)
    PAGES = [Page.new("/cpu/0.05", 0, 0.05), Page.new("/cpu/1", 0, 1), Page.new("/cpu/15", 0, 15),
             Page.new("/cpu/60", 0, 60), Page.new("/wait/10/5", 10, 5)].freeze
    PUMAS = %w[puma:1x1 puma:1x5 puma:2x1 puma:2x5].freeze
    SERVERS = { "puma-6" => PUMAS, "puma-8" => PUMAS,
                "others" => %w[falcon:1 falcon:2 unicorn:1 unicorn:2 webrick] }.freeze
    CONNECTIONS = [1, 4, 16, 64, 256].freeze
    CONNECTIONS_A_PROCESS = 8

    # Share of the cores' time. The kernel's own work for loopback is part of it.
    MOST_FOREIGN = 0.1

    # The definition of a rate that measures now (docs/method.md, The rate of a slice): a number
    # that grows with each change of what counts. Lines of the ledgers without one are of the first.
    #   1  edges as 3x^2 - 2x^3, of a mean service time in `mohs load`
    #   2  five bunches in each slice and two in each edge, also in `mohs load`
    #   3  edges as 2x^2, after a quarter of one that doesn't count
    #   4  all responses of a slice in which the server computed until the last one
    #   5  by the CPU time of requests where the server computed most of the time (until
    #      2026-11-29 each slice decided that for itself: no other rate on a quiet host)
    DEFINITION = 5

    #: () -> Array[AgreementRow]
    def self.all
      SERVERS.flat_map do |app, notations|
        notations.product(PAGES, CONNECTIONS).map do |notation, page, connections|
          new(app:, notation:, page:, connections:)
        end
      end
    end

    # The document of a command of mohs.
    #: (*String) -> Hash[String, untyped]
    def self.mohs(*arguments)
      JSON.parse(capture(File.join(Mohs.root, "bin/mohs"), *arguments, "--json"))
    end

    #: (*String) -> String
    def self.capture(*argv)
      Process::Capture.call(Process::Command.new(argv:), timeout_s: 600).stdout
    end

    # What a ledger keeps of when and by which mohs a line was measured.
    #: () -> Hash[Symbol, untyped]
    def self.origin = { **LinesLedger.origin, definition: DEFINITION }

    # What the block returns, with the share of the cores' time that other processes took; nil if
    # that is more than MOST_FOREIGN. A neighbour on one core halved the rates of some loads of a
    # row and not those of others: such a row says nothing of the tools.
    #: [T] () { () -> Hash[Symbol, T] } -> Hash[Symbol, T | Float]?
    def self.alone
      load = Probes::ForeignLoad.new
      found = yield
      foreign = load.call.fetch(:foreign_cpu_share)
      return { **found, foreign: } if foreign <= MOST_FOREIGN

      puts format("not kept: other processes took %.0f %% of the CPU", foreign * 100)
    end

    # The definition that a line of a ledger was measured by.
    #: (Hash[String, untyped]) -> Integer
    def self.definition(line) = line.fetch("definition", 1)

    attr_reader :app, :notation, :page, :connections

    #: (app: String, notation: String, connections: Integer, page: Page) -> void
    def initialize(app:, notation:, connections:, page:)
      @app = app
      @notation = notation
      @connections = connections
      @page = page
    end

    #: () -> String
    def to_s = "#{@app} #{@notation} #{@page.path.delete_prefix('/')} c#{@connections}"

    #: () -> String
    def folder = File.join(__dir__, @app)

    # Requests per second: by wrk and `mohs load` on one server, by `mohs run`, which boots its own
    # (nil: none given), and by arithmetic. `mohs run` comes between two pairs of the others, in
    # mirrored order: a host whose speed changes evenly favours none of them.
    #: () -> Hash[Symbol, untyped]
    def rates
      with_server do |server|
        wrk, load = [wrk(server.url)], [load(server.url)]
        run = run_rate
        load << load(server.url)
        wrk << wrk(server.url)
        { wrk:, load:, run:, arithmetic: arithmetic(server.slots) }
      end
    end

    # Yields its server; it has ended when this returns.
    #: [R] () { (AgreementServer) -> R } -> R
    def with_server(&)
      AgreementServer.with(app: @app, notation: @notation, path: @page.path,
                           connections: @connections, &)
    end

    # The cores that its processes can use / the CPU time of a request; fewer if it works on too few
    # requests at a time. slots: how many it works on; nil: on all of its connections. A thread
    # computes on one core at a time, and threads that wait let others compute.
    #: (Integer?) -> Float
    def arithmetic(slots)
      cores = [processes, Etc.nprocessors, @connections].min
      at_a_time = [slots, @connections].compact.min
      [cores * 1000.0 / @page.cpu_ms, at_a_time * 1000.0 / (@page.wait_ms + @page.cpu_ms)].min
    end

    #: () -> Integer
    def processes = [@notation[/\d+/].to_i, 1].max

    # May chance leave one of its processes without connections, and differently under each tool?
    #: () -> bool
    def may_starve? = processes > 1 && @connections < CONNECTIONS_A_PROCESS * processes

    # By wrk, from a server that runs.
    #: (String, ?Numeric) -> Float
    def wrk(url, seconds = self.seconds)
      output = self.class.capture("wrk", "-t1", "-c#{@connections}", "-d#{seconds}s", "--timeout",
                                  "60s", url)
      output[%r{Requests/sec: +([\d.]+)}, 1].to_f
    end

    #: () -> Integer
    def seconds
      @page.cpu_ms > SLOW_MS || @connections > MANY ? SECONDS_OF_A_LONG : SECONDS
    end

    private

    def load(url)
      self.class.mohs("load", url, "-c", @connections.to_s, "-d", "#{seconds}s")["rate_per_s"]
    end

    def run_rate
      document = self.class.mohs("run", "--app", folder, "--get", @page.path, "--variant",
                                 @notation, "--connections", @connections.to_s, "--rounds", "1",
                                 "--cores", Etc.nprocessors.to_s)
      document.fetch("rows").first.dig("throughput_per_s", "value")
    end
  end
end
