# frozen_string_literal: true

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
end
