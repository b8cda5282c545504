# frozen_string_literal: true

# The product of three Floats.
class Three
  def multiply(a, b, c)
    a * b * c
  end

  def repeat(calls)
    last = nil
    calls.times { last = multiply(7.0, 10.0, 1.5) }
    last
  end
end
