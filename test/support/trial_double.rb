# frozen_string_literal: true

module Mohs
  # A trial without a server: records what was done with it, and fails where `fails` says so ({
  # stage => reason }; `warm` and `measure` for no correct response under load). It has two
  # connections, and a thread for each unless told otherwise; threads: nil: it attests none.
  # test/contract/trials_test.rb compares it with Trial.
  class TrialDouble
    Setup = Struct.new(:engine, :expected_jit, :requests, keyword_init: true) do
      def all_flags = []
      def own_jit? = false
      def reforks? = false
    end

    attr_reader :name, :calls, :samples, :outcome, :recording, :warm_up, :setup, :readings,
                :scenario, :rate, :found
    attr_accessor :half, :crowded

    def initialize(name, fails: {}, services: false, requests: [], scenario: nil, rate: nil,
                   workers: nil, threads: workers ? 1 : 2)
      @name = name
      @fails = fails
      @services = services
      @scenario = scenario
      @rate = rate
      @workers = workers
      @threads = threads
      @calls = []
      @samples = []
      @readings = []
      @setup = Setup.new(engine: "ruby", requests:)
    end

    STAGES = %i[start_services boot attest check warmed attest_warm measuring measured
                finish].freeze
    STAGES.each do |stage|
      define_method(stage) { call(stage) }
    end

    def pages = Trial::WarmUp::Pages::SINGLE
    def supervisors = [7]
    def services? = @services
    def pids = []
    def all_pids = pids
    def move(cpus) = (@moves ||= []) << cpus
    attr_reader :moves
    def lasting = (1..(@workers || 1)).to_a
    def stop(grace_s: nil) = call(grace_s ? :hurry : :stop)
    def match_answers(other) = call(:"match_#{other.name}")

    def must_differ_from(_other)
      by_stage = { finish: :must_differ_at_end, attest_warm: :must_differ_warm }
      fail_at(by_stage.fetch(@calls.last, :must_differ), code: "same_jit")
    end

    def unmet? = over? && Store::Trial::UNMET.include?(@outcome[:reason].code)
    def worker = 0
    def cores = nil
    def attested = { engine: "ruby", jit: "off", workers: @workers || 1, threads: @threads }.compact
    def workers = lasting.first(@workers || 1)
    def unevenly_loaded(repeated: false) = @calls << (repeated ? :repeated : :unevenly_loaded)
    def count_connections(_count) = nil
    def await_workers = nil
    def core_wait_ns = nil
    def sent = @samples.sum { |sample| sample.result.sent }

    # One that failed may not have learned what to ask for.
    def target
      raise "#{@name} has no requests" if over?

      Load::Target.new(name: @name, connections: 2)
    end

    def over? = !@outcome.nil?
    def recorded(recording, _first_failed) = @recording = recording
    def end_as(error) = @outcome ||= { state: error.state.to_s, reason: error.reason }

    def loaded(block, position, result)
      @samples << Trial::Sample.new(block:, position:, result:, half:)
    end

    def warmed_by(result)
      @warm_up << result
    end

    def take(found, error: nil)
      @found = found
      fail_at(:take)
      raise error if error
    end

    def log_in(_driver, index)
      call(:"log_in_#{index}")
      fail_at(:log_in)
    end

    # Keeps the block, and how many steps of load there were before.
    def take_reading(block) = @readings << [block, @samples.size]

    # Reads as many compiled methods as there were steps of load before.
    def take_jit_reading = @warm_up.read({ methods: @samples.size })

    def warming(rule)
      call(:warming)
      @warm_up = rule
    end

    def must_answer(_count)
      fail_at(@samples.last&.block ? :measure : :warm)
    end

    private

    def call(stage)
      @calls << stage
      fail_at(stage)
    end

    def fail_at(stage, code: "told")
      raise TrialError.new(@fails[stage], code:) if @fails[stage]
    end
  end
end
