# frozen_string_literal: true

module Mohs
  module Doctor
    # What checks look at: `reader` of /proc and /sys; `cpus` we may run on; `activity` of the
    # machine over a while (Watch#call), `pressure` just before it; `spins` of the sentinel, one a
    # core. What was not observed is nil.
    Facts = Struct.new(:reader, :cpus, :activity, :pressure, :spins, keyword_init: true) do
      include Value
    end
  end
end
