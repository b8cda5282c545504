# frozen_string_literal: true

module Mohs
  module Drivers
    module Peer
      # Another load generator as a driver: each #run starts its command once, for one step on one
      # target, and maps its output to the result of that step. What it can't report is nil; what it
      # can't do is not in its CAPABILITIES, and requesting it raises UsageError. A member has:
      #
      #   CAPABILITIES  Set of those in drivers/base.rb that it has
      #   WHERE         how to install it
      #   GOOD          the range of statuses that it takes for correct; nil: it reports each status
      #   CAVEAT        what to know about its figures, a sentence
      #   #launch(step) -> Launch, and #figures(output) -> Figures, both pure
      class Base < Drivers::Base
        # How a tool is started, as data. commands: [argv], run one after the other in an empty
        # folder; the first makes the load. files: { name => content } to create before. reads:
        # names of files that the tool writes there. The last command's output is parsed.
        Launch = Struct.new(:commands, :env, :files, :reads, keyword_init: true) do
          #: (commands: Array[Array[String]], ?env: Hash[String, String], ?files: Hash[String, String], ?reads: Array[String]) -> void
          def initialize(commands:, env: {}, files: {}, reads: [])
            super(commands: commands.map { |argv| argv.map(&:to_s) }, env:, files:, reads:)
            freeze
          end
        end

        # What a tool reported about its load. nil, or a share without an entry in `times`, means
        # unknown; 0 is a count of none.
        #   wall_ns    the length of the load
        #   sent       requests, in flight at the end included;  completed  complete responses
        #   good       correct responses;  errors  { "class" => count } in the tool's words, or in
        #              ours if they mean the same (docs/driver.md); without zeros
        #   bytes      of bodies;  latency_sum_ns  of good requests, if it is not rounded
        #   times      { share => ns } of the service time
        Figures = Struct.new(:wall_ns, :sent, :completed, :good, :errors, :bytes, :latency_sum_ns,
                             :times, keyword_init: true) do
          # A time of zero is below the tool's resolution: unknown.
          #: (wall_ns: Integer, completed: Integer?, good: Integer?, ?times: Hash[Float, Integer?], **untyped) -> void
          def initialize(wall_ns:, completed:, good:, sent: nil, errors: {}, bytes: nil,
                         latency_sum_ns: nil, times: {})
            super(wall_ns:, sent:, completed:, good:, bytes:, latency_sum_ns:,
                  errors: errors.select { |_, count| count&.positive? }.freeze,
                  times: times.select { |_, ns| ns&.positive? }.freeze)
            freeze
          end
        end

        GOOD = nil
        # mohs's classes of errors that tools report as text: those of Go's net package and of
        # Rust's hyper and io::Error, in the order in which they are tried. The texts do not tell
        # when a connection broke.
        CLASSES = {
          /deadline exceeded|timed? ?out/i => "timeout",
          /aborted due to deadline/i => Load::IN_FLIGHT,
          /refused/i => "refused",
          /cannot assign requested address/i => "no_local_port",
          /too many open files/i => "no_descriptor",
          /reset by peer|broken pipe/i => "reset",
          /\bEOF\b|closed/i => "closed",
          /malformed|invalid|parse/i => "bad_answer",
        }.freeze
        # Seconds that a tool may still wait for responses and compute after the end of a timed
        # step; and seconds that a step by number of requests may take.
        GRACE_S = 30
        LONGEST_S = 3600
        # How often a tool is started for one load if it hangs.
        ATTEMPTS = 1

        class << self
          #: () -> Set[Symbol]
          def capabilities = self::CAPABILITIES

          #: () -> String
          def caveat = self::CAVEAT

          # As in Load::Result#tool.
          #: () -> Hash[Symbol, untyped]
          def facts = { name: label, caveat:, threads: capabilities.include?(:threads) }
        end

        # secrets: may no other user see the headers? Ignores the mix's seed and the capacity of the
        # recording, which are of no use to a tool.
        #: (targets: Array[Load::Target], ?threads: Integer, ?cpus: Array[Integer]?, ?spawner: Process::Spawner, ?secrets: bool, **untyped) -> void
        def initialize(targets:, threads: 1, cpus: nil, spawner: Mohs::Process::Spawner.new,
                       secrets: false, **)
          super()
          Limits.verify_targets(tool, capabilities, targets, threads:, secrets:,
                                                             good: self.class::GOOD)
          targets.each { |target| verify_target(target) }
          @targets = targets
          @threads = threads
          @cpus = cpus
          @spawner = spawner
          @steps = []
          @pids = []
          @epoch_ns = Clock.mono_ns
        end

        #: (Integer, Array[Integer]) -> void
        def watch(_index, pids)
          @pids = pids
        end

        #: (Integer) -> void
        def recording(_index)
          raise UsageError, "#{tool} does not record single requests: the native driver does."
        end

        # The summary of the last run.
        #: (Integer) -> Load::Summary
        def summary(_index) = @summary || Load::Summary.new

        # Wrong responses are counted, but none is kept.
        #: (Integer) -> nil
        def first_failed(_index) = nil

        #: () -> void
        def close; end

        private

        def tool = self.class.label

        def capabilities = self.class.capabilities

        def target = targets.first

        def request = target.requests.first

        # Raises UsageError for an address that must not be loaded, and for a request that is not
        # valid HTTP.
        def verify_target(target)
          Load::Address.of(target)
          target.requests.each { |request| Load::Wire.verify(request) }
        end

        def carry_out(steps, &)
          @summary = @result = nil
          return if steps.empty?

          Limits.verify_steps(tool, capabilities, steps, target)
          left = self.class::ATTEMPTS
          begin
            attempt(steps.first, &)
          rescue Execution::Hang
            retry if (left -= 1).positive?
            raise
          end
        end

        def attempt(step)
          before = watched_ns
          ended = execution(step).call do
            yield Load::Live.new(step: 0, completed: nil, failed: nil) if block_given?
          end
          keep(figures(ended.output), ended, cpu_ns: before && watched_ns&.-(before))
        end

        def execution(step)
          Execution.new(tool, launch(step), where: self.class::WHERE, limit_s: limit_s(step),
                                            cpus: @cpus, spawner: @spawner)
        end

        def limit_s(step)
          return LONGEST_S unless step.duration_ns

          (step.duration_ns / 1e9) + target.timeout_s + GRACE_S
        end

        def keep(figures, ended, cpu_ns:)
          times = figures.times
          @summary = Load::Summary.new(good: figures.good, times:)
          @result = Load::StepResult.new(
            step: 0, target: 0, started_ns: ended.started_ns - @epoch_ns, cpu_ns:,
            driver_cpu_ns: ended.cpu_ns, p50_ns: times[0.5], max_ns: times[1.0], connections:,
            **figures.to_h.except(:times)
          )
        end

        # No tool reports how many connections it opened or lost, or how they shared the work.
        def connections
          { asked: target.connections, opened: nil, lost: nil, served: nil, requests_min: nil,
            requests_max: nil }.freeze
        end

        def result(_step, _target) = @result

        # CPU time of the watched processes; nil if none is watched, or one is gone.
        def watched_ns
          return if @pids.empty?

          @pids.sum { |pid| ::Process.clock_gettime(cpu_clock(pid), :nanosecond) }
        rescue SystemCallError
          nil
        end

        # What clock_getcpuclockid(3) returns: CPUCLOCK_SCHED of a process in the kernel's
        # include/linux/posix-timers.h.
        def cpu_clock(pid) = (~pid << 3) | 2

        def url = target.unix ? "http://localhost#{request.path}" : "http://#{place}#{request.path}"

        def place = Load::Address.host_header(target)

        def close? = target.keep_alive == :asked

        # -H "Name: value" for each header.
        def header_options(headers = request.headers)
          headers.flat_map { |name, value| ["-H", "#{name}: #{value}"] }
        end

        # The same for tools that set a body's type themselves unless it is given with -T.
        def options_and_type
          type, others = request.headers.partition { |name, _| name.casecmp?("content-type") }
          return header_options unless request.body

          [*header_options(others), *type.flat_map { |_, value| ["-T", value] }]
        end

        # The file `body`, in the folder that the tool runs in.
        def body_file = request.body ? { "body" => request.body } : {}

        # Whole seconds, for tools that accept nothing else; other durations are refused.
        def seconds(step) = step.duration_ns / 1_000_000_000

        # In the form that Go and Rust tools accept.
        def milliseconds(step) = "#{(step.duration_ns / 1e6).ceil}ms"

        # Converts { text => count } of errors to { class => count }.
        def classes(counts)
          counts.each_with_object(Hash.new(0)) { |(text, count), sum| sum[class_of(text)] += count }
        end

        def class_of(text) = CLASSES.find { |pattern, _| pattern.match?(text) }&.last || "other"

        # Converts responses by status, { 200 => n }, to counts of figures.
        def by_status(statuses, errors: {})
          completed = statuses.values.sum
          good = statuses.slice(*request.check.statuses).values.sum
          { completed:, good:, errors: { "wrong_status" => completed - good, **errors } }
        end
      end
    end
  end
end
