# frozen_string_literal: true

# Are rates true while requests wait? For each server, page and number of connections: the rate by
# wrk and by `mohs load`, in alternation on one server, by `mohs run`, which boots its own, and by
# arithmetic: the cores that its processes can use / the CPU time of a request. Pages and servers
# are those of this folder; driver and server share the machine's cores, as for a user.
#
#     ruby benchmark/agreement/table.rb [words]
#
# words: of the rows wanted, such as puma-6 puma:2x1 cpu/15,cpu/1 (of words between commas one is
# enough).

require "etc"
require "json"
require_relative "server"

module Mohs
  # One row: a server under a number of connections.
  class AgreementRow
    SECONDS = 5
    PAIRS = 2

    # cpu_ms: of a page, waits left out. wait_ms: its wait.
    Page = Struct.new(:path, :wait_ms, :cpu_ms)
    PAGES = [Page.new("/cpu/0.05", 0, 0.05), Page.new("/cpu/1", 0, 1), Page.new("/cpu/15", 0, 15),
             Page.new("/cpu/60", 0, 60), Page.new("/wait/10/5", 10, 5)].freeze
    PUMAS = %w[puma:1x1 puma:1x5 puma:2x1 puma:2x5].freeze
    SERVERS = { "puma-6" => PUMAS, "puma-8" => PUMAS,
                "others" => %w[falcon:1 falcon:2 unicorn:1 unicorn:2 webrick] }.freeze
    CONNECTIONS = [1, 4, 16, 64, 256].freeze

    #: () -> Array[AgreementRow]
    def self.all
      SERVERS.flat_map do |app, notations|
        notations.product(PAGES, CONNECTIONS).map do |notation, page, connections|
          new(app:, notation:, page:, connections:)
        end
      end
    end

    #: (app: String, notation: String, connections: Integer, page: Page) -> void
    def initialize(app:, notation:, connections:, page:)
      @app = app
      @notation = notation
      @connections = connections
      @page = page
    end

    #: () -> String
    def to_s = "#{@app} #{@notation} #{@page.path.delete_prefix('/')} c#{@connections}"

    # { wrk:, load:, run:, arithmetic: } in requests per second.
    #: () -> Hash[Symbol, Float]
    def rates
      options = { app: @app, notation: @notation, path: @page.path, connections: @connections }
      AgreementServer.with(**options) do |server|
        wrk, load = Array.new(PAIRS) { [wrk(server.url), load(server.url)] }.transpose
        @slots = server.slots
        { wrk: mean(wrk), load: mean(load) }
      end.merge(run: run_rate, arithmetic:)
    end

    private

    def mean(rates) = rates.sum / rates.size

    # Threads that wait let others compute; a process computes on one core at a time.
    def arithmetic
      processes = @notation[/\d+/].to_i.clamp(1, Etc.nprocessors)
      at_a_time = [@slots, @connections].compact.min
      [processes * 1000 / @page.cpu_ms, at_a_time * 1000 / (@page.wait_ms + @page.cpu_ms)].min.to_f
    end

    def wrk(url)
      output = capture("wrk", "-t1", "-c#{@connections}", "-d#{SECONDS}s", url)
      output[%r{Requests/sec: +([\d.]+)}, 1].to_f
    end

    def load(url)
      mohs("load", url, "-c", @connections.to_s, "-d", "#{SECONDS}s")["rate_per_s"] || Float::NAN
    end

    def run_rate
      document = mohs("run", "--app", File.join(__dir__, @app), "--get", @page.path, "--variant",
                      @notation, "--connections", @connections.to_s, "--rounds", "1", "--cores",
                      Etc.nprocessors.to_s)
      document.fetch("rows").first.dig("throughput_per_s", "value") || Float::NAN
    end

    def mohs(*arguments)
      JSON.parse(capture(File.join(Mohs.root, "bin/mohs"), *arguments, "--json"))
    end

    def capture(*argv)
      Process::Capture.call(Process::Command.new(argv:), timeout_s: 600).stdout
    end
  end

  wanted = ARGV.flat_map(&:split).map { |word| word.split(",") }
  rows = AgreementRow.all.select { |row| wanted.all? { |some| row.to_s.split.intersect?(some) } }
  puts format("%-36s%8s%8s%8s%12s", "", "wrk", "load", "run", "arithmetic")
  rows.each do |row|
    puts format("%-36s%8.4g%8.4g%8.4g%12.4g", row.to_s, *row.rates.values)
    $stdout.flush
  end
end
