# frozen_string_literal: true

module Mohs
  class Verification
    # Whether the processes whose CPU time mohs counts are all that work for the responses: CPU time
    # over several loads, in milliseconds.
    class Work
      # Less is within what a tick of the kernel's clock is off.
      LEAST_MS = 100
      # More than this share of it is no housekeeping of processes that serve nothing.
      UNCOUNTED = 0.1

      # lasting: pids of those that are counted.
      #: (Array[Integer]) -> void
      def initialize(lasting)
        @lasting = lasting
        @spent = Hash.new(0)
      end

      # { pid => ms } of one load.
      #: (Hash[Integer, Integer]) -> void
      def add(spent)
        spent.each { |pid, ms| @spent[pid] += ms }
      end

      # Of all processes, and of those that are counted.
      #: () -> Integer
      def asked = @spent.values.sum

      #: () -> Integer
      def counted = @spent.slice(*@lasting).values.sum

      #: () -> bool
      def all_counted? = counted.positive? && counted >= asked * (1 - UNCOUNTED)

      # Is another load of no use? A process that keeps house now and then, 0.1 s of Passenger's on
      # a busy machine, is a smaller share of more loads; one that serves has its share of each.
      #: () -> bool
      def sure? = asked >= LEAST_MS && all_counted?
    end
  end
end
