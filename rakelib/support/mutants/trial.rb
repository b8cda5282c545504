# frozen_string_literal: true

module Mutants
  # Runs one mutant against the tests that call its method, until one of them fails.
  class Trial
    # Limits as multiples of what the tests take without a mutant, and seconds granted in any case.
    CPU_LIMIT = 5
    WALL_LIMIT = 20
    GRANTED_CPU_S = 1
    GRANTED_WALL_S = 30

    # `state`: :killed, :timeout (it counts as killed) or :survived; `tests`: how many tests there
    # were.
    Outcome = Struct.new(:mutation, :state, :tests, keyword_init: true) do
      #: () -> bool
      def killed? = state != :survived
    end

    #: (String, Survey) -> void
    def initialize(root, survey)
      @root = root
      @survey = survey
      @controls = {}
    end

    #: (Mutation) -> Outcome
    def call(mutation)
      path = File.join(@root, mutation.file)
      raise Error, "test_helper loads #{path}: too early" if $LOADED_FEATURES.include?(path)

      timings = @survey.tests(path, mutation.method_line)
      Outcome.new(mutation:, tests: timings.size, state: state(mutation, path, timings))
    end

    private

    def state(mutation, path, timings)
      return :survived if timings.empty?

      state, failed = attempt(path, mutation.mutant, timings)
      control(path, mutation.source, failed || timings.first) if state == :killed
      state
    end

    # [state, the test that failed; nil if the file couldn't even be loaded].
    def attempt(path, source, timings)
      sandbox(timings).call do
        Suite.replace(path, source)
        failed = Suite.first_failure(timings.map(&:test))
        [failed ? :killed : :survived, timings.find { |timing| timing.test == failed }]
      rescue Exception # rubocop:disable Lint/RescueException -- also a NoMemoryError or an exit
        [:killed, nil]
      end || [:timeout, nil]
    end

    # The same test, run in the same way, must pass without a mutant; else it has killed nothing.
    def control(path, source, timing)
      state, = @controls[timing.test] ||= attempt(path, source, [timing])
      return if state == :survived

      raise Error, "fails without any mutant where only what it needs is loaded: " \
                   "#{timing.test.join(' ')}"
    end

    def sandbox(timings)
      cpu_s = (CPU_LIMIT * timings.sum(&:cpu_s)) + GRANTED_CPU_S
      wall_s = (WALL_LIMIT * timings.sum(&:wall_s)) + GRANTED_WALL_S
      Sandbox.new(cpu_s: cpu_s.ceil, wall_s:)
    end
  end
end
