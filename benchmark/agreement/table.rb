# frozen_string_literal: true

# Are rates true while requests wait? For each server, page and number of connections: the rate by
# wrk and by `mohs load`, in alternation on one server, by `mohs run`, which boots its own, and by
# arithmetic: the cores that its processes can use / the CPU time of a request. Pages and servers
# are those of this folder; driver and server share the machine's cores, as for a user.
#
#     ruby benchmark/agreement/table.rb [words of the rows wanted, such as "puma-6 2x1 cpu/15"]

require "etc"
require "json"
require "tmpdir"
require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"

module Mohs
  # One row: a server under a number of connections.
  class AgreementRow
    SECONDS = 5
    PAIRS = 2

    # cpu_ms: of a page, waits left out. wait_ms: its wait.
    Page = Struct.new(:path, :wait_ms, :cpu_ms)
    PAGES = [Page.new("/cpu/0.05", 0, 0.05), Page.new("/cpu/1", 0, 1), Page.new("/cpu/15", 0, 15),
             Page.new("/cpu/60", 0, 60), Page.new("/wait/10/5", 10, 5)].freeze

    #: (app: String, setting: String, connections: Integer, page: Page) -> void
    def initialize(app:, setting:, connections:, page:)
      @folder = File.join(__dir__, app)
      @app = app
      @setting = setting
      @connections = connections
      @page = page
    end

    #: () -> String
    def to_s = "#{@app} #{@setting} #{@page.path.delete_prefix('/')} c#{@connections}"

    # { wrk:, load:, run:, arithmetic: } in requests per second.
    #: () -> Hash[Symbol, Float]
    def rates
      wrk, load = with_server { |url| Array.new(PAIRS) { [wrk(url), load(url)] }.transpose }
      { wrk: mean(wrk), load: mean(load), run: run_rate, arithmetic: }
    end

    private

    def mean(rates) = rates.sum / rates.size

    # Threads that wait let others compute; a process computes on one core at a time.
    def arithmetic
      processes, threads = @setting.split("x").map(&:to_i)
      cores = [processes, Etc.nprocessors].min
      at_a_time = [processes * threads, @connections].min
      [cores * 1000 / @page.cpu_ms, at_a_time * 1000 / (@page.wait_ms + @page.cpu_ms)].min.to_f
    end

    def with_server
      Dir.mktmpdir("mohs-agreement") do |folder|
        place = Cohort::Layout::Place.new(cpus: nil, worker: 0)
        trial = Trial.new(id: 0, setup:, folder:, place:, spawner: Process::Spawner.new)
        trial.boot
        trial.attest
        trial.check
        yield "http://127.0.0.1:#{trial.target.port}#{@page.path}"
      ensure
        trial&.stop
      end
    end

    def setup
      app = App::Folder.load(@folder)
      notation = Study::Notation.parse("puma:#{@setting}")
      declaration = { variants: [[nil, notation]], connections: @connections }
      requests = [App::Request.new(method: "GET", path: @page.path)]
      study = Study::Builder.new(app:).call(declaration, requests:)
      setup = Trial::Setups.new.for(study, study.variants.first)
      setup.bundle.install
      setup
    end

    def wrk(url)
      output = capture("wrk", "-t1", "-c#{@connections}", "-d#{SECONDS}s", url)
      output[%r{Requests/sec: +([\d.]+)}, 1].to_f
    end

    def load(url)
      mohs("load", url, "-c", @connections.to_s, "-d", "#{SECONDS}s").fetch("rate_per_s")
    end

    def run_rate
      document = mohs("run", "--app", @folder, "--get", @page.path, "--variant", "puma:#{@setting}",
                      "--connections", @connections.to_s, "--rounds", "1")
      document.fetch("rows").first.dig("throughput_per_s", "value") || Float::NAN
    end

    def mohs(*arguments)
      JSON.parse(capture(File.join(Mohs.root, "bin/mohs"), *arguments, "--json"))
    end

    def capture(*argv)
      Process::Capture.call(Process::Command.new(argv:), timeout_s: 600).stdout
    end
  end

  wanted = ARGV.flat_map(&:split)
  settings = %w[1x1 1x5 2x1 2x5]
  cells = %w[puma-6 puma-8].product(settings, AgreementRow::PAGES, [1, 4, 16, 64, 256])
  rows = cells.map do |app, setting, page, connections|
    AgreementRow.new(app:, setting:, connections:, page:)
  end
  rows.select! { |row| (wanted - row.to_s.split).empty? }
  puts format("%-32s%8s%8s%8s%12s", "", "wrk", "load", "run", "arithmetic")
  rows.each do |row|
    puts format("%-32s%8.4g%8.4g%8.4g%12.4g", row.to_s, *row.rates.values)
    $stdout.flush
  end
end
