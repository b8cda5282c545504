# frozen_string_literal: true

module Mohs
  class CLI
    # A file of the times at which requests are due, for example from a log of real traffic.
    module DueTimes
      module_function

      # Reads times in ns since the start of the load from a file with one time in seconds per line,
      # ascending; ignores empty lines and lines that begin with #. Raises UsageError.
      #: (String) -> Array[Integer]
      def read(path)
        lines = File.readlines(path, chomp: true, encoding: "UTF-8").each.with_index(1)
        times = lines.filter_map do |line, number|
          line.strip.empty? || line.lstrip.start_with?("#") ? nil : [ns(line, path, number), number]
        end
        raise UsageError, "--times #{path}: the file contains no times." if times.empty?

        verify_order(times, path)
        times.map(&:first)
      rescue SystemCallError => error
        raise UsageError, "--times #{path}: #{Error.system(error)}."
      end

      def ns(line, path, number)
        seconds = Float(line.strip, exception: false)
        return (seconds * 1e9).round if seconds && seconds >= 0 && seconds.finite?

        raise UsageError, "--times #{path}, line #{number}: #{line.strip.inspect} is not a valid " \
                          "time; use seconds since the start, 0 or more."
      end

      def verify_order(times, path)
        _, (_, number) = times.each_cons(2).find { |(before, _), (after, _)| after < before }
        return unless number

        raise UsageError, "--times #{path}, line #{number}: earlier than the line before; times " \
                          "must ascend."
      end
      private_class_method :ns, :verify_order
    end
  end
end
