# frozen_string_literal: true

module Mohs
  class Study
    # What a server is to run on: a number of cores, or which ([0, 1]); nil: mohs decides
    # (Cohort::Layout).
    module Cores
      COUNT = /\A\d+\z/
      LIST = /\A\d+(-\d+)?(,\d+(-\d+)?)+\z|\A\d+-\d+\z/

      module_function

      # As it is typed: "2" cores, or those called "0,1" or "0-3".
      #: (String) -> (Integer | Array[Integer])
      def parse(text)
        return Integer(text, 10) if text.match?(COUNT)
        return list(text) if text.match?(LIST)

        raise UsageError, "cores #{text.inspect}: write how many (2) or which (0,1 or 0-3)"
      end

      # Raises where this machine does not have them.
      #: (Integer | Array[Integer] | nil, ?Array[Integer]) -> void
      def check(cores, available = Process::CpuSet.available)
        case cores
        when Integer then fault(cores, available) unless cores.between?(1, available.size)
        when Array
          fault(cores.join(","), available) if cores.empty? || (cores - available).any?
        end
      end

      # Those that a server gets, in their order.
      #: (Integer | Array[Integer], Array[Integer]) -> Array[Integer]
      def of(cores, available)
        check(cores, available)
        cores.is_a?(Array) ? available & cores : available.first(cores)
      end

      def list(text)
        text.split(",").flat_map { |part|
          from, to = part.split("-").map { |number| Integer(number, 10) }
          (from..(to || from)).to_a
        }.uniq.sort
      end

      def fault(cores, available)
        count = available.size
        raise UsageError, "cores #{cores}: a server can have 1 to #{count} of the " \
                          "#{count == 1 ? 'one' : count} that mohs may use here, " \
                          "#{available.join(', ')}."
      end
      private_class_method :list, :fault
    end
  end
end
