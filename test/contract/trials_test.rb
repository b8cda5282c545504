# frozen_string_literal: true

require "delegate"
require "test_helper"

module Mohs
  # What Cohort::Session relies on, held against the trial with a server (`mock`) and against the
  # double that unit tests take instead.
  class TrialsTest < TestCase
    Result = Struct.new(:good, :sent, :gone, :errors, keyword_init: true)
    GOOD = Result.new(good: 3, sent: 3, gone: false, errors: {}).freeze
    BAD = Result.new(good: 0, sent: 2, gone: false, errors: { "timeout" => 2 }).freeze

    Shield = Struct.new(:sched_class) do
      def up(_supervisors) = nil
      def down(driver: :none) = driver
    end

    # A trial that keeps which calls came from outside: { name => [positional, keywords] }.
    class Heard < DelegateClass(TrialDouble)
      attr_reader :heard

      def initialize(trial)
        super
        @heard = {}
      end

      TrialDouble.public_instance_methods(false).each do |name|
        define_method(name) do |*arguments, **options|
          (@heard[name] ||= []) << [arguments.size, options.keys]
          super(*arguments, **options)
        end
      end
    end

    # What Session calls, as it did for a trial that goes well, one that fails and two that stop
    # early: { name => [[positional, keywords], ...] }.
    CALLS = {
      attest: [[0, []]], attest_warm: [[0, []]], attested: [[0, []]],
      await_workers: [[0, []]], boot: [[0, []]], check: [[0, []]], cores: [[0, []]],
      end_as: [[1, []]], finish: [[0, []]], half: [[0, []]], :half= => [[1, []]],
      lasting: [[0, []]], loaded: [[3, []]], log_in: [[2, []]], match_answers: [[1, []]],
      measuring: [[0, []]], move: [[1, []]],
      must_answer: [[1, []]], must_differ_from: [[1, []]], name: [[0, []]], unmet?: [[0, []]],
      outcome: [[0, []]], over?: [[0, []]], pages: [[0, []]],
      pids: [[0, []]], rate: [[0, []]], recorded: [[2, []]], samples: [[0, []]],
      scenario: [[0, []]], measured: [[0, []]], sent: [[0, []]], services?: [[0, []]],
      setup: [[0, []]], start_services: [[0, []]], stop: [[0, []], [0, [:grace_s]]],
      supervisors: [[0, []]], take_jit_reading: [[0, []]], take_reading: [[1, []]],
      take: [[1, [:error]]], target: [[0, []]], warm_up: [[0, []]],
      warmed_by: [[1, []]], warmed: [[0, []]], warming: [[1, []]], worker: [[0, []]],
      workers: [[0, []]],
    }.freeze

    test "a session calls nothing but what is compared here" do
      heard = sessions.flat_map { |trials| trials.map(&:heard) }
                      .reduce { |all, one| all.merge(one) { |_, old, new| old + new } }
      found = heard.transform_values { |calls| calls.uniq.sort_by { |call| call.flatten.size } }

      assert_equal CALLS, found
    end

    test "double and trial take the same arguments for each of these calls" do
      CALLS.each do |name, calls|
        calls.each do |positional, keywords|
          [Trial, TrialDouble].each do |member|
            assert takes?(member.public_instance_method(name), positional, keywords),
                   "#{member}##{name} with #{positional} arguments and #{keywords}"
          end
        end
      end
    end

    %i[trial double].each do |member|
      test "#{member}: a life that goes well" do
        with(member) do |trial|
          assert_nil trial.outcome
          %i[boot attest check].each { |stage| trial.public_send(stage) }
          assert_equal ["it", "ruby", 0], [trial.name, trial.setup.engine, trial.worker]
          assert_includes [nil, "off"], trial.attested[:jit]
          assert(trial.supervisors.one? && trial.supervisors.all?(Integer))
          assert_equal [false, trial.pids], [trial.services?, trial.all_pids]
          assert(trial.lasting.any? && trial.lasting.all?(Integer) && trial.pids.all?(Integer))
          assert_equal [Load::Target, "it"], [trial.target.class, trial.target.name]
          warm(trial)
          trial.measuring
          trial.loaded(0, 1, GOOD)
          assert_nil trial.must_answer(2)
          refute_predicate trial, :over?
        end
      end

      test "#{member}: what was loaded is kept as samples, and what was recorded" do
        with(member) do |trial|
          trial.boot
          warm(trial)
          trial.half = 1
          trial.loaded(0, 4, BAD)
          trial.recorded(:recording, nil)

          assert_equal [[nil, nil, GOOD, nil], [0, 4, BAD, 1]], trial.samples.map(&:to_a)
          assert_equal [5, :recording], [trial.sent, trial.recording]
        end
      end

      test "#{member}: the answers of one are compared with those of another" do
        with(member) do |one|
          with(member, name: "other") do |other|
            [one, other].each(&:boot).each(&:check)
            one.match_answers(other)

            assert_nil one.outcome
          end
        end
      end

      test "#{member}: a server that refuses raises a TrialError, which ends the life once" do
        with(member, fails: :boot) do |trial|
          error = assert_raises(TrialError) { trial.boot }
          trial.end_as(error)
          trial.end_as(TrialError.new("later", code: "late", state: :lost, log_tail: ""))

          assert_predicate trial, :over?
          assert_equal error.state.to_s, trial.outcome[:state]
          assert_includes trial.outcome[:reason].summary, error.reason.summary
        end
      end

      test "#{member}: load without a right answer raises a TrialError" do
        with(member, fails: :measure) do |trial|
          trial.boot
          warm(trial)
          trial.loaded(0, 0, BAD)

          assert_kind_of Symbol, assert_raises(TrialError) { trial.must_answer(1) }.state
        end
      end

      test "#{member}: stopping, in a hurry or not, does no harm a second time" do
        with(member) do |trial|
          trial.boot
          trial.stop
          trial.stop(grace_s: 0.1)

          assert_empty trial.pids
        end
      end

      test "#{member}: a session takes it through its life" do
        with(member) do |trial|
          session([trial]).call

          assert_nil trial.outcome
          assert_equal [nil, 0], trial.samples.map(&:block).uniq.first(2)
          assert_equal trial.sent, trial.recording.size
          assert trial.warm_up.outcome
          assert_empty trial.pids
        end
      end

      test "#{member}: it is read before a cold start and behind each batch" do
        with(member) do |trial|
          session([trial], cold_start: Study::ColdStart.new(batches: 3, requests: 10)).call

          assert_nil trial.outcome
          assert_equal 3, trial.warm_up.batches(trial.recording).size
          assert_kind_of Hash, trial.warm_up.compiled
        end
      end
    end

    private

    def warm(trial)
      trial.warming(:rule)
      trial.loaded(nil, nil, GOOD)
      assert_equal :rule, trial.warm_up
      trial.warmed
    end

    def takes?(method, positional, keywords)
      kinds = method.parameters.map(&:first)
      least, most = kinds.count(:req), kinds.count { |kind| %i[req opt].include?(kind) }
      known = method.parameters.select { |kind, _| %i[key keyreq].include?(kind) }.map(&:last)
      (least..most).cover?(positional) && (keywords - known).empty?
    end

    def with(member, name: "it", fails: nil, &block)
      return yield TrialDouble.new(name, fails: { fails => "broken" }) if member == :double

      MockTrial.with(name:, env: fails == :boot ? { "MOHS_MOCK_FAULT" => "refuse" } : {}, &block)
    end

    # The sessions that bring about all calls; their trials.
    def sessions
      settling = TrialDouble.new("mjit")
      def settling.attested = { jit: "mjit" }
      hurried = TrialDouble.new("hurried")
      def hurried.check = raise(Interrupt)
      died = TrialDouble.new("b", fails: { measure: "died" })
      scenario = Load::Scenario.new(variables: {}, steps: [], actions: [], login: :some)
      groups = [[TrialDouble.new("a", services: true), died], [settling], [hurried],
                [TrialDouble.new("clients", scenario:)]]
      groups.map do |group|
        trials = group.map { |trial| Heard.new(trial) }
        session(trials, shield: Shield.new(0)).call
        trials
      rescue Interrupt
        trials
      end + [duet, cold_start, last_loaded]
    end

    def last_loaded
      trials = [Heard.new(TrialDouble.new("a"))]
      session(trials, last_load: ->(trial) { trial.take({ of: "a" }, error: nil) }).call
      trials
    end

    def cold_start
      trials = [Heard.new(TrialDouble.new("a"))]
      session(trials, cold_start: Study::ColdStart.new(batches: 2, requests: 10)).call
      trials
    end

    # Two that change halves. They have no process that would move.
    def duet
      first, second = Process::CpuSet.available
      trials = %w[a b].map { |name| Heard.new(TrialDouble.new(name)) }
      cpus = [first, second || first]
      session(trials, layout: Cohort::Layout.for("duet", %w[a b], cpus:, servers: 1)).call
      trials
    end

    def session(trials, layout: nil, **options)
      names = trials.map(&:name)
      spec = Plan::CohortSpec.new(round: 1, position: 0, baseline: names.first, variants: names,
                                  blocks: [names], estimate_s: 1)
      layout ||= Cohort::Layout.for("apart", names)
      Cohort::Session.new(trials:, spec:, layout:, seed: 1,
                          driver: Drivers.fetch("mock").method(:new), **options)
    end
  end
end
