# frozen_string_literal: true

# Kernels: `call` does the work once and returns a text, which is the same each time.
module Micro
  KERNELS = {
    "emulator" => :Emulator, "floats" => :Floats, "strings" => :Strings,
    "collections" => :Collections, "dispatch" => :Dispatch,
    "hello" => :Hello, "json" => :Json, "page" => :Page,
  }.freeze

  # nil if there is none of that name.
  def self.kernel(name)
    constant = KERNELS[name] or return
    require_relative "kernels/#{name}"
    const_get(constant).new
  end

  # One that computes a value, known beforehand.
  class Computed
    def type
      "text/plain"
    end

    # A wrong value is an error: a fast kernel that computes something else is no fast kernel.
    def call
      value = compute
      raise "#{value.inspect} instead of #{self.class::EXPECTED.inspect}" \
        if value != self.class::EXPECTED

      "#{value}\n"
    end
  end
end
