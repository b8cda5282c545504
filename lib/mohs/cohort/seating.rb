# frozen_string_literal: true

module Mohs
  module Cohort
    # Opens the connections to a server again until its processes share them: connections stay with
    # the process that accepted them, and one without any does nothing.
    module Seating
      # Where connections are not counted, a load of this length shows whether each process got some
      # (Spread); if not, all are opened again, after so many loads at most.
      LOAD_NS = 300_000_000
      LOADS = 3

      # Where each connection may have a thread, those of each process are counted, and all are
      # opened again until each has some, and no more than its threads: so many times at most, and
      # as long. Of ten connections to two processes by chance, one time in four has five for each,
      # of twenty to four hardly any. So of more than two processes, after TRIED times one is kept
      # that is as good as the best of these.
      COUNTS = 20
      TRIED = 8
      COUNTS_S = 5

      class << self
        # counted: may the connections be counted? open: are they open? The block loads the server,
        # with an amount as in Load::Step.
        #: (Trial, Cohort::Spread, counted: bool, open: bool) { (**untyped) -> Load::StepResult } -> void
        def call(trial, spread, counted:, open:, &load)
          count = trial.target.connections
          return if spread.processes < 2 || count < spread.processes
          return if counted && by_count?(trial, spread, count, open:, &load)

          LOADS.times do
            break if spread.even?(yield(duration_ns: LOAD_NS))

            yield(count:, hang_up: true)
          end
        end

        private

        # False if the connections of each process are unknown, or if one gets none.
        def by_count?(trial, spread, count, open:)
          return false unless Analysis::ConnectionsExceedThreads.slots(trial.attested)

          yield(count:) unless open
          deadline = Clock.deadline(COUNTS_S)
          limit = trial.attested[:threads]
          best = fewest = nil
          COUNTS.times do |number|
            [true, false].each { |hang_up| yield(count:, hang_up:) } if number.positive?
            fewest, most = trial.count_connections(count)
            return false unless most

            limit = [limit, *best].max if number == TRIED && spread.processes > 2
            break if (fewest.positive? && most <= limit) || Clock.mono_ns > deadline

            best = [*best, most].min if fewest.positive?
          end
          fewest.positive?
        end
      end
    end
  end
end
