# frozen_string_literal: true

require "fiddle"

# Calls malloc_trim(0) of glibc after garbage collections, from outside: the finalizer of an object
# that nothing refers to runs once the collection that freed it is over, and makes the next one.
module Trim
  FUNCTION = Fiddle::Function.new(Fiddle::Handle::DEFAULT["malloc_trim"], [Fiddle::TYPE_SIZE_T],
                                  Fiddle::TYPE_INT)

  # Of GC.stat: what has to have grown.
  COUNTERS = { "full" => :major_gc_count, "every" => :count }.freeze

  @calls = 0

  class << self
    # How often memory was given back.
    attr_reader :calls

    def after(collections)
      @counter = COUNTERS.fetch(collections)
      @seen = GC.stat(@counter)
      at_exit { @counter = nil } # when a process ends, Ruby calls finalizers until there are none
      wait
    end

    private

    def wait
      ObjectSpace.define_finalizer(Object.new, method(:collected).to_proc)
    end

    def collected(_id)
      return unless @counter

      trim if GC.stat(@counter) > @seen
      wait
    end

    def trim
      @seen = GC.stat(@counter)
      @calls += 1
      FUNCTION.call(0)
    end
  end
end
