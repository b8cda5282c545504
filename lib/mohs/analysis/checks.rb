# frozen_string_literal: true

module Mohs
  module Analysis
    # Self-checks: what speaks against the figures of one trial or load. A family of pure decisions
    # over its facts, the shape of which is in checks/base.rb. The short ones stand below, the
    # others have a file each.
    module Checks
      extend Family
      family "check", folder: File.join(__dir__, "checks"), list: "docs/method.md"

      SHORT = %w[answers arrivals counts errors headroom idle jit offered_rate pool served steady
                 trend].freeze

      # As the store and the contract of docs/json.md write a finding's severity.
      LEVELS = { ok: "ok", unknown: "ok", warn: "warn", bad: "invalid" }.freeze
      OK = { ok: true, unknown: nil, warn: false, bad: false }.freeze

      # In alphabetical order.
      #: () -> Array[String]
      def self.names = @all_names ||= (super + SHORT).sort.freeze

      # Every check's finding, in alphabetical order.
      #: (Hash[Symbol, untyped]) -> Array[Analysis::Finding]
      def self.call(facts) = all.map { |check| check.new.call(facts) }

      # The same for a load by itself, limited to the checks that apply to it.
      #: (Hash[Symbol, untyped], ?Array[String]) -> Array[Analysis::Finding]
      def self.of_load(facts, names = self.names)
        asked = names.map { |name| fetch(name) }.select { |check| check::OF_LOADS }
        asked.map { |check| check.new.call(facts) }
             .reject { |finding| finding.severity == :unknown }
      end

      # Why the trial's figures mean nothing (then its state is invalid), or nil.
      #: (Array[Analysis::Finding]) -> Analysis::Finding?
      def self.spoiled(findings) = findings.find(&:fatal?)

      # How the driver itself spoiled a probe in a search for a rate, or nil.
      #: (Mohs::Load::StepResult, limit: Mohs::Load::Limit, threads: Integer) -> Analysis::Finding?
      def self.of_probe(result, limit:, threads:)
        slices = [{ **result.to_h, warm_up: false }]
        share = DriverShare.new.call({ slices:, threads: })
        share.fatal? ? share : SendLag.new.of_probe(result.lag_ns, limit)
      end

      # The templates of a member, for Report::Phrase.
      #: (String) -> Hash[Symbol, String | Proc]
      def self.words(name) = Base::WORDS.merge(fetch(name)::WORDS)

      # Those of a stored trial.
      #: (Store::Trial) -> Array[Analysis::Finding]
      def self.of(trial) = trial.checks.map { |row| load(row) }

      # A finding as a trial's facts keep it: plain data.
      #: (Analysis::Finding) -> Hash[Symbol, untyped]
      def self.dump(finding)
        { name: finding.member, ok: OK.fetch(finding.severity),
          level: LEVELS.fetch(finding.severity), code: finding.code, values: finding.values }
      end

      # The finding of such a row.
      #: (Hash[Symbol, untyped]) -> Analysis::Finding
      def self.load(row) = Finding.restore(row, row[:ok].nil? ? :unknown : LEVELS.key(row[:level]))

      # Every response was the expected one, as learnt before the load. A wrong one voids the speed:
      # an error page is fast.
      class Answers < Base
        # Error classes that are whole responses, but not the expected ones.
        WRONG = %w[wrong_status wrong_length wrong_body].freeze

        WORDS = {
          expected: lambda do |values, numbers|
            "same #{values[:kinds].join(' or ')} each time, checked on all " \
              "#{numbers.whole(values[:good])}"
          end,
          wrong: "%{share|percent} of the responses were wrong: %{errors|counts}",
          wrong_shown: "%{share|percent} of the responses were wrong: %{errors|counts}; " \
                       "the first began %{first}",
        }.freeze

        private

        def needs = %i[slices answers]

        def judge
          wrong = errors_of(facts[:slices]).slice(*WRONG)
          return pass(:expected, kinds:, good: sum(:good)) if wrong.empty?

          values = error_values(wrong, sum(:sent))
          bad(values[:first] ? :wrong_shown : :wrong, **values)
        end

        # The part that was the same each time: "body", "length" or "status".
        def kinds = facts[:answers].map { |answer| answer[:kind].to_s }.uniq

        def sum(key) = facts[:slices].sum { |slice| slice[key] }
      end

      # Requests of an open loop that did not leave when they were due, but in clumps, say, are
      # another load than the one requested.
      class Arrivals < Base
        # The expected index of dispersion (Dispersion), and how much it may be off beside chance:
        # one request in ten of a window in a clump is not another load.
        WANTED = { "poisson" => 1.0, "constant" => 0.0 }.freeze
        TOLERANCE = 0.1
        # Under Poisson arrivals windows x index is distributed as chi-square of so many degrees:
        # its standard deviation is sqrt(2 x windows). So many of these are chance.
        DEVIATIONS = 4

        WORDS = {
          on_time: "dispersion %{index|figure} of %{wanted|count}, in %{windows|count} windows",
          clumped: "requests did not leave when they were due: their dispersion is " \
                   "%{index|figure} instead of %{wanted|count}, in %{windows|count} windows. The " \
                   "server got another load than was asked for; give the driver its own core",
        }.freeze

        private

        def needs = %i[arrivals]

        def judge
          index, windows = facts[:arrivals].values_at(:index, :windows)
          values = { index:, wanted:, windows: }
          return pass(:on_time, **values) if (index - wanted).abs <= allowed(windows)

          warn(:clumped, **values)
        end

        def wanted = WANTED.fetch(facts[:arrivals][:kind])

        # Even arrivals leave nothing to chance.
        def allowed(windows) = TOLERANCE + (DEVIATIONS * wanted * Math.sqrt(2.0 / windows))
      end

      # Every request sent is recorded once and ended in one way.
      class Counts < Base
        WORDS = {
          complete: "%{sent|count} sent, ended and recorded",
          differ: "%{sent|count} requests sent, but %{ended|count} ended and " \
                  "%{recorded|count} recorded: a fault of mohs",
        }.freeze

        private

        def needs = %i[slices recorded]

        def judge
          slices, recorded = facts.values_at(:slices, :recorded)
          sent = slices.sum { |slice| slice[:sent] }
          ended = slices.sum { |slice| slice[:good] } + errors_of(slices).values.sum
          return pass(:complete, sent:) if [ended, recorded].all?(sent)

          bad(:differ, sent:, ended:, recorded:)
        end
      end

      # Requests that got no response, or none that is HTTP. (Wrong responses are Checks::Answers'.)
      class Errors < Base
        # From this share on errors alone can make the smallest difference that matters (the margin,
        # 1 %).
        VOID = 0.01

        # In a load they are figures of their own.
        OF_LOADS = false

        WORDS = {
          nothing_sent: "nothing was sent",
          none: "none in %{sent|count} requests",
          failed: "%{share|percent} of the requests failed: %{errors|counts}",
          failed_shown: "%{share|percent} of the requests failed: %{errors|counts}; " \
                        "the first began %{first}",
        }.freeze

        private

        def judge
          sent = total(:sent)
          return unknown(:nothing_sent) if sent.zero?

          errors = errors_of(measured).except(*Answers::WRONG)
          return pass(:none, sent:) if errors.empty?

          values = error_values(errors, sent)
          kind = values[:first] ? :failed_shown : :failed
          values[:share] < VOID ? warn(kind, **values) : bad(kind, **values)
        end
      end

      # A server is measured while the driver could send much more than it takes.
      class Headroom < Base
        # A null server's rate over this server's: below it a good part of each request is the
        # driver's own.
        BOUND = 3

        WORDS = {
          enough: "%{times|number}x",
          little: "the driver could send at most %{times|figure} times as much, to a server that " \
                  "does nothing: a part of these times is its own. Give it more threads if there " \
                  "are cores for them",
        }.freeze

        private

        def needs = %i[slices empty_per_s]

        def judge
          return unknown(:unmeasured) if measured.empty? || total(:good).zero?

          times = facts[:empty_per_s] / (total(:good) * 1e9 / total(:wall_ns))
          times >= BOUND ? pass(:enough, times:) : warn(:little, times:)
        end
      end

      # A server that works while others are measured slows them: no interleaving cancels that, but
      # ratios are off by this share at most. So it is reported, but never spoils a trial, like a
      # warm-up that does not end: JITs that compile on and on (MJIT was seen to take three quarters
      # of a core after warm-up) would have no row at all.
      class Idle < Base
        # Share of one core. What a server takes from the others moves every ratio to it by as much:
        # twice the smallest difference that matters.
        BUSY = 2 * Verdict::MARGIN

        # With less idle time, what a server does after its last response would count as activity.
        # (Alone in its cohort, or loaded together with all others, a server hardly ever rests.)
        LEAST_NS = 500_000_000

        WORDS = {
          always_loaded: "it was loaded all the time",
          quiet: "it took %{share|percent} of a core while others were measured",
          busy: "it took %{share|percent} of a core while others were measured and slowed them " \
                "(a JIT still compiling, or threads of the application?)",
        }.freeze

        private

        def needs = %i[idle]

        def judge
          wall_ns, cpu_ns = facts[:idle].values_at(:wall_ns, :cpu_ns)
          return unknown(:always_loaded) if wall_ns < LEAST_NS

          share = cpu_ns.clamp(0, nil).fdiv(wall_ns)
          share <= BUSY ? pass(:quiet, share:) : warn(:busy, share:)
        end
      end

      # The JIT that the server's process reports is the one declared, after boot as at the end.
      # Rails 8.1 turns YJIT on by itself, and an application can keep it off in spite of the flag:
      # only the process knows.
      class Jit < Base
        WORDS = {
          unattested: "the server does not report its JIT",
          same: "%{boot}, after boot and at the end",
          changed: "JIT was %{boot} after boot and %{ending} at the end",
          other: "JIT should be %{declared}, but the server reports %{boot}",
          undeclared: "JIT is %{boot}, though no flag asks for it (does the application?)",
        }.freeze

        private

        def needs = [:jit]

        def judge
          declared, boot, ending = facts[:jit].values_at(:declared, :at_boot, :at_end)
          return unknown(:unattested) if boot.nil? || ending.nil?
          return bad(:changed, boot:, ending:) if boot != ending
          return bad(:other, declared:, boot:) if declared && boot != declared
          return warn(:undeclared, boot:) if declared.nil? && optional?(boot)

          pass(:same, boot:)
        end

        def optional?(jit) = facts[:jit][:optional].to_a.include?(jit)
      end

      # An open loop whose requests are not sent while they are due is no longer open: it waits for
      # the server, or for itself. What it measures is then the length of a queue that grows as long
      # as the load lasts, not how long a response takes at that rate.
      class OfferedRate < Base
        # Of what fell due, not sent within the time of its step. The last requests of a step may be
        # under way, or a stall lie there: at a steady rate a queue is over in less than this.
        TOLERANCE = 0.01
        # So few say nothing, however short the step.
        FEWEST = 10

        LATE = "the rate was not held: of %{offered|count} requests that fell due " \
               "%{behind|count} were not sent in time"
        QUEUE = "; response times are those of a queue that grew"

        WORDS = {
          closed_loop: "a closed loop has no rate to hold",
          held: "%{offered|count} fell due and were sent in time",
          late: LATE + QUEUE,
          never: "#{LATE}, %{unsent|count} never#{QUEUE}",
        }.freeze

        private

        def judge
          return unknown(:closed_loop) if open_loops.empty?

          offered, unsent, late = %i[offered unsent late].map { |key| sum(key) }
          behind = unsent + late
          return pass(:held, offered:) if behind <= [TOLERANCE * offered, FEWEST].max

          warn(unsent.positive? ? :never : :late, offered:, behind:, unsent:)
        end

        def sum(key) = open_loops.sum { |slice| slice[key] }
      end

      # A database pool smaller than the server's threads lets them wait for each other, or fail
      # after five seconds (ActiveRecord::ConnectionTimeoutError).
      class Pool < Base
        WORDS = {
          none: "no database pool was found",
          enough: "%{pool|count} database connections for %{threads|count} threads",
          small: "the database pool has %{pool|count} connections for %{threads|count} threads " \
                 "(pool: in config/database.yml, often RAILS_MAX_THREADS)",
        }.freeze

        private

        def needs = [:attested]

        def judge
          pool, threads = facts[:attested].values_at(:pool, :threads)
          return unknown(:none) unless [pool, threads].all?(Integer)

          pool >= threads ? pass(:enough, pool:, threads:) : warn(:small, pool:, threads:)
        end
      end

      # Every worker worked and every connection got responses; otherwise less was measured than was
      # declared.
      class Served < Base
        IDLE = "%{idle|count} of %{declared|count} workers had nothing to do"
        STARVED = "%{starved|count} of %{connections|count} connections got no response"

        WORDS = {
          all: "workers: %{declared|count}, connections: %{connections|count}; all served",
          died: "%{declared|count} workers were declared, %{at_end|count} alive at the end",
          idle: IDLE,
          starved: STARVED,
          idle_and_starved: "#{IDLE}; #{STARVED}",
        }.freeze

        private

        def needs = %i[connections workers]

        def judge
          declared, at_end, served = facts[:workers].values_at(:declared, :at_end, :served)
          return bad(:died, declared:, at_end:) if at_end < declared

          connections, answered = facts[:connections].values_at(:asked, :served)
          idle = [declared - (served || declared), 0].max
          starved = [connections - answered, 0].max
          report(idle:, starved:, declared:, connections:)
        end

        def report(**values)
          kinds = values.slice(:idle, :starved).select { |_, count| count.positive? }.keys
          kinds.empty? ? pass(:all, **values) : warn(kinds.join("_and_"), **values)
        end
      end

      # Warm-up ended because the server was warm, not because time was up.
      class Steady < Base
        WORDS = {
          warm: "warm after %{requests|count} requests in %{seconds|seconds}",
          capped: "not steady: the cost of a response still changed after %{requests|count} " \
                  "requests in %{seconds|seconds}",
        }.freeze

        private

        def needs = [:warm_up]

        def judge
          values = facts[:warm_up].slice(:requests, :seconds)
          facts[:warm_up][:outcome] == "warm" ? pass(:warm, **values) : warn(:capped, **values)
        end
      end

      # Responses took as long at the end as at the beginning. If an application slows down with
      # every request (a list that grows, a leak), or its host does, there is no one speed.
      class Trend < Base
        # Fewer slices say nothing.
        FEWEST = 8
        # By how much responses may have become slower: on a busy shared machine one trial in thirty
        # became slower by more.
        SLOWER = 1.25
        # Standard deviations of the order of the slices: one series in a thousand without a trend.
        CERTAIN = 3.29

        # Steps of a load differ by their rates.
        OF_LOADS = false

        WORDS = {
          few: "too few slices: %{slices|count}",
          none: "none",
          slower: "responses took %{growth|percent} longer at the end of the measurement than at " \
                  "its beginning: the application slows down, or this host did",
        }.freeze

        private

        def judge
          times = measured.filter_map { |slice| time(slice) if slice[:good].positive? }
          return unknown(:few, slices: times.size) if times.size < FEWEST

          grown = Math.exp(Stats::TheilSen.slope(times) * (times.size - 1))
          return pass(:none) if grown < SLOWER || Stats::Kendall.z(times) < CERTAIN

          warn(:slower, growth: grown - 1)
        end

        def time(slice) = Math.log(slice[:latency_sum_ns].fdiv(slice[:good]))
      end
    end
  end
end
