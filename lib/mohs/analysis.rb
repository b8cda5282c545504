# frozen_string_literal: true

module Mohs
  # What measurements mean: exclusions, adjustment, effects, families of tests, verdicts, findings.
  # Pure, and the only part of mohs that infers: the same input gives the same result, for every
  # command. It knows the store's structs and the statistics, but no server, no terminal and no
  # wording.
  module Analysis
  end
end
