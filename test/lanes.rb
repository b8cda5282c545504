# frozen_string_literal: true

require "fileutils"
require "json"
require "tmpdir"

module Mohs
  # Runs parts of the tests beside each other, each in a minitest of its own (a lane), and reports
  # like one minitest: one list of failures, one closing line. A lane writes what becomes of its
  # tests to a file (test/support/lane_reporter.rb); unlike a pipe, no process that a test leaves
  # can hold that open.
  class Lanes
    # pid: its process, until it has ended; path: of its file, which told reads; rest: a line of it
    # that is not complete yet; test: the one under way; done: whether it has reported the last one.
    Lane = Struct.new(:name, :pid, :path, :told, :rest, :test, :done, :status, keyword_init: true)

    # What runs beside what. Tests of whole commands and applications measure, and one process at a
    # time measures on a machine: beside each other they would only wait. The others take what the
    # measuring leaves idle. Those in C and those inside servers are with the first: then both lanes
    # take as long.
    WHOLE = %r{\A(?:integration/[^/]+\.rb|integration/(?:app|apps|cli|inside)/|c/|slow/|browser/)}

    POLL_S = 0.05
    KINDS = { "F" => :failures, "E" => :errors, "S" => :skips }.freeze

    # The test files of each lane, by its name.
    #: (Array[String]) -> Hash[String, Array[String]]
    def self.split(files)
      files.group_by do |file|
        File.expand_path(file).delete_prefix("#{__dir__}/").match?(WHOLE) ? "wholes" : "parts"
      end
    end

    # commands: { name => argv }.
    #: (Hash[String, Array[String]], ?out: IO) -> void
    def initialize(commands, out: $stdout)
      @commands = commands
      @out = out
      @out.sync = true
      @sums = Hash.new(0)
      @shown = []
    end

    # Returns the exit status. All lanes have the same seed.
    #: () -> Integer
    def call
      began_s = now_s
      Dir.mktmpdir("mohs-lanes") do |folder|
        lanes = start(folder)
        forwarding(lanes) { follow(lanes) }
        lanes.each { |lane| conclude(lane) }
      end
      report(now_s - began_s)
    end

    private

    def now_s = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def start(folder)
      seed = ENV.fetch("SEED") { Random.rand(0xFFFF).to_s }
      @commands.map do |name, argv|
        File.write(path = File.join(folder, name), "")
        pid = Process.spawn({ "MOHS_TEST_LANE" => path, "SEED" => seed }, *argv)
        Lane.new(name:, pid:, path:, told: File.open(path), rest: +"")
      end
    end

    # Ctrl-C reaches the lanes by itself. Then, too, they report what they have run.
    def forwarding(lanes)
      before = %w[TERM HUP].to_h do |signal|
        [signal, trap(signal) { lanes.each { |lane| stop(lane, signal) if lane.pid } }]
      end
      before["INT"] = trap("INT") { nil }
      yield
    ensure
      before.each { |signal, handler| trap(signal, handler) }
    end

    # A test of what mohs does on a signal may take this one: without its file, the lane begins no
    # other test.
    def stop(lane, signal)
      FileUtils.rm_f(lane.path)
      Process.kill(signal, lane.pid)
    end

    def follow(lanes)
      until lanes.none?(&:pid)
        sleep POLL_S
        lanes.select(&:pid).each do |lane|
          _, lane.status = Process.wait2(lane.pid, Process::WNOHANG)
          lane.pid = nil if lane.status
          read(lane)
        end
      end
    end

    def read(lane)
      lane.rest << lane.told.read
      while (line = lane.rest.slice!(/.*\n/))
        take(lane, JSON.parse(line, symbolize_names: true))
      end
    end

    def take(lane, told)
      if told[:options] then begin_with(told)
      elsif told[:begins] then lane.test = told[:begins]
      elsif told[:done] then lane.done = true
      else record(**told)
      end
    end

    # The same for all lanes: the first one's are shown.
    def begin_with(told)
      return if @options

      @options = told
      @out.puts "Run options: #{told[:options]}", "", "# Running:", ""
    end

    def record(test:, seconds:, code:, assertions:, text:)
      @sums[:runs] += 1
      @sums[:assertions] += assertions
      @sums[KINDS[code]] += 1
      @shown << text if code != "." && (code != "S" || @options[:show_skips])
      return @out.puts(format("%s = %.2f s = %s", test, seconds, code)) if @options[:verbose]

      @out.print code unless @options[:quiet]
    end

    # A lane that has not come to its end is an error, and so is one that fails after its tests.
    def conclude(lane)
      lane.told.close
      return if lane.done && (lane.status.success? || failed?)

      @sums[:errors] += 1
      ending = lane.status.to_s.sub(/\Apid \d+ /, "")
      @shown << if lane.done
                  "Error:\nthe tests of #{lane.name} passed, but their process: #{ending}\n"
                else
                  "Error:\nthe tests of #{lane.name} ended too soon (#{ending}), " \
                    "in #{lane.test || 'none of them'}\n"
                end
    end

    def failed? = @sums.values_at(:failures, :errors).sum.positive?

    def report(took_s)
      runs, assertions = @sums.values_at(:runs, :assertions)
      @out.puts unless @options&.fetch(:verbose)
      @out.puts "", format("Finished in %.6fs, %.4f runs/s, %.4f assertions/s.", took_s,
                           runs / took_s, assertions / took_s)
      @shown.each.with_index(1) { |text, number| @out.puts format("\n%3d) %s", number, text) }
      @out.puts "", closing
      none = runs.zero? && @options && @options[:filter]
      warn "Nothing ran for filter: #{none}" if none
      failed? || none ? 1 : 0
    end

    def closing
      counts = %i[runs assertions failures errors skips].map { |kind| "#{@sums[kind]} #{kind}" }
      hint = "\n\nYou have skipped tests. Run with --verbose for details."
      counts.join(", ") + (@sums[:skips].positive? && !@options[:show_skips] ? hint : "")
    end
  end
end
