# frozen_string_literal: true

module Mohs
  # Load from another machine: `mohs agent` runs there (Service), started over ssh by a Link here.
  # Driver is our own driver, whose engine does its work there.
  #
  # Requests are timed by that machine's clock alone. CPU times of the servers, which run here, are
  # read here.
  module Agent
    # Of what the two say to each other (Frames); it changes when that does.
    PROTOCOL = 2
  end
end
