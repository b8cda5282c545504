# frozen_string_literal: true

module Mutants
  # One mutant against the tests that call the method it is in, until one of them fails.
  class Trial
    # Multiples of what the tests take without a mutant, and seconds that are granted anyway.
    CPU_LIMIT = 5
    WALL_LIMIT = 20
    GRANTED_CPU_S = 1
    GRANTED_WALL_S = 30

    # `state`: :killed, :timeout (it counts as killed) or :survived; `tests`: how many there were.
    Outcome = Struct.new(:mutation, :state, :tests, keyword_init: true) do
      #: () -> bool
      def killed? = state != :survived
    end

    #: (String, Survey) -> void
    def initialize(root, survey)
      @root = root
      @survey = survey
    end

    #: (Mutation) -> Outcome
    def call(mutation)
      path = File.join(@root, mutation.file)
      timings = @survey.tests(path, mutation.method_line)
      Outcome.new(mutation:, tests: timings.size, state: state(mutation, path, timings))
    end

    private

    def state(mutation, path, timings)
      return :survived if timings.empty?

      source = mutation.mutant
      sandbox(timings).call do
        Suite.replace(path, source)
        Suite.first_failure(timings.map(&:test)) ? :killed : :survived
      rescue Exception # rubocop:disable Lint/RescueException -- also a NoMemoryError or an exit
        :killed
      end || :timeout
    end

    def sandbox(timings)
      cpu_s = (CPU_LIMIT * timings.sum(&:cpu_s)) + GRANTED_CPU_S
      wall_s = (WALL_LIMIT * timings.sum(&:wall_s)) + GRANTED_WALL_S
      Sandbox.new(cpu_s: cpu_s.ceil, wall_s:)
    end
  end
end
