# frozen_string_literal: true

module Mohs
  class Verification
    # Whether the processes whose CPU time mohs counts are all that work for the responses. Adds up
    # CPU time over several loads, in milliseconds.
    class Work
      # Less CPU time than this is within the error of the kernel clock's ticks.
      LEAST_MS = 100
      # A larger share of uncounted CPU time is not housekeeping of processes that serve nothing.
      UNCOUNTED = 0.1

      # lasting: pids of the counted processes.
      #: (Array[Integer]) -> void
      def initialize(lasting)
        @lasting = lasting
        @spent = Hash.new(0)
      end

      # Adds { pid => ms } of one load.
      #: (Hash[Integer, Integer]) -> void
      def add(spent)
        spent.each { |pid, ms| @spent[pid] += ms }
      end

      # CPU time of all processes, and of the counted ones.
      #: () -> Integer
      def asked = @spent.values.sum

      #: () -> Integer
      def counted = @spent.slice(*@lasting).values.sum

      #: () -> bool
      def all_counted? = counted.positive? && counted >= asked * (1 - UNCOUNTED)

      # Whether another load is unnecessary. A process that does occasional housekeeping
      # (Passenger's took 0.1 s on a busy machine) has a smaller share of more loads; a process that
      # serves has its share of each.
      #: () -> bool
      def sure? = asked >= LEAST_MS && all_counted?
    end
  end
end
