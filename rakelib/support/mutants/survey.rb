# frozen_string_literal: true

require "digest"
require "fileutils"

module Mutants
  # Which tests call which methods, without any mutant. Kept below tmp/ as long as neither lib/ nor
  # the test files change.
  class Survey
    CPU_S = 1200
    WALL_S = 3600

    # A mutant that survives has run all of its tests, and simulations take time: tests beyond so
    # many seconds of CPU time are left out. That can only make the score worse.
    BUDGET_S = 3.0

    #: (Array[Suite::Timing]) -> void
    def initialize(timings) = @timings = timings

    # Surveys `files`. Raises if one of their tests fails.
    #: (String, Array[String]) -> Survey
    def self.of(root, files)
      shared = digest([*Dir["#{root}/lib/**/*.rb"].sort, *Dir["#{root}/test/support/*.rb"].sort,
                       "#{root}/test/test_helper.rb", "#{__dir__}/suite.rb"])
      kept = files.to_h do |file|
        [file, File.join(root, "tmp/mutants", digest([file], shared))]
      end
      missing = kept.reject { |_, path| File.exist?(path) }
      save(run(root, missing.keys), missing) if missing.any?
      new(kept.values.flat_map { |path| Marshal.load(File.binread(path)) }) # rubocop:disable Security/MarshalLoad
    end

    def self.digest(files, start = "")
      Digest::SHA256.hexdigest([start, *files.map { |file| file + File.read(file) }].join("\0"))
    end

    def self.run(root, files)
      sandbox = Sandbox.new(cpu_s: CPU_S, wall_s: WALL_S)
      found = sandbox.call { Suite.survey(files, "#{root}/lib/") }
      raise Error, "the tests could not be run without a mutant" unless found
      return found[:timings] if found[:failed].empty?

      failed = found[:failed].map { |test| test.join(" ") }
      raise Error, "these tests fail without any mutant:\n#{failed.join("\n")}"
    end

    def self.save(timings, paths)
      by_file = timings.group_by { |timing| timing.test.first }
      paths.each do |file, path|
        FileUtils.mkdir_p(File.dirname(path))
        File.binwrite(path, Marshal.dump(by_file.fetch(file, [])))
      end
    end
    private_class_method :digest, :run, :save

    # The tests that call the method that begins at this line, or any method of the file if the
    # line is nil; all tests if nothing in the file is ever called, since it may hold constants.
    # Quick tests come first, as many as the budget allows, at least one.
    #: (String, Integer?) -> Array[Suite::Timing]
    def tests(file, method)
      touching = @timings.select { |timing| timing.methods.key?(file) }
      touching = @timings if touching.empty? && method.nil?
      touching = touching.select { |timing| timing.methods[file].include?(method) } if method
      spent_s = 0.0
      touching.sort_by(&:cpu_s).take_while do |timing|
        affordable = spent_s.zero? || spent_s + timing.cpu_s <= BUDGET_S
        spent_s += timing.cpu_s
        affordable
      end
    end
  end
end
