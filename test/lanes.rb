# frozen_string_literal: true

require "fileutils"
require "json"
require "tmpdir"

module Mohs
  # Runs parts of the tests beside each other (lanes), and reports like one minitest: one list of
  # failures, one closing line. A lane is a minitest for each folder, one after the other: in one
  # process for all, whose memory grows from test to test, starting a command takes ten times as
  # long, since a fork copies the tables of all pages. Each writes what becomes of its tests to a
  # file (test/support/lane_reporter.rb); unlike a pipe, no process that a test leaves can hold that
  # open.
  class Lanes
    # One process of a lane. pid: while it runs; path: of its file, which told reads; rest: a line
    # of it that is not complete yet; test: the one under way; done: whether it has reported the
    # last one.
    Part = Struct.new(:lane, :argv, :pid, :path, :told, :rest, :test, :done, :status,
                      keyword_init: true)

    # What runs beside what. Tests of whole commands and applications measure, and one process at a
    # time measures on a machine: beside each other they would only wait. The others take what the
    # measuring leaves idle. Those in C and those inside servers are with the first: then both lanes
    # take as long.
    WHOLE = %r{\A(?:integration/[^/]+\.rb|integration/(?:app|apps|cli|inside)/|c/|slow/|browser/)}

    POLL_S = 0.05
    KINDS = { "F" => :failures, "E" => :errors, "S" => :skips }.freeze

    # What has a process of its own: a suite, or a folder of the integration suite.
    FOLDER = %r{\A(?:integration/\w+/|\w+/)}

    # The test files of each lane, by its name: a list for each of its processes.
    #: (Array[String]) -> Hash[String, Array[Array[String]]]
    def self.split(files)
      placed = files.group_by { |file| File.expand_path(file).delete_prefix("#{__dir__}/") }
      lanes = placed.keys.sort.group_by { |path| path.match?(WHOLE) ? "wholes" : "parts" }
      lanes.transform_values do |paths|
        paths.group_by { |path| path[FOLDER] }.values.map { |some| placed.values_at(*some).flatten }
      end
    end

    # commands: { name => argv of each process, in their order }.
    #: (Hash[String, Array[Array[String]]], ?out: IO) -> void
    def initialize(commands, out: $stdout)
      @commands = commands
      @out = out
      @out.sync = true
      @sums = Hash.new(0)
      @shown = []
    end

    # Returns the exit status. All processes have the same seed.
    #: () -> Integer
    def call
      began_s = now_s
      Dir.mktmpdir("mohs-lanes") do |folder|
        parts = prepare(folder)
        forwarding(parts) { follow(parts) }
        parts.each { |part| conclude(part) }
      end
      report(now_s - began_s)
    end

    private

    def now_s = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def prepare(folder)
      @seed = ENV.fetch("SEED") { Random.rand(0xFFFF).to_s }
      @commands.flat_map do |lane, commands|
        commands.each_with_index.map do |argv, number|
          File.write(path = File.join(folder, "#{lane}-#{number}"), "")
          Part.new(lane:, argv:, path:, told: File.open(path), rest: +"")
        end
      end
    end

    def start(part)
      env = { "MOHS_TEST_LANE" => part.path, "SEED" => @seed }
      part.pid = Process.spawn(env, *part.argv)
    end

    # Ctrl-C reaches the processes by itself. Then, too, they report what they have run; none
    # follows them.
    def forwarding(parts)
      before = %w[TERM HUP].to_h do |signal|
        [signal, trap(signal) do
          @stopped = true
          parts.each { |part| stop(part, signal) if part.pid }
        end]
      end
      before["INT"] = trap("INT") { @stopped = true }
      yield
    ensure
      before.each { |signal, handler| trap(signal, handler) }
    end

    # A test of what mohs does on a signal may take this one: without its file, the process begins
    # no other test.
    def stop(part, signal)
      FileUtils.rm_f(part.path)
      Process.kill(signal, part.pid)
    end

    def follow(parts)
      loop do
        parts.group_by(&:lane).each_value { |ones| go_on(ones) } unless @stopped
        break if parts.none?(&:pid)

        sleep POLL_S
        parts.select(&:pid).each do |part|
          _, part.status = Process.wait2(part.pid, Process::WNOHANG)
          part.pid = nil if part.status
          read(part)
        end
      end
    end

    # The next process of a lane, when the one before it has ended.
    def go_on(parts)
      following = parts.find { |part| part.status.nil? }
      start(following) if following && following.pid.nil?
    end

    def read(part)
      part.rest << part.told.read
      while (line = part.rest.slice!(/.*\n/))
        take(part, JSON.parse(line, symbolize_names: true))
      end
    end

    def take(part, told)
      if told[:options] then begin_with(told)
      elsif told[:begins] then part.test = told[:begins]
      elsif told[:done] then part.done = true
      else record(**told)
      end
    end

    # The same for all: the first one's are shown.
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

    # A process that has not come to its end is an error, and so is one that fails after its tests,
    # and a lane in which some have not begun.
    def conclude(part)
      part.told.close
      return if part.done && (part.status.success? || failed?)

      @sums[:errors] += 1
      ending = part.status.to_s.sub(/\Apid \d+ /, "")
      @shown << if part.done
                  "Error:\nthe tests of #{part.lane} passed, but their process: #{ending}\n"
                elsif part.status
                  "Error:\nthe tests of #{part.lane} ended too soon (#{ending}), " \
                    "in #{part.test || 'none of them'}\n"
                else
                  "Error:\ntests of #{part.lane} have not begun\n"
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
