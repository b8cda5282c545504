# frozen_string_literal: true

require "test_helper"

module Mohs
  class RubiesIgnoredVariablesTest < TestCase
    include RubyFacts

    DEPRECATED = "The environment variable RUBY_GC_HEAP_INIT_SLOTS is deprecated; use " \
                 "environment variables RUBY_GC_HEAP_%d_INIT_SLOTS instead"
    TOO_LARGE = "RUBY_GC_HEAP_FREE_SLOTS_GOAL_RATIO=3.500000 (default value: 0.400000) is " \
                "ignored because it must be lower than 0.650000."

    # As 3.4.5 prints it.
    PRINTED = <<~TEXT
      RUBY_GC_HEAP_0_INIT_SLOTS=20000 (default value: 10000)
      RUBY_GC_HEAP_GROWTH_FACTOR=1.100000 (default value: 1.800000)
      #{TOO_LARGE}
      invalid string for RUBY_GC_OLDMALLOC_LIMIT: abc
      /opt/r/bin/ruby: warning: #{DEPRECATED}
    TEXT

    def ignored(env, ruby: ruby("3.4.5"), description: "ruby 3.4.5 +PRISM", code: 0)
      @asked = []
      capture = lambda do |command, timeout_s:|
        @asked << [command, timeout_s]
        answer(description, stderr: PRINTED, code:)
      end
      found = Rubies::IgnoredVariables.new(capture:)
      2.times { found.call(ruby, env) }
      found.call(ruby, env)
    end

    test "what the interpreter does not say that it has read is ignored, with its own words" do
      env = { "RUBY_GC_HEAP_INIT_SLOTS" => "1", "RUBY_GC_HEAP_GROWTH_FACTOR" => "1.1",
              "RUBY_GC_HEAP_FREE_SLOTS_GOAL_RATIO" => "3.5", "RUBY_GC_OLDMALLOC_LIMIT" => "abc",
              "RUBY_GC_NONSENSE" => "1", "OTHER" => "1" }

      assert_equal({ "RUBY_GC_HEAP_INIT_SLOTS" => DEPRECATED,
                     "RUBY_GC_HEAP_FREE_SLOTS_GOAL_RATIO" => TOO_LARGE,
                     "RUBY_GC_OLDMALLOC_LIMIT" => "invalid string for RUBY_GC_OLDMALLOC_LIMIT: abc",
                     "RUBY_GC_NONSENSE" => nil }, ignored(env))
      command, = @asked.first
      assert_equal [1, env.keys - ["OTHER"]], [@asked.size, command.env.keys]
    end

    test "of variables with one effect in different versions, one that is read is enough" do
      env = { "RUBY_GC_HEAP_INIT_SLOTS" => "1", "RUBY_GC_HEAP_0_INIT_SLOTS" => "20000" }

      assert_empty ignored(env)
      assert_empty ignored({ **env, "RUBY_GC_HEAP_INIT_BYTES" => "800000" })
      assert_equal %w[RUBY_GC_HEAP_GROWTH_MAX_BYTES],
                   ignored({ **env, "RUBY_GC_HEAP_GROWTH_MAX_BYTES" => "1" }).keys
    end

    test "M:N threads and JITs are seen in the description" do
      env = { "RUBY_MN_THREADS" => "1", "RUBY_YJIT_ENABLE" => "1", "RUBY_ZJIT_ENABLE" => "true" }

      assert_equal({ "RUBY_MN_THREADS" => "RUBY_DESCRIPTION has no +MN",
                     "RUBY_YJIT_ENABLE" => "RUBY_DESCRIPTION has no +YJIT",
                     "RUBY_ZJIT_ENABLE" => "RUBY_DESCRIPTION has no +ZJIT" }, ignored(env))
      assert_empty ignored(env, description: "ruby 4.0.5 +YJIT +ZJIT +MN +PRISM")
      assert_empty ignored(env.transform_values { "0" })
    end

    test "YJIT is asked for by three words, M:N threads by a number" do
      assert_equal %w[RUBY_YJIT_ENABLE], ignored({ "RUBY_YJIT_ENABLE" => "true" }).keys
      assert_empty ignored({ "RUBY_YJIT_ENABLE" => "on", "RUBY_MN_THREADS" => "yes" })
    end

    test "no Ruby prints those of its threads and boxes: versions tell which have them" do
      env = { "RUBY_MAX_CPU" => "4", "RUBY_THREAD_TIMESLICE" => "50", "RUBY_BOX" => "1" }
      found = %w[3.2.0 3.3.8 3.4.5 4.0.5].map { |version| ignored(env, ruby: ruby(version)) }
      since = { "RUBY_MAX_CPU" => "Ruby reads it since 3.3",
                "RUBY_THREAD_TIMESLICE" => "Ruby reads it since 3.4",
                "RUBY_BOX" => "Ruby reads it since 4.0" }

      assert_equal [since, since.except("RUBY_MAX_CPU"), since.slice("RUBY_BOX"), {}], found
    end

    test "without such variables nothing is started, nor an engine that reads none" do
      assert_empty ignored({ "MALLOC_ARENA_MAX" => "2", "RUBY_MN_THREADS" => "" })
      assert_empty @asked
      assert_equal({ "RUBY_GC_HEAP_FREE_SLOTS" => nil },
                   ignored({ "RUBY_GC_HEAP_FREE_SLOTS" => "1" }, ruby: ruby("10", engine: "jruby")))
      assert_empty @asked
    end

    test "an interpreter that does not start says so when it boots" do
      assert_empty ignored({ "RUBY_GC_NONSENSE" => "1" }, code: 1)
    end
  end
end
