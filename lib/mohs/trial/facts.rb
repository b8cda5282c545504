# frozen_string_literal: true

module Mohs
  class Trial
    # The record of a trial: the facts of its row, its slices, its checks. Decisions only;
    # Cohort::Writer has the effects.
    class Facts
      PERCENTILES = { p50_ns: 0.5, p90_ns: 0.9, p95_ns: 0.95, p99_ns: 0.99, p999_ns: 0.999,
                      max_ns: 1.0 }.freeze

      # Checks whose cause a server's log may tell.
      OF_RESPONSES = %w[answers errors served].freeze
      private_constant :OF_RESPONSES

      # apart: whether the driver has cores of its own. empty_per_s: see Cohort::HeadroomProbe.
      #: (Trial, ?threads: Integer, ?apart: bool, ?empty_per_s: Numeric?) -> void
      def initialize(trial, threads: 1, apart: false, empty_per_s: nil)
        @trial = trial
        @apart = apart
        @empty_per_s = empty_per_s
        @threads = threads
      end

      # The trial's row: invalid if a check says that the figures mean nothing, with the server's
      # last lines if they may say why.
      #: () -> Hash[Symbol, untyped]
      def row
        {
          **partial, **state, latency:,
          checks: checks.map { |finding| Analysis::Checks.dump(finding) }, answers:, connections:,
          warm_up: { **@trial.warm_up.to_h, **unwarmed, **batches }, cores: @trial.cores,
          worker: @trial.worker,
        }
      end

      # The row of a trial that ended early. If its responses were wrong, the diagnosis replaces the
      # reason, which only counts them.
      #: () -> Hash[Symbol, untyped]
      def ended
        return @trial.outcome.merge(partial) unless @trial.diagnosis

        finding = Analysis::Checks::Answers.new.call(facts_of_answers)
        { **@trial.outcome, **partial, reason: nil, checks: [Analysis::Checks.dump(finding)] }
      end

      # What is known of any trial, apart from its outcome.
      #: () -> Hash[Symbol, untyped]
      def partial
        {
          boot_ns: @trial.boot_ns, requests: slices.sum { |slice| slice[:sent] },
          attested:, memory:, versions: @trial.setup.versions,
          notes:, specimen: first_failed, front: @trial.front_cost, services: @trial.services,
          readings: (@trial.readings if @trial.readings.any?), found: @trial.found,
        }.compact
      end

      # Every step of load in order, warm-up first, as rows.
      #: () -> Array[Hash[Symbol, untyped]]
      def slices
        @slices ||= @trial.samples.map do |sample|
          facts = sample.result.to_h.except(:step, :target, :connections, :streams)
          facts[:streams] = sample.result.streams if sample.result.streams
          facts.merge(block: sample.block, position: sample.position,
                      **{ half: sample.half }.compact, **response(sample.result))
        end
      end

      #: () -> Array[Analysis::Finding]
      def checks = @checks ||= Analysis::Checks.call(check_facts, streams: streams?)

      private

      def state
        spoiled = Analysis::Checks.spoiled(checks)
        return { state: "measured" } unless spoiled
        return { state: "invalid" } unless OF_RESPONSES.include?(spoiled.member)

        { state: "invalid", log_tail: @trial.log_excerpt }
      end

      def notes = [*@trial.setup.notes, job_queue, left_out, chatter].compact

      def job_queue
        facts = @trial.job_queue or return
        jobs = @trial.setup.jobs
        Analysis::Finding.note("job_queue", **facts, **jobs.to_h.slice(:count, :worker))
      end

      def left_out
        @trial.left_out && Analysis::Finding.note("left_out", **@trial.left_out)
      end

      def chatter
        bytes = @trial.logged_per_request or return
        Analysis::Finding.note("chatter", variant: @trial.name, bytes_per_request: bytes.round)
      end

      # As Analysis::Checks::Base lists them.
      def check_facts
        {
          **facts_of_answers, recorded: @trial.recording.size, threads: @threads, connections:,
          stalls:, connects:, jit:, workers:, attested:,
          warm_up: @trial.warm_up.to_h, idle: @trial.idle, apart: @apart,
          held: @trial.setup.held, programs:, memory_bytes: @trial.memory.dig(:at_end, :tree_bytes),
          empty_per_s: @empty_per_s, cold_batches:,
        }
      end

      def connects
        Analysis::Checks::Connects.count(@trial.recording, @trial.samples.map(&:result))
      end

      # Attested facts, after the load if the trial got that far: they describe the warm server. Its
      # variables may come from the shell and be undeclared secrets, so they are masked.
      def attested
        facts = @trial.attested&.merge(@trial.attested_at_end.to_h)
        return facts unless facts&.key?(:variables)

        shown = facts[:variables].to_h { |name, value| [name, redact(Secrets.mask(name, value))] }
        { **facts, variables: shown }
      end

      def facts_of_answers
        { slices:, answers:, specimen: first_failed, diagnosis: @trial.diagnosis,
          scenario: !@trial.scenario.nil? }
      end

      def stalls
        Analysis::Checks::Stalls.count do |low, high|
          @trial.recording.count_between(:service, low, high)
        end
      end

      def jit
        { declared: @trial.setup.expected_jit, at_boot: @trial.attested[:jit],
          at_end: @trial.attested_at_end[:jit] }
      end

      def workers
        reforks = { replaced: nil } if @trial.setup.variant.refork # as it should
        { declared: @trial.declared_workers, slices: measured.size, **@trial.worker_use.to_h,
          **reforks.to_h }
      end

      def programs
        slices = measured
        { cpu_ns: @trial.programs_ns, requests: slices.sum(&:good),
          own_ns: (slices.sum(&:cpu_ns) if slices.all?(&:cpu_ns)) }
      end

      # Without the bodies: they can be large, and the recording knows which responses were correct.
      # No responses are learned for a scenario.
      def answers
        return [] if @trial.scenario

        @trial.answers.map do |answer|
          answer.to_h.slice(:status, :type, :length, :expect, :title, :note)
                .merge(request: answer.request.to_s, kind: answer.kind.to_s)
        end
      end

      # Over the measured slices: connections asked for, connections opened and lost in all, and
      # connections that served in the best slice; and that they waited for a thread, if that is
      # known from a load alone.
      def connections
        each = measured.map(&:connections)
        { asked: each.map { |one| one[:asked] }.max.to_i, opened: each.sum { |one| one[:opened] },
          lost: each.sum { |one| one[:lost] }, served: each.map { |one| one[:served] }.max.to_i,
          crowded: @trial.crowded }.compact
      end

      # Of several requests it is not known which one the response belongs to; a body of which only
      # the length is checked differs anyway.
      def first_failed
        failed, redact = @trial.first_failed, @trial.setup.redaction
        return unless failed

        only = @trial.answers.to_a.size == 1 && @trial.answers.first
        difference = failed.difference(only.body, redact) if only && only.kind == :body
        { **failed.summary(redact), **{ difference: }.compact }
      end

      # What its JIT had yet to do when it began to be measured, on average over its workers;
      # nothing is known of a server that attests no engine.
      def unwarmed
        return {} unless @trial.attested[:engine]

        served = slices.take_while { |slice| slice[:block].nil? }.sum { |slice| slice[:good] }
        shares = unwarmed_after(served)
        shares = shares.merge(unwarmed_after(0)) { |_, warm, cold|
          warm + (cold_share * (cold - warm))
        } if cold_share.positive?
        shares.transform_values { |share| share.round(4) }
      end

      # With the times of pages that leave more to gain.
      def unwarmed_after(count)
        compiles = @trial.last_jit != Rubies::Engines::Base::NO_JIT
        found = page_lists.map { |pages| @trial.warm_up.unwarmed(count, compiles:, pages:) }
        found.reduce { |most, shares| most.merge(shares) { |_, *both| both.max } }
      end

      # Of its workers, those that began after the warm-up.
      def cold_share
        replaced, at_end = workers.values_at(:replaced, :at_end)
        replaced.to_i.positive? ? replaced.fdiv(at_end) : 0.0
      end

      # The pages of a scenario by the times of its steps, which only the load shows: as measured
      # and, as requests may have waited in the server, less the shortest step's time, the longest
      # wait that all steps can share. Else [nil]: those that the warm-up knows.
      def page_lists
        scenario = @trial.scenario or return [nil]
        @page_lists ||= begin
          times = times_of(scenario)
          shortest, longest = times.compact.minmax
          [0, *(shortest if shortest != longest)].map do |wait|
            WarmUp::Pages.of_scenario(scenario) { |step| times[step]&.-(wait) }
          end
        end
      end

      def times_of(scenario)
        scenario.steps.each_index.map do |step|
          @trial.recording.of_request(step).quantiles(:service, [0.5]).first
        end
      end

      # The batches of a cold start are the first load.
      def cold_batches = (@trial.warm_up.to_h.fetch(:windows) if cold?)

      def cold? = @trial.warm_up.is_a?(Batches)

      # The batches of a cold start.
      def batches
        return {} unless cold?

        rule = @trial.warm_up
        { batches: rule.batches(@trial.recording), **rule.compiled }
      end

      # Memory with the heap of a virtual machine: how much of the resident memory it has taken.
      def memory
        heaps = { after_boot: @trial.attested, at_end: @trial.attested_at_end }
        points = @trial.memory.to_h do |at, point|
          processes = point[:processes]&.map { |one| { **one, name: redact(one[:name]) } }
          [at, { **point, processes:, heap: heaps[at].to_h[:heap] }.compact]
        end
        { **points, peak_rss_bytes: @trial.peak_rss_bytes }
      end

      def redact(text) = @trial.setup.redaction.call(text)

      # With a given rate, a request that waits for the responses to others has waited since it was
      # due, wherever the queue is; so has a stream until its first event.
      def kind = streams? || measured.any?(&:offered) ? :response : :service

      def streams? = @trial.samples.any? { |sample| sample.result.streams }

      # With a given rate, the median response time of a slice replaces that of service times.
      def response(result)
        return {} unless result.offered

        from_ns = result.started_ns
        median = @trial.recording.due_between(from_ns, from_ns + result.wall_ns)
                                 .ranked(:response, [0.5]).first
        { p50_ns: median&.exact_ns }
      end

      def latency
        ranked = PERCENTILES.keys.zip(@trial.recording.ranked(kind, PERCENTILES.values)).to_h
        endless = ranked.compact.select { |_, one| one.more }
        bound = { unanswered: endless.keys.map(&:to_s), longest_ns: endless[:max_ns]&.ns }
        { **ranked.transform_values { |one| one&.exact_ns },
          **(kind == :response ? { kind: } : {}),
          count: @trial.recording.good, **(endless.any? ? bound : {}) }
      end

      def measured = Store::Slice.measured(@trial.samples).map(&:result)
    end
  end
end
