# frozen_string_literal: true

require "json"
require "minitest"

module Mohs
  # Tells test/lanes.rb, in place of the person, what becomes of the tests of this process: a line
  # of JSON for each.
  class LaneReporter < Minitest::Reporter
    # Takes the place of minitest's own reporters, where this process is a lane. Minitest has read
    # the seed by now, which is not for the processes that tests start either.
    def self.minitest_plugin_init(options)
      ENV.delete("SEED")
      Minitest.reporter.reporters.replace([new(PATH, options)])
    end

    def initialize(path, options)
      super(File.open(path, "a"), options)
      io.sync = true # forked processes must not write what is left in a buffer
      @above = ::Process.ppid
    end

    def start
      show = options.values_at(:verbose, :show_skips).any?
      tell(options: options[:args], show_skips: show, verbose: options.fetch(:verbose, false),
           quiet: options.fetch(:quiet, false), filter: options[:filter])
    end

    # The process above is gone, or has taken the file away so that this one ends.
    def prerecord(klass, name)
      exit 1 if ::Process.ppid != @above || !File.exist?(io.path)
      tell(begins: "#{klass}##{name}")
    end

    def record(result)
      @failed ||= !result.passed? && !result.skipped?
      tell(test: "#{result.klass}##{result.name}", seconds: result.time, code: result.result_code,
           assertions: result.assertions, text: (result.to_s unless result.passed?))
    end

    def report
      tell(done: true)
    end

    def passed? = !@failed

    private

    # What a test has shown may be in any encoding.
    def tell(**facts)
      facts.transform_values! do |fact|
        fact.is_a?(String) ? fact.dup.force_encoding("UTF-8").scrub : fact
      end
      io.write("#{JSON.generate(facts)}\n")
    end

    # Not for the processes that tests start.
    PATH = ENV.delete("MOHS_TEST_LANE")
    private_constant :PATH
    Minitest.register_plugin(self) if PATH
  end
end
