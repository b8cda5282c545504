# frozen_string_literal: true

# The product of two Floats.
class Two
  def multiply(a, b)
    a * b
  end

  def repeat(calls)
    last = nil
    calls.times { last = multiply(7.0, 10.0) }
    last
  end
end
