# frozen_string_literal: true

require_relative "checker"
require_relative "library"

module Signatures
  # Puts a check before each method of a library, which removes itself after the last of `calls`:
  # checking all calls makes the tests of statistics ten times slower and finds no more. A call that
  # raises says nothing about its signature.
  class Hooks
    # Which calls of a method are checked in a process: the first, then fewer and fewer, so that
    # those of later tests are among them.
    CALLS = [1, 2, 3, 4, 6, 9, 14, 21, 31, 46, 70, 105, 158, 237].freeze

    # A method, which calls may still be checked, and how many there were.
    Watched = Struct.new(:entry, :checker, :left, :count, keyword_init: true)

    # Entries whose method or class does not exist.
    attr_reader :missing

    #: (Library, ?calls: Array[Integer], ?tests: String) -> void
    def initialize(library, calls: CALLS, tests: "/nowhere")
      @library = library
      @calls = calls
      @tests = tests
      @watched = []
      @missing = []
      @found = []
      @known = {}
      @layers = {}
    end

    # Everything that the namespace defines must be loaded by now.
    #: (String) -> Hooks
    def install(namespace)
      @library.entries(namespace).group_by(&:owner).each do |name, entries|
        next @missing.concat(entries) unless Object.const_defined?(name)

        watch_all(Object.const_get(name), entries)
      end
      self
    end

    # The contradictions found since the last call of this method, without duplicates.
    #: () -> Array[String]
    def take = @found.shift(@found.size)

    #: () -> Array[Library::Entry]
    def called = @watched.select { |state| state.count.positive? }.map(&:entry)

    #: () -> Array[Library::Entry]
    def uncalled = @watched.select { |state| state.count.zero? }.map(&:entry)

    # Called by the hooks: whether to check this call. The last check removes the hook. Calls by
    # the checker itself are not checked.
    #: (Module, Hooks::Watched) -> bool
    def checks?(layer, state)
      return false if Thread.current[:signatures_checks]

      state.count += 1
      checked = state.left.first == state.count
      state.left.shift if checked
      unhook(layer, state.entry.name) if state.left.empty?
      checked
    end

    # To be called before a test replaces a method of `place` itself (Object#stub does so by
    # aliases): an alias of a hook, put back where the method was, would call itself forever.
    #: (Module, Symbol) -> void
    def release(place, name)
      unhook(@layers[place], name) if @layers.key?(place)
    end

    # Called by the hooks, with a block that makes the call and is given the block to pass on.
    #: (Hooks::Watched, Array[untyped], Proc?) { (Proc?) -> untyped } -> untyped
    def observe(state, arguments, block)
      calls = []
      value = yield(block && watched(block, calls))
      check(state, RBS::Test::CallTrace.new(
                     method_name: state.entry.name, block_calls: calls, block_given: !block.nil?,
                     method_call: RBS::Test::ArgumentsReturn.return(arguments:, value:)
                   ))
      value
    end

    private

    def watch_all(owner, entries)
      checker = Checker.new(@library.builder, owner, tests: @tests)
      layers = Hash.new { |all, place| all[place] = Module.new }
      entries.each do |entry|
        places = places(entry, owner)
        @missing << entry if places.empty?
        next if places.empty?

        state = Watched.new(entry:, checker:, left: @calls.dup, count: 0)
        @watched << state
        places.each { |place| hook(layers[place], place, state) }
      end
      layers.each { |place, layer| place.prepend(layer) }
      @layers.update(layers)
    end

    # Two threads may reach the last check of a method at once: one of them finds it gone.
    def unhook(layer, name)
      layer.send(:remove_method, name) if layer.method_defined?(name, false)
    rescue NameError
      nil
    end

    # Where the method is defined: `module_function` defines it twice.
    def places(entry, owner)
      both = { instance: [owner], singleton: [owner.singleton_class],
               singleton_instance: [owner, owner.singleton_class] }.fetch(entry.kind)
      both.select do |place|
        place.method_defined?(entry.name, false) || place.private_method_defined?(entry.name, false)
      end
    end

    def hook(layer, place, state)
      hooks = self
      name = state.entry.name
      layer.define_method(name) do |*arguments, &block|
        next super(*arguments, &block) unless hooks.checks?(layer, state)

        hooks.observe(state, arguments, block) { |watched| super(*arguments, &watched) }
      end
      layer.send(:ruby2_keywords, name)
      layer.send(:private, name) if place.private_method_defined?(name)
      layer.send(:protected, name) if place.protected_method_defined?(name)
    end

    # The block, wrapped so that its arguments and its result are recorded. It may be run as a
    # method of another object.
    def watched(block, calls)
      outside = Object.new
      outside.instance_exec do
        proc do |*given, &inner|
          value = if equal?(outside)
                    block.call(*given, &inner)
                  else
                    instance_exec(*given, &block)
                  end
          calls << RBS::Test::ArgumentsReturn.return(arguments: given, value:) if calls.size < 5
          value
        end.ruby2_keywords
      end
    end

    def check(state, trace)
      Thread.current[:signatures_checks] = true
      state.checker.contradictions(state.entry, trace).each do |text|
        key = text[/\A.*?(?= (?:but given|but returns) )/m] || text
        next if @known.key?(key)

        @known[key] = true
        @found << "#{text}\n    called at #{caller}"
      end
    ensure
      Thread.current[:signatures_checks] = nil
    end

    # The first line outside this folder.
    def caller
      caller_locations.map(&:to_s).reject { |line| line.include?("/support/signatures/") }
                      .first(1).first
    end
  end
end
