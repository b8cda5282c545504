# frozen_string_literal: true

# The product of four Floats.
class Four
  def multiply(a, b, c, d)
    a * b * c * d
  end

  def repeat(calls)
    last = nil
    calls.times { last = multiply(7.0, 10.0, 1.5, 0.5) }
    last
  end
end
