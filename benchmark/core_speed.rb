# frozen_string_literal: true

# Does what is compared affect what the driver measures of the core's speed? Adjusting for core
# speed (docs/method.md) assumes that it does not. Compares an application with a variant of each
# kind by mohs compare, again and again until there are enough cohorts or the time is up. Prints a
# row of docs/calibration.md for each kind: by how much longer the two pieces of work take beside B
# than beside A, and what adjusting for them changes. The folder keeps the store and every
# document; calling it again with the same folder adds to them.
#
#     ruby benchmark/core_speed.rb [folder] [seconds for each] [names of rows, as in PAIRS]

require "fileutils"
require "json"
require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # Compares one pair of variants after the other.
  class CoreSpeedBenchmark
    JEMALLOC = "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"

    # What differs, A, B.
    PAIRS = {
      "nothing (A/A)" => ["3.1.2", "3.1.2"],
      "YJIT, 3.1" => ["3.1.2", "3.1.2 --yjit"],
      "YJIT, 3.4" => ["3.4.5", "3.4.5 --yjit"],
      "jemalloc" => ["3.1.2", "3.1.2, LD_PRELOAD=#{JEMALLOC}"],
      "MALLOC_ARENA_MAX=2" => ["3.1.2", "3.1.2, MALLOC_ARENA_MAX=2"],
      "RUBY_GC_HEAP_INIT_SLOTS" => ["3.1.2", "3.1.2, RUBY_GC_HEAP_INIT_SLOTS=600000"],
      "3.1 and 3.4" => ["3.1.2", "3.4.5"],
      "two workers" => ["3.1.2, puma:1x5", "3.1.2, puma:2x5"],
      "JRuby" => ["3.1.2", "jruby-9.4.14.0"],
    }.freeze

    # How many cohorts are enough for a row; seconds that mohs may take beyond its budget, and the
    # shortest budget.
    ENOUGH, GRACE_S, SHORTEST_S = 40, 600, 15

    HEAD = "| what differs | cohorts | core, % | memory, % | requests/s raw, % | adjusted, % |"

    #: (folder: String, seconds: Numeric, names: Array[String]) -> void
    def initialize(folder:, seconds:, names:)
      @folder = folder
      @seconds = seconds
      @names = names
    end

    #: () -> void
    def call
      FileUtils.mkdir_p(@folder)
      puts HEAD, "| --- | --- | --- | --- | --- | --- |"
      PAIRS.slice(*@names).each do |name, (a, b)|
        puts row(name, documents(name, a, b))
        $stdout.flush
      end
    end

    private

    # Documents of comparisons of one pair: earlier ones, and new ones until these have taken the
    # time.
    def documents(name, a, b)
      file = File.join(@folder, name.gsub(/\W+/, "-"))
      before = Dir["#{file}.*.json"].map { |path| shown(JSON.parse(File.read(path))["run"]) }
      made = []
      until (left = @seconds - seconds(made)) < SHORTEST_S || cohorts(before + made).size >= ENOUGH
        made << compare(a, b, left)
        File.write("#{file}.#{made.last[:run]}.json", JSON.generate(made.last))
        break if cohorts([made.last]).empty?
      end
      before + made
    end

    # The run as this version of mohs analyses it, whichever version measured it.
    def shown(key) = mohs("show", key, "--json")

    def compare(a, b, seconds)
      mohs("compare", a, b, "--json", "--quiet", "--app", File.join(Mohs.root, "apps/primes"),
           "--budget", "#{seconds.ceil}s")
    end

    def mohs(*arguments)
      argv = [File.join(Mohs.root, "bin/mohs"), *arguments]
      env = { "XDG_DATA_HOME" => @folder, "MOHS_DATABASE_URL" => nil }
      command = Process::Command.new(argv:, env:)
      result = Process::Capture.call(command, timeout_s: @seconds + GRACE_S)
      raise Error, "mohs compare failed:\n#{result.stderr}" if result.stdout.empty?

      JSON.parse(result.stdout, symbolize_names: true)
    end

    def seconds(documents) = documents.sum { |one| one[:cohorts][:seconds] }

    def cohorts(documents) = documents.flat_map { |one| one[:observations] }

    def row(name, documents)
      seen = cohorts(documents)
      speed = %i[pace_ns memory_ns].map { |kind| cell(seen.map { |one| one[:core_speed][kind] }) }
      effects = %i[raw differences].map { |key|
        cell(seen.map { |one| one[key][:throughput_per_s] })
      }
      effects[1] = "not adjusted" unless documents.any? { |one| one[:metrics].any? { |m| m[:raw] } }
      "| #{[name, seen.size, *speed, *effects].join(' | ')} |"
    end

    # Mean and half of its 95 % interval, over cohorts.
    def cell(logs)
      logs = logs.compact
      return "" if logs.empty?

      found = Stats::Interval.of(logs)
      half = found.low && ((found.high - found.low) / 2)
      format(half ? "%+.2f ± %.2f" : "%+.2f", *[found.value, half].compact.map { |one| 100 * one })
    end
  end
end

folder = ARGV.shift || File.join(Dir.tmpdir, "mohs-core-speed")
seconds = (ARGV.shift || 80).to_f
names = ARGV.empty? ? Mohs::CoreSpeedBenchmark::PAIRS.keys : ARGV
Mohs::CoreSpeedBenchmark.new(folder:, seconds:, names:).call
