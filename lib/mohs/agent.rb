# frozen_string_literal: true

module Mohs
  # Load from another machine: `mohs agent` runs there (Service), started over ssh by a Link here.
  # Driver is our own driver, whose engine does its work there.
  #
  # Every time of a request is by that machine's clock alone. Of the servers' processes, which are
  # here, times are by ours.
  module Agent
    # Of what the two say to each other (Frames); it changes when that does.
    PROTOCOL = 1
  end
end
