# frozen_string_literal: true

# What objects are made of.
module Objects
  # With three instance variables, as many as a slot of 40 bytes has room for.
  class Point
    def initialize(x, y, z)
      @x = x
      @y = y
      @z = z
    end
  end

  WIDE = 1 << 61
  WIDER = 1 << 99

  # Each makes an object from a number.
  KINDS = {
    # In the reference itself.
    "nil" => ->(_) {},
    "true" => ->(_) { true },
    "integer" => ->(number) { number },
    "integer-62" => ->(number) { number + WIDE },
    "float" => ->(number) { number * 0.5 },
    "symbol" => ->(_) { :symbol },
    # In a slot.
    "integer-100" => ->(number) { number + WIDER },
    "float-tiny" => ->(number) { (number + 1) * 1e-300 },
    "string" => ->(_) { +"ten bytes." },
    "array" => ->(number) { [number, number, number] },
    "object" => ->(number) { Point.new(number, number, number) },
    # In a slot and memory of its own.
    "string-1000" => ->(_) { "0123456789" * 100 },
    "array-100" => ->(number) { Array.new(100, number) },
  }.freeze

  # In arrays of so many: the garbage collector's stack is as large as the largest array, and stays.
  ROW = 1000

  # Makes an array of ROW objects.
  def self.factory(kind)
    make = KINDS.fetch(kind) do
      raise "KIND=#{kind}: known are #{KINDS.keys.join(', ')}"
    end
    -> { Array.new(ROW) { |number| make.call(number) } }
  end
end
