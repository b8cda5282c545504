# frozen_string_literal: true

require "test_helper"
require_relative "../../../rakelib/support/signatures/hooks"

module Signatures
  class HooksTest < Mohs::TestCase
    CODE = <<~RUBY
      module SignatureSamples
        class Counter
          def initialize(start) = @start = start
          def honest(number, unit: "") = "\#{@start + number}\#{unit}"
          def lies(number) = number.to_s
          def refuses(number) = raise(ArgumentError, "not \#{number}")
          def each = [yield(1), yield("two")]
          def run(&block) = instance_exec(2, &block)
          def numbers = [1, 2].each
          def self.of(starts) = starts.map { |start| new(start) }
          def ask = hidden

          private

          def hidden = nil
        end

        module Functions
          module_function

          def half(number) = number / 2
        end
      end
    RUBY

    SIGNATURES = <<~RBS
      module SignatureSamples
        class Counter
          def initialize: (Integer) -> void
          def honest: (Integer, ?unit: String) -> String
          def lies: (Integer) -> Integer
          def refuses: (Integer) -> void
          def each: () { (Integer) -> Integer } -> Array[Integer]
          def run: () { (Integer) -> Integer } -> Integer
          def numbers: () -> Enumerator[Integer, untyped]
          def self.of: (Array[Integer]) -> Array[Counter]
          def ask: () -> untyped
          def hidden: () -> Integer
        end
        module Functions
          def self?.half: (Integer) -> Float
        end
      end
    RBS

    # Reading the signatures of the core classes takes a second.
    LIBRARIES = Hash.new do |all, signatures|
      all[signatures] = Dir.mktmpdir do |folder|
        File.write(File.join(folder, "samples.rbs"), signatures)
        Library.new([folder])
      end
    end

    def hooked(signatures = SIGNATURES, **options)
      with_files("samples.rb" => CODE) do |folder|
        load File.join(folder, "samples.rb")
        yield Hooks.new(LIBRARIES[signatures], tests: __dir__, **options)
                   .install("SignatureSamples")
      ensure
        Object.send(:remove_const, :SignatureSamples)
      end
    end

    def counter(start = 1) = SignatureSamples::Counter.new(start)

    test "calls as their signature says contradict nothing, and return what they return" do
      hooked do |hooks|
        assert_equal "3 ms", counter.honest(2, unit: " ms")
        assert_equal 2, SignatureSamples::Counter.of([1, 2]).size
        assert_equal 3, counter.run { |number| number + 1 }
        assert_empty hooks.take
      end
    end

    test "a signature that lies of what is returned is found, once" do
      hooked do |hooks|
        3.times { assert_equal "2", counter.lies(2) }
        found = hooks.take
        assert_equal 1, found.size
        assert_match(/Counter#lies: ReturnTypeError: expected `::Integer` but returns `"2"`/,
                     found.first)
        assert_includes found.first, "#{__FILE__}:#{__LINE__ - 5}"
        assert_empty hooks.take
      end
    end

    test "arguments, keywords, elements and the number of them are looked at" do
      hooked do |hooks|
        SignatureSamples::Counter.of(["1"])
        assert_equal ["SignatureSamples::Counter.of: ArgumentTypeError",
                      "SignatureSamples::Counter#initialize: ArgumentTypeError"].sort,
                     hooks.take.map { |text| text[/\A\S+ \w+/] }.sort
        counter.honest(2, unit: :ms)
        assert_match(/expected `::String` but given `:ms`/, hooks.take.join)
      end
    end

    test "what a block is given and returns is looked at" do
      hooked do |hooks|
        assert_equal [1, "two"], counter.each { |value| value }
        assert_equal %w[BlockArgumentTypeError BlockReturnTypeError ReturnTypeError],
                     hooks.take.map { |text| text[/\w+Error/] }.sort
        counter.honest(2) { nil }
        assert_match(/UnexpectedBlockError/, hooks.take.join)
      end
    end

    test "private methods and both copies of a module function are hooked" do
      hooked do |hooks|
        assert_nil counter.ask
        assert_match(/hidden: ReturnTypeError/, hooks.take.join)
        assert_raises(NoMethodError) { counter.hidden }
        assert_equal 2, SignatureSamples::Functions.half(4)
        assert_match(/half: ReturnTypeError/, hooks.take.join)
      end
      hooked do |hooks|
        includer = Class.new { include SignatureSamples::Functions }
        assert_equal 2, includer.new.send(:half, 4)
        assert_match(/half: ReturnTypeError/, hooks.take.join)
      end
    end

    test "a call that raises says nothing, an enumerator is not run" do
      hooked do |hooks|
        assert_raises(ArgumentError) { counter.refuses("x") }
        assert_equal 1, counter.numbers.next
        assert_empty hooks.take
      end
    end

    test "of many calls some are checked, and a hook is gone after the last of these" do
      hooked(calls: [1, 3]) do |hooks|
        found = [1, 2, 3, 4].map do
          counter.honest(1, unit: :ms)
          hooks.take.any?.tap { hooks.instance_variable_get(:@known).clear }
        end
        assert_equal [true, false, true, false], found
      end
    end

    test "two threads may make the last checked call of a method at the same time" do
      hooked(calls: [1]) do |hooks|
        layer = hooks.instance_variable_get(:@layers)[SignatureSamples::Counter]
        layer.define_singleton_method(:remove_method) { |name| 2.times { super(name) } }

        assert_equal "3", counter.honest(2)
      end
    end

    test "a stand-in passes for an object, not for a number or text" do
      double = Struct.new(:name)
      hooked(<<~RBS) do |hooks|
        module SignatureSamples
          class Counter
            def lies: (String) -> String
            def initialize: (Thread) -> void
          end
        end
      RBS
        [double.new("x"), Object.new, double].each { |stand_in| counter(stand_in) }
        assert_empty hooks.take
        counter(1)
        assert_match(/initialize: ArgumentTypeError: expected `::Thread` but/, hooks.take.join)
        counter.lies(double.new("x"))
        assert_match(/lies: ArgumentTypeError/, hooks.take.join)
      end
    end

    test "methods without a call are listed, and signatures without a method" do
      hooked("#{SIGNATURES}\nmodule SignatureSamples\n  def gone: () -> Integer\nend\n") do |hooks|
        counter.honest(1)
        assert_equal ["SignatureSamples::Counter#honest", "SignatureSamples::Counter#initialize"],
                     hooks.called.map(&:to_s).sort
        assert_includes hooks.uncalled.map(&:to_s), "SignatureSamples::Counter.of"
        assert_equal ["SignatureSamples#gone"], hooks.missing.map(&:to_s)
        refute_includes hooks.uncalled.map(&:to_s), "SignatureSamples::Counter#ask"
      end
    end

    test "a stubbed method is released first, and is itself again after the stub" do
      hooked do |hooks|
        functions = SignatureSamples::Functions
        hooks.release(functions.singleton_class, :half)
        assert_equal 7, functions.stub(:half, 7) { functions.half(2) }
        assert_equal 1, functions.half(2)
        assert_empty hooks.take
      end
    end
  end
end
