# frozen_string_literal: true

# Kernels: `call` does the work once and returns a text that is the same each time, on every Ruby
# from 2.0 on.
module Micro
  KERNELS = {
    "emulator" => :Emulator, "floats" => :Floats, "strings" => :Strings,
    "collections" => :Collections, "dispatch" => :Dispatch,
    "hello" => :Hello, "json" => :Json, "page" => :Page,
  }.freeze

  # nil if there is no kernel of that name.
  def self.kernel(name)
    constant = KERNELS[name] or return
    require_relative "kernels/#{name}"
    const_get(constant).new
  end

  # A kernel that computes a value known beforehand.
  class Computed
    def type
      "text/plain"
    end

    # A wrong value is an error, since a kernel that computes something else is not the same
    # kernel.
    def call
      value = compute
      raise "#{value.inspect} instead of #{self.class::EXPECTED.inspect}" \
        if value != self.class::EXPECTED

      "#{value}\n"
    end
  end
end
