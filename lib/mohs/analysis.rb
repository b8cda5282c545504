# frozen_string_literal: true

module Mohs
  # What measurements mean: exclusions, adjustment, effects, families of tests, verdicts, findings.
  # Pure, and the only room that infers: the same input gives the same result, for every command. It
  # knows the store's structs and the statistics, no server, no terminal and no words.
  module Analysis
  end
end
