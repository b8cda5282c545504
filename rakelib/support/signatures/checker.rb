# frozen_string_literal: true

require "delegate"
require "rbs"
require "rbs/test"
require "stringio"

module Signatures
  # Compares one call with the signature of its method, as RBS::Test does, with two exceptions:
  # tests' stand-ins, which are not instances of the class that they stand for, and enumerators,
  # which RBS::Test would run, together with whatever they read.
  class Checker < RBS::Test::TypeCheck
    SAMPLE = 10 # elements of an array or hash that are checked, at random if it has more
    # Types for which no object of another class can stand in.
    PLAIN = %w[Integer Float Numeric String Symbol Array Hash Range].map { |name| "::#{name}" }

    #: (RBS::DefinitionBuilder, Module, tests: String) -> void
    def initialize(builder, owner, tests:)
      super(self_class: owner, instance_class: owner, class_class: owner.singleton_class,
            builder:, sample_size: SAMPLE, unchecked_classes: [])
      @tests = tests
    end

    # What contradicts the signature, as text; empty if some overload takes the call.
    #: (Library::Entry, RBS::Test::CallTrace) -> Array[String]
    def contradictions(entry, trace)
      found = entry.types.map { |type| method_call(entry.name, type, trace, errors: []) }
      return [] if found.any?(&:empty?)

      found.first.map { |error| text(entry, error) }
    end

    # The check of RBS::Test, which calls this method for the parts of a value too.
    #: (untyped, untyped) -> bool
    def value(value, type)
      case type
      when RBS::Types::ClassInstance
        name = type.name.to_s
        return Enumerator === value if name == "::Enumerator"
        return true if name == "::Proc" && called?(value)

        (!PLAIN.include?(name) && stand_in?(value, name)) || super
      when RBS::Types::ClassSingleton, RBS::Types::Interface then stand_in?(value, nil) || super
      when RBS::Types::Proc then called?(value) || super
      else super
      end
    end

    private

    # A bare object, or an instance of an anonymous class or of one that a test defines; likewise a
    # module. A StringIO stands for a file, and a delegator to a stream for the stream.
    def stand_in?(value, expected)
      return true if expected == "::IO" && stream?(value)

      made = Module === value ? value : Kernel.instance_method(:class).bind_call(value)
      name = Module.instance_method(:name).bind_call(made)
      made == Object || name.nil? ||
        Object.const_source_location(name)&.first.to_s.start_with?(@tests)
    rescue NameError # a class that some test has removed
      true
    end

    def stream?(value)
      value = value.__getobj__ while Delegator === value
      IO === value || StringIO === value
    end

    # A value declared as a Proc is only ever called, so a Method or an object with `call` will do.
    def called?(value) = Kernel.instance_method(:respond_to?).bind_call(value, :call)

    def text(entry, error)
      said = RBS::Test::Errors.to_string(error).sub(/\A\[.*?\] /, "")
      "#{entry}: #{said.length > 400 ? "#{said[0, 400]}..." : said}"
    end
  end
end
