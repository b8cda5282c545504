# frozen_string_literal: true

require "coverage"

module Mutants
  # Loads test files and runs single tests of them, in the process that calls it: a Sandbox's. A
  # test is identified by [file, class, method].
  module Suite
    Timing = Struct.new(:test, :cpu_s, :wall_s, :methods, keyword_init: true)

    module_function

    # Puts a mutant in the place of its file whenever that is loaded. The file on disk stays as it
    # is.
    #: (String, String) -> void
    def replace(file, source)
      RubyVM::InstructionSequence.singleton_class.define_method(:load_iseq) do |path|
        next unless path == file

        verbose, $VERBOSE = $VERBOSE, nil # a mutant may leave things unused
        RubyVM::InstructionSequence.compile(source, path, path)
      ensure
        $VERBOSE = verbose if path == file
      end
    end

    # The first test that fails; nil if all pass.
    #: (Array[[String, String, String]]) -> [String, String, String]?
    def first_failure(tests)
      tests.map(&:first).uniq.each { |file| require file }
      tests.find { |test| !run(test) }
    end

    # The time that each test of these files takes and the methods below `sources` that it calls ({
    # file => [first line] }), once everything that Zeitwerk knows is loaded; and the tests that
    # fail. Counts methods, not lines, since Ruby counts no lines in a one-line method.
    #: (Array[String], String) -> { timings: Array[Timing], failed: Array[[String, String, String]] }
    def survey(files, sources)
      Coverage.start(methods: true)
      Mohs::LOADER.eager_load if defined?(Mohs::LOADER)
      tests = files.flat_map { |file| tests_of(file) }
      failed = []
      timings = tests.map do |test|
        Coverage.result(clear: true, stop: false)
        started = clocks
        failed << test unless run(test)
        cpu_s, wall_s = clocks.zip(started).map { |after, before| after - before }
        Timing.new(test:, cpu_s:, wall_s:, methods: called(sources))
      end
      { timings:, failed: }
    end

    def tests_of(file)
      before = Minitest::Runnable.runnables.dup
      require file
      (Minitest::Runnable.runnables - before).flat_map do |suite|
        names = suite.public_instance_methods.grep(/\Atest_/).sort
        names.map { |name| [file, suite.name, name.to_s] }
      end
    end

    def run(test)
      result = Minitest.run_one_method(Object.const_get(test[1]), test[2])
      result.passed? || result.skipped?
    end

    def called(sources)
      Coverage.peek_result.filter_map do |file, result|
        next unless file.start_with?(sources)

        methods = result.fetch(:methods).select { |_, count| count.positive? }.keys
        [file, methods.map { |method| method[2] }.uniq] if methods.any?
      end.to_h
    end

    def clocks = [Process::CLOCK_PROCESS_CPUTIME_ID, Process::CLOCK_MONOTONIC].map do |clock|
      Process.clock_gettime(clock)
    end
    private_class_method :tests_of, :run, :called, :clocks
  end
end
