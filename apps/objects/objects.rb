# frozen_string_literal: true

begin
  require "fiddle" # by every server, since it takes memory, too
rescue LoadError
  nil # TAG needs it, which is CRuby's
end

# What objects are made of.
module Objects
  # Has three instance variables, as many as fit into a slot of 40 bytes.
  class Point
    def initialize(x, y, z)
      @x = x
      @y = y
      @z = z
    end
  end

  WIDE = 1 << 61
  WIDER = 1 << 99

  # Each entry makes an object from a number.
  KINDS = {
    # Stored in the reference itself.
    "nil" => ->(_) {},
    "true" => ->(_) { true },
    "integer" => ->(number) { number },
    "integer-62" => ->(number) { number + WIDE },
    "float" => ->(number) { number * 0.5 },
    "symbol" => ->(_) { :symbol },
    # Stored in a slot.
    "integer-100" => ->(number) { number + WIDER },
    "float-tiny" => ->(number) { (number + 1) * 1e-300 },
    "string" => ->(_) { +"ten bytes." },
    "array" => ->(number) { [number, number, number] },
    "object" => ->(number) { Point.new(number, number, number) },
    # Stored in a slot and memory of its own.
    "string-1000" => ->(_) { "0123456789" * 100 },
    "array-100" => ->(number) { Array.new(100, number) },
  }.freeze

  # Objects are kept in arrays of this size: the garbage collector's stack grows to the size of the
  # largest array, and stays that large.
  ROW = 1000

  # Makes an array of ROW objects.
  def self.factory(kind)
    make = KINDS.fetch(kind) do
      raise "KIND=#{kind}: known are #{KINDS.keys.join(', ')}"
    end
    -> { Array.new(ROW) { |number| make.call(number) } }
  end

  # The same, but an empty array if one of their references, as CRuby has them, does not end in
  # these bits. (Arrays that grow would take more memory than those of the other kinds.)
  def self.tagged(kind, bits)
    make, mask, tag = factory(kind), (1 << bits.size) - 1, Integer(bits, 2)
    lambda do
      made = make.call
      made.all? { |object| Fiddle.dlwrap(object) & mask == tag } ? made : []
    end
  end

  # How many slots so many blocks have, by CRuby's own constant.
  def self.slots(blocks)
    GC::INTERNAL_CONSTANTS.fetch(:HEAP_PAGE_OBJ_LIMIT) * blocks
  end
end
