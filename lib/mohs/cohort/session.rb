# frozen_string_literal: true

module Mohs
  module Cohort
    # Trials alive together: boots each, warms each, loads them in turn in mirrored blocks, looks at
    # them once more and stops them. A trial that fails ends by itself; the others go on.
    class Session
      # Seconds of measured load per trial: the method's section 5.
      MEASURE_S = 2

      # Records to have room for before load starts, per trial; more are taken as they come.
      CAPACITY = 100_000

      # What each server gets to stop by itself where somebody waits for mohs to end (Ctrl-C).
      HURRY_S = 0.3

      # cpus: { server: [..], driver: [..] }. emit: told each stage, for whoever shows progress.
      #: (lives: Array[Trial::Life], spec: Plan::Cohort, cpus: Hash[Symbol, Array[Integer]], seed: Integer, ?emit: Proc, ?driver: Class) -> void
      def initialize(lives:, spec:, cpus:, seed:, emit: ->(**) {}, driver: Drivers.fetch("native"))
        @lives = lives
        @spec = spec
        @cpus = cpus
        @seed = seed
        @emit = emit
        @driver_class = driver
      end

      # Runs the cohort. Every server started here has ended when this returns or raises.
      #: () -> void
      def call
        on_driver_cpus do
          each_alive(:boot, &:boot)
          each_alive(:attest, &:attest)
          each_alive(:check, &:check)
          compare_answers
          load_all if alive.any?
        end
        done = true
      ensure
        @driver&.close
        @lives.each { |life| done ? life.stop : life.stop(grace_s: HURRY_S) }
      end

      private

      def alive = @lives.reject(&:over?)

      # mohs itself keeps off the servers' cores: what it does meanwhile would be measured as
      # theirs.
      def on_driver_cpus
        before = Process::CpuSet.available
        Process::CpuSet.pin([::Process.pid], @cpus[:driver])
        yield
      ensure
        Process::CpuSet.pin([::Process.pid], before)
      end

      # One stage of each living trial; its failure is that trial's end and nobody else's.
      def each_alive(stage)
        alive.each { |life| attempt(life, stage) { yield life } }
      end

      def attempt(life, stage, &)
        @emit.call(variant: life.name, stage:)
        quietly(life, &)
      end

      def quietly(life)
        yield
      rescue TrialError => error
        life.end_as(error)
        @emit.call(variant: life.name, stage: :ended, **life.outcome.slice(:state, :reason))
      end

      # Answers that differ from the baseline's in kind mean that two things were asked: no ratio
      # can come of it.
      def compare_answers
        reference = (alive.find { |life| life.name == @spec.baseline } || alive.first) or return
        (alive - [reference]).each { |life| quietly(life) { life.match_answers(reference) } }
      end

      def load_all
        @loaded = alive
        @driver = @driver_class.new(targets: @loaded.map(&:target), threads: 1,
                                    cpus: @cpus[:driver], seed: @seed, capacity: CAPACITY)
        each_alive(:warm) { |life| warm(life) }
        measure if alive.any?
        each_alive(:finish, &:finish)
      ensure
        keep_recordings if @driver
      end

      def keep_recordings
        @loaded.each do |life|
          at = index(life)
          life.recorded(@driver.recording(at), @driver.specimen(at))
        end
      end

      def index(life) = @loaded.index(life)

      # Steps until the rule is content, or its cap is reached: then the row says that it was not
      # steady.
      def warm(life)
        rule = Trial::WarmUp.for(life.setup.ruby.engine, jit: life.setup.expected_jit)
        @driver.watch(index(life), life.lasting)
        life.warming(rule)
        until (count = rule.next).is_a?(Symbol)
          step = Load::Step.new(targets: [index(life)], count:, warm_up: true)
          result = @driver.run([step]).first
          rule << result
          life.loaded(nil, nil, result)
          life.must_answer(1)
          @emit.call(variant: life.name, stage: :warm, requests: rule.requests)
        end
        life.warmed
      end

      # Block by block, so that a server which has stopped answering costs one block and not all of
      # them.
      def measure
        rates = alive.to_h { |life| [life.name, life.warm_up.rate] }
        schedule = Schedule.new(orders: @spec.blocks, rates:, measure_s: MEASURE_S)
        schedule.blocks.each_with_index do |names, block|
          run_block(block, names, schedule.slice_ns)
          alive.each { |life| quietly(life) { life.must_answer(2) } }
          @emit.call(stage: :measure, block: block + 1, of: schedule.block_count)
        end
      end

      def run_block(block, names, duration_ns)
        lives = names.filter_map { |name| alive.find { |life| life.name == name } }
        steps = lives.map { |life| Load::Step.new(targets: [index(life)], duration_ns:, warm_up: false) }
        results = @driver.run(steps)
        lives.zip(results).each_with_index do |(life, result), position|
          life.loaded(block, position, result)
        end
      end
    end
  end
end
