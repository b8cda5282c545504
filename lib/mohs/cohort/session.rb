# frozen_string_literal: true

module Mohs
  module Cohort
    # A cohort's trials: boots each, warms each up, loads them in turn in mirrored blocks, inspects
    # them once more and stops them. A trial that fails ends alone; the others go on. But if it
    # fails while others of its wave warm up, mohs's own load may be the reason: Disturbed is
    # raised.
    class Session
      # failures: of each variant whose trial is no result, the `reason` if its server ended or has
      # stopped responding, and `errors`, how many requests failed by each class of error
      # (Load::StepResult#errors).
      class Disturbed < StandardError
        attr_reader :failures

        #: (Hash[String, { reason: Reason?, errors: Hash[String, Integer] }]) -> void
        def initialize(failures)
          @failures = failures
          super(variants.join(", "))
        end

        #: () -> Array[String]
        def variants = failures.keys
      end

      # Records to allocate per trial before load starts; more are added as they are needed.
      CAPACITY = 100_000

      # Seconds in which the requests in flight when a slice ends are answered, at most: as long as
      # one may wait for its turn (Trial#target).
      DRAIN_S = Trial::LONGEST_TURN_S

      # Seconds that each server may take to stop by itself after Ctrl-C.
      HURRY_S = 0.3

      # Seconds between the last slice and the end of a cohort: loads that make numbers of requests
      # equal, last readings, stops.
      LAST_S = 2

      # How much longer than its warm-up a step of it may go on sending, where a server became far
      # slower.
      GRACE_NS = 2_000_000_000

      # Loads before the slices: not measured, and each has another after it.
      BEFORE = { warm_up: true, followed: true }.freeze

      # The share of the time until a deadline that warm-ups may take.
      WARM_UPS = 0.8

      # trials: in the order of the layout's places. emit: called with each stage, to show progress.
      # blocks: how many, if known from earlier cohorts. shield: if one was requested. late: given
      # the names of the variants that are not warm yet, returns those for which the run has no
      # time. cold_start: if the first load is recorded in batches; not for the `recorded` variants,
      # whose cold start this round already has. driver: makes one from its options. last_load: of
      # each trial alone, after the blocks (Loading#last_load). pass: called between two of these,
      # while no load runs; raises EnvironmentError if the machine is not handed back. rates:
      # Study#rates. warm_up_s: the cap of a warm-up; nil: its engine's. requests, slice_s: as in
      # Procedure::Loading. streams: if event streams are measured; the driver opens them.
      # deadline_ns: by the monotonic clock, until when the run has time for this cohort (nil: no
      # limit): slices are cut for it, and warm-ups if cut_warm_ups. aim_ns: until when it should be
      # over (nil: no matter): slices are cut for it.
      #: (trials: Array[Trial], layout: Cohort::Layout, spec: Plan::CohortSpec, seed: Integer, ?blocks: Integer?, ?emit: Proc, ?driver: ^(**untyped) -> Drivers::Base, ?shield: Process::Shield?, ?late: ^(Array[String]) -> Array[String], ?cold_start: Study::ColdStart?, ?recorded: Array[String], ?last_load: untyped, ?pass: Proc, ?rates: Array[Numeric], ?warm_up_s: Numeric?, ?requests: Integer?, ?slice_s: Numeric?, ?streams: Study::Streams?, ?deadline_ns: Integer?, ?aim_ns: Integer?, ?cut_warm_ups: bool) -> void
      def initialize(trials:, layout:, spec:, seed:, blocks: nil, emit: ->(**) {},
                     driver: Drivers.fetch("native").method(:new), shield: nil,
                     late: ->(_cold) { [] }, cold_start: nil, recorded: [], last_load: nil,
                     pass: -> {}, rates: [], warm_up_s: nil, requests: nil, slice_s: nil,
                     streams: nil, deadline_ns: nil, aim_ns: nil, cut_warm_ups: true)
        @trials = trials
        @layout = layout
        @spec = spec
        @seed = seed
        @blocks = blocks
        @emit = emit
        @telling = Mutex.new
        @watch = Watch.new
        @crowds = Crowds.new
        @new_driver = driver
        @shield = shield
        @late = late
        @last_load = last_load
        @pass = pass
        @rates = rates
        @warm_ups = WarmUps.new(spreads: method(:spread_of), cap_s: warm_up_s, cold_start:,
                                recorded:, streams:)
        @requests = requests
        @slice_s = slice_s
        @streams = streams
        @warm_by_ns = (deadline_ns if cut_warm_ups)
        @aim_ns = [deadline_ns, aim_ns].compact.min
      end

      # Runs the cohort. Every server started here has ended when this returns or raises.
      #: () -> void
      def call
        Interruption.held do
          # On the servers' cores, mohs's own work would be measured as the servers'.
          Process::CpuSet.keep_to(@layout.driver_cpus) { Interruption.heard { measure_all } }
          done = true
        ensure
          @shield&.down
          @driver&.close
          stop(done ? {} : { grace_s: HURRY_S })
        end
      end

      private

      def measure_all
        alive.select(&:services?).each do |one|
          attempt(one, :services) do
            one.start_services { tell(variant: one.name, stage: :prepare) }
          end
        end
        in_groups(:boot, &:boot)
        in_groups(:attest, &:attest)
        compare_settings
        return leave_out if pointless?

        in_groups(:check, &:check)
        compare_answers
        measurable? ? load_all : leave_out
      end

      def alive = @trials.reject(&:over?)

      # A trial without the partner that it is loaded with would be measured under other conditions.
      def measurable? = @layout.at_once > 1 ? @trials.none?(&:over?) : alive.any?

      # Trials that warm up at the same time, since each has cores of its own.
      def waves = @trials.each_slice(@layout.lanes.size)

      # One stage of each living trial. Only those that are loaded at once boot at once: two boots
      # disturb each other's time, and may fail over what they share (a migration, a folder).
      def in_groups(stage, &)
        @trials.each_slice(@layout.at_once) do |group|
          in_threads(group.reject(&:over?)) { |trial| attempt(trial, stage, &) }
        end
      end

      # The servers of a wave share the time of their warm-ups, if they are measured in turns: as
      # TimeLeft counts.
      def wave(trials) = wave?(trials) ? { wave: trials.map(&:name) } : {}

      def wave?(trials) = @layout.at_once == 1 && trials.size > 1

      # One stage of each living trial; a failure ends only that trial.
      def each_alive(stage, &)
        alive.each { |trial| attempt(trial, stage, &) }
      end

      # Runs one thread per trial if there are several; no thread is left when this returns or
      # raises.
      def in_threads(trials, &)
        return trials.each(&) if trials.size < 2

        ended = Thread::Queue.new
        threads = trials.map { |trial| thread(ended) { yield trial } }
        trials.size.times { ended.pop.join } # what one raises is noticed while others still run
      ensure
        threads&.each { |thread| thread.kill.join }
      end

      def thread(ended)
        Thread.new do
          Thread.current.report_on_exception = false
          yield
        ensure
          ended << Thread.current
        end
      end

      def attempt(trial, stage, &)
        tell(variant: trial.name, stage:)
        quietly(trial, &)
      end

      def tell(**facts) = @telling.synchronize { @emit.call(**facts) }

      def quietly(trial)
        yield trial
      rescue TrialError => error
        trial.end_as(error)
        tell(variant: trial.name, stage: :ended, **trial.outcome.slice(:state, :reason))
      end

      # Is there nothing to compare with, or a setting that is not what was asked for?
      def pointless?
        unmet = @trials.select(&:unmet?)
        unmet.any? && (alive.map(&:name).uniq.size < 2 ||
          unmet.any? { |trial| trial.outcome[:reason].code != Store::Trial::SAME_JIT })
      end

      # Compares the settings of each two variants, those of the baseline first: it stays.
      def compare_settings
        first, others = alive.partition { |trial| trial.name == @spec.baseline }
        [*first, *others].combination(2) do |one, other|
          quietly(other) { other.must_differ_from(one) } unless one.over? || other.over?
        end
      end

      # Compares servers that get the same requests, with the baseline if it is among them.
      # Responses of different kinds mean that two servers serve different things: their ratio means
      # nothing.
      def compare_answers
        alive.group_by { |trial| trial.setup.requests }.each_value do |trials|
          reference = trials.find { |trial| trial.name == @spec.baseline } || trials.first
          (trials - [reference]).each { |trial| quietly(trial) { trial.match_answers(reference) } }
        end
      end

      def load_all
        @loaded = alive
        @driver = @new_driver.call(targets: @loaded.map(&:target), threads: @layout.threads,
                                   cpus: @layout.driver_cpus, seed: @seed, capacity: CAPACITY,
                                   paced: true, **drain)
        waves.each do |wave|
          leave_late
          in_lanes(wave) { warm(wave.reject(&:over?)) }
        end
        leave_late
        alive.each { |trial| settle(trial) if trial.warm_up.settle_s.positive? }
        alive.each { |trial| quietly(trial) { spread(trial) } }
        alive.each { |trial| quietly(trial, &:attest_warm) }
        compare_settings
        return leave_out if pointless?

        shielded { measure } if measurable?
        load_each_alone if @last_load
        measurable? ? finish : leave_out
      ensure
        keep_recordings if @driver
      end

      # In an open loop, what waits longer than usual is a queue that grows.
      def drain = @rates.any? ? {} : { drain_s: DRAIN_S }

      # What a trial has measured stays, even if another turns out to be the same.
      def finish
        each_alive(:finish, &:finish)
        compare_settings
      end

      # Leaves out variants that the run has no time for, before they are warmed up. Servers that
      # are loaded together stay together.
      def leave_late
        return if @layout.at_once > 1

        cold = alive.reject(&:warm_up)
        late = @late.call(cold.map(&:name))
        cold.select { |trial| late.include?(trial.name) }.each do |trial|
          quietly(trial) do
            raise TrialError.new("left out: the run has no time for it", code: "no_time_left",
                                                                         state: :lost, log_tail: "")
          end
        end
      end

      # Waits until the server's compilers are idle.
      def settle(trial)
        tell(variant: trial.name, stage: :settle)
        Trial::IdleWait.await(trial.warm_up.settle_s) { trial.pids }
      end

      # Shields the servers only now: a shielded compiler would starve everyone else during warm-up.
      def shielded
        @shield&.up(alive.flat_map(&:supervisors))
        yield
      ensure
        @shield&.down(driver: @driver.sched_class)
      end

      # Ends trials whose partner never responded, or stopped responding, as lost: their figures
      # were not measured as they should have been, which is not their fault.
      def leave_out
        missing = @trials.select(&:over?).map(&:name).uniq
        alive.each do |trial|
          trial.end_as(TrialError.new("left out: #{missing.join(', ')} failed", state: :lost,
                                      log_tail: "", code: "partner_failed", values: { missing: }))
        end
      end

      def keep_recordings
        @loaded.each do |trial|
          at = index(trial)
          trial.recorded(@driver.recording(at), @driver.first_failed(at))
        end
      end

      def index(trial) = @loaded.index(trial)

      # Closes the driver first: its connections would hold threads of servers that use one per
      # connection. A server that ends meanwhile is noticed by `finish`.
      def load_each_alone
        keep_recordings
        @driver.close
        @driver = nil
        waiting = alive
        while (trial = waiting.shift)
          tell(variant: trial.name, stage: :last_load)
          quietly(trial) { @last_load.call(trial) }
          pass(waiting) if waiting.any?
        end
      end

      # If the machine is not handed back, the trials in `waiting` end as lost, and what the others
      # have found is kept.
      def pass(waiting)
        @pass.call
      rescue EnvironmentError => error
        waiting.shift(waiting.size).each do |trial|
          quietly(trial) do
            raise TrialError.new("left out: #{error.message}", code: "machine_kept", state: :lost,
                                                               log_tail: "")
          end
        end
      end

      # A server that borrows a core goes back to its own when all of its wave are warm.
      def in_lanes(wave)
        move(wave, @layout.lanes)
        yield
        move(wave, @layout.places.map(&:cpus))
      end

      def move(wave, cores)
        wave.zip(cores) { |trial, cpus| quietly(trial) { trial.move(cpus) } unless trial.over? }
      end

      # Runs steps until each rule has decided: if a server is not warm then, its row says so, or
      # has no figures because it still got faster.
      def warm(trials)
        trials.each { |trial| log_in(trial) if trial.scenario&.login }
        trials = trials.reject(&:over?)
        trials.each do |trial|
          tell(variant: trial.name, stage: :warm, requests: 0, **wave(trials))
          trial.warming(@warm_ups.for(trial) { warm_up_left_s })
          look_for_crowd(trial) unless cold_start?(trial)
          read_jit(trial)
        end
        watch(trials)
        trials.each { |trial| quietly(trial) { spread(trial) } unless cold_start?(trial) }
        loop do
          while (cold = trials.select { |trial| cold?(trial) }).any?
            @layout.at_once > 1 ? warm_step(trials.reject(&:over?), cold) : warm_alike(cold)
          end
          trials.reject(&:over?).each(&:await_workers)
          watch(trials)
          break if trials.none? { |trial| cold?(trial) }
        end
        trials.reject(&:over?).each { |trial| quietly(trial, &:warmed) }
      end

      # Before the warm-up (in a cold start after the batches), so that each process is warmed up,
      # and after it, as a server may have replaced some. Not where connections wait for a thread:
      # they are opened again for each slice (Repeats).
      def spread(trial)
        return if trial.over? || @streams || crowded?(trial)

        counted, open = !by_chance?(trial), !cold?(trial)
        Seating.call(trial, spread_of(trial), counted:, open:) do |**amount|
          load_alone(trial, **amount)
        end
      end

      def spread_of(trial) = @watch.spread(trial)

      # Not measured.
      def load_alone(trial, **amount)
        result = load_together([trial], **BEFORE, **amount).first.last
        trial.loaded(nil, nil, result)
        trial.must_answer(1)
        result
      end

      def crowded?(trial) = @streams.nil? && @crowds.crowded?(trial)

      # Before it warms up: each step would last as long as the waits. If its first requests are
      # measured, right after these.
      def look_for_crowd(trial)
        return if @streams || trial.over?

        quietly(trial) do
          @crowds.look(trial) { |**amount| load_alone(trial, **amount) }
          trial.crowded = true if @crowds.seen?(trial)
        end
      end

      # Seconds until then, without those that the end of the cohort should have; nil without a
      # deadline.
      def left_s(end_ns) = end_ns && [((end_ns - Clock.mono_ns) / 1e9) - LAST_S, 0].max

      # What the warm-up of a wave may take, in equal shares; nil: as long as it needs.
      def warm_up_left_s
        return unless @warm_by_ns

        cold = waves.count { |wave| wave.any? { |trial| cold?(trial) } }
        WARM_UPS * left_s(@warm_by_ns) / [cold, 1].max # the last one may have died just now
      end

      def cold?(trial) = !trial.over? && trial.warm_up&.outcome.nil?

      def cold_start?(trial) = trial.warm_up.is_a?(Trial::Batches)

      def log_in(trial)
        attempt(trial, :login) { trial.log_in(@driver, index(trial)) }
      end

      # Only in a cold start. No trial is under load now, since each step loads all of them.
      def read_jit(trial)
        trial.take_jit_reading if cold_start?(trial) && trial.warm_up.reads? && !trial.over?
      end

      # Lets the driver read their CPU time. A server may replace its workers while it warms up.
      def watch(trials)
        trials.reject(&:over?).each do |trial|
          new = @watch.renew(trial, driver: @driver, index: index(trial))
          trial.warm_up.begin_again if new && !trial.setup.reforks? && trial.warm_up.left_s
        end
      end

      # Servers that are measured in turns wait idle once they are warm. Those that are as cold as
      # the first and about as fast are loaded beside it: a step has the same number of requests for
      # each, and lasts as long as its slowest server.
      def warm_alike(cold)
        first, *others = cold
        alike = [first, *others.select { |trial| trial.warm_up.alike?(first.warm_up) }]
        warm_step(alike, alike)
      end

      # In a duet, a server that is already warm is loaded beside the other: both are measured under
      # that load, and in the end have served the same number of requests.
      def warm_step(trials, cold)
        watch(trials)
        count = cold.map { |trial| trial.warm_up.next }.max
        anew = { hang_up: true } if trials.any? { |trial| @watch.outnumbered?(trial) }
        results = load_together(trials, count:, limit_ns: limit_ns(trials), **anew.to_h, **BEFORE)
        results.each { |trial, result| trial.loaded(nil, nil, result) }
        raise_if_disturbed(results) if wave?(trials)
        results.each do |trial, result|
          quietly(trial) { trial.must_answer(1) }
          next unless cold.include?(trial)

          trial.warmed_by(result)
          respread(trial, count)
          read_jit(trial)
          recorded(trial) if cold_start?(trial) && trial.warm_up.recorded?
          tell(variant: trial.name, stage: :warm, requests: trial.warm_up.requests,
               per_s: trial.warm_up.rate, **wave(cold))
        end
      end

      # In a step, a server may become far slower than it was, and the others wait for it.
      def limit_ns(trials)
        left_s = trials.filter_map { |trial| trial.warm_up.left_s }.min
        (left_s * 1e9).ceil + GRACE_NS if left_s
      end

      # A process that gets no requests would be measured cold.
      def respread(trial, count)
        return if @streams || !cold?(trial) || cold_start?(trial)

        quietly(trial) { spread(trial) } if @watch.starves?(trial, count)
      end

      # Its batches are over: what comes before the warm-up of others comes now.
      def recorded(trial)
        look_for_crowd(trial)
        quietly(trial) { spread(trial) }
      end

      # What fails under mohs's load on another server (a lock that both want, memory) is no fault
      # of this one.
      def raise_if_disturbed(results)
        found = results.to_h do |trial, result|
          [trial.name, { reason: failing(trial), errors: result.faults }]
        end
        disturbed = found.select { |_, one| one[:reason] || one[:errors].any? }
        raise Disturbed.new(disturbed) if disturbed.any?
      end

      def failing(trial)
        trial.must_answer(1)
        nil
      rescue TrialError => error
        error.reason
      end

      # Runs one step on all of them: [[trial, Load::StepResult]].
      def load_together(trials, **amount) = trials.zip(run([step(trials, **amount)]))

      def step(trials, **amount)
        Load::Step.new(targets: trials.map { |trial| index(trial) },
                       hang_up: trials.any? { |trial| crowded?(trial) }, **amount)
      end

      # The driver gets the servers' scheduling class: they may have lost the shield meanwhile.
      def run(steps)
        @driver.sched_class = @shield.sched_class if @shield
        @driver.run(steps)
      end

      # Runs block by block, so that a server that has stopped responding costs one block, not all.
      def measure
        schedule = schedule()
        tell(stage: :outlook, **%i[slices_s waiting_s].zip(schedule.seconds).to_h)
        alive.each(&:measuring)
        @restless = Restless.among(alive.select { |trial| by_cpu_time?(trial) }, @watch.pids)
        schedule.blocks.each_with_index do |steps, block|
          run_block(block, steps, duration_ns: schedule.slice_ns, edge_ns: schedule.edge_ns)
          alive.each { |trial| quietly(trial) { trial.must_answer(2) } }
          alive.each { |trial| trial.take_reading(block) }
          break unless measurable?

          tell(stage: :measure, block: block + 1, of: schedule.block_count)
        end
        (alive - @restless).each do |trial|
          ComputedRates.give(trial, spread_of(trial)) if by_cpu_time?(trial)
        end
        alive.each { |trial| quietly(trial, &:measured) }
        level if @layout.at_once > 1 && measurable?
      end

      def schedule
        same = alive.group_by(&:name)
        rates = same.transform_values { |trials| trials.map { |trial| trial.warm_up.rate }.min }
        crowds = same.transform_values do |trials|
          trials.map { |trial| @crowds.of(trial) }.transpose.map(&:max)
        end
        Schedule.new(orders: @spec.blocks, rates:, crowds:, count: @blocks,
                     at_once: @layout.at_once, brief: @spec.brief, given: @rates,
                     requests: @requests&.*(same.values.map(&:size).max), slice_s: @slice_s,
                     streams: @streams, within_s: left_s(@aim_ns))
      end

      # Takes the driver's results in their order: step by step, in each step by target.
      def run_block(block, steps, **slice)
        loaded = steps.map { |places| places.filter_map { |name, worker| at(name, worker) } }
                      .reject(&:empty?)
        positions, turns = (0..).each, Hash.new(0)
        CoreSwap.new(@layout, @driver).parts(loaded) do |part|
          next if part.flatten.any?(&:over?)

          results = evenly(part.map do |trials|
            step(trials, **slice, **due(trials, block, turns[trials.first] += 1))
          end)
          part.each do |trials|
            position = positions.next
            trials.each { |trial| keep(trial, block, position, results.shift) }
          end
        end
      end

      # Runs steps, and those again that left a process of a server without a connection.
      def evenly(steps)
        @repeats ||= Repeats.new(@driver, @loaded,
                                 spreads: ->(one) { spread_of(one) unless by_chance?(one) })
        @repeats.call(steps) { |some| run(some) }
      end

      def keep(trial, block, position, result)
        trial.loaded(block, position, result)
        trial.unevenly_loaded unless by_chance?(trial) || spread_of(trial).even?(result)
      end

      # May CPU time tell its rate? In an open loop the schedule decides it.
      def by_cpu_time?(trial)
        !@streams && trial.rate.nil? && gvl?(trial) && spread_of(trial).long?(trial.warm_up.rate)
      end

      def gvl?(trial)
        engine = trial.attested.to_h[:engine] and Rubies::Engines.named(engine)::GVL
      end

      # Does chance decide which process has the next request, so that few need not be even?
      def by_chance?(trial)
        @streams || trial.rate || @driver.targets[index(trial)].keep_alive == :asked
      end

      # The arrivals of requests, or of messages, if they fall due at a rate; else {}. In each half
      # of a block, all trials with the same rate get the same due times, so that none has more
      # bursts than another. Servers that are loaded together have no rate.
      def due(trials, block, turn)
        rate = trials.first.rate || @streams&.messages_per_s
        return {} unless rate&.positive?

        seed = @seed + block + (turn * Plan::CohortSpec::BLOCKS)
        { arrivals: Load::Arrivals.new(kind: :poisson, rate_per_s: rate, seed:) }
      end

      def at(name, worker)
        alive.find { |trial| trial.name == name && (@layout.exchange || trial.worker == worker) }
      end

      def level
        level = Equalizer.new(@trials)
        @trials.size.times do
          behind, count = level.turn
          count or return
          load_together(behind, count:, limit_ns: Equalizer::LIMIT_NS, warm_up: true)
            .each { |trial, result| trial.loaded(nil, nil, result) }
        end
      end

      def stop(options) = in_threads(@trials) { |trial| trial.stop(**options) }
    end
  end
end
