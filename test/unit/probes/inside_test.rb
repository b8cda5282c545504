# frozen_string_literal: true

require "test_helper"

module Mohs
  class InsideTest < TestCase
    def script(engine: "ruby", server: Servers::Puma, **extension)
      Probes::Inside.script(engine: Rubies::Engines.named(engine), server:, **extension)
    end

    test "the engine's extension is named, if there is one" do
      assert_includes script(extension: "/a \"b\".so"), 'EXTENSION = "/a \"b\".so"'
      assert_includes script, "EXTENSION = nil"
    end

    test "a process is told whether its threads run one at a time" do
      assert_equal %w[true false], %w[ruby jruby].map { |one| script(engine: one)[/GVL = (.*)/, 1] }
    end

    test "what the engine tells of its JIT comes before what asks for it" do
      text = script(engine: "jruby")

      assert_operator text.index("compile_mode"), :<, text.index("MohsInside.start if")
      refute_includes text, "RubyVM"
    end

    test "an engine that mohs does not know tells nothing of its JIT" do
      refute_includes script(engine: "rubinius"), "def self.jit\n"
    end

    test "threads without names are counted by their pool" do
      counted = script[/server_threads; (.*); end/, 1]
      assert_match(/> 0 \? named : ObjectSpace\..*spawned/, counted)
      assert_match(/ : nil\z/, script(server: Servers::Mock)[/server_threads; (.*); end/, 1])
    end

    test "variables of every engine are told, and of the allocator, nothing else" do
      pattern = eval(script[/VARIABLES = (.*)/, 1]) # rubocop:disable Security/Eval -- our own
      names = %w[RUBY_GC_HEAP_INIT_SLOTS JRUBY_OPTS TRUFFLERUBYOPT JAVA_HOME JDK_JAVA_OPTIONS
                 MALLOC_ARENA_MAX LD_PRELOAD]

      assert_equal names, names.grep(pattern)
      assert_empty %w[HOME MY_RUBY XJAVA_HOME].grep(pattern)
    end
  end
end
