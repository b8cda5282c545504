# frozen_string_literal: true

module Mohs
  module Importers
    module Shared
      # Single requests, for tools that write each of them; figures are computed from them as mohs
      # computes its own. A request without a correct response ranks behind every other, since
      # nobody knows how long it would have taken.
      class Requests
        # Most requests of a file that are kept: 8 bytes each.
        MOST = 20_000_000

        attr_reader :errors

        #: () -> void
        def initialize
          @times = []
          @errors = Hash.new(0)
          @first = @last = nil
        end

        # Adds requests with the same time, of which nothing else is known.
        #: (Numeric, Integer) -> void
        def repeat(time_ns, number)
          raise RangeError, "more than #{MOST} requests" if size + number > MOST

          @times.concat(Array.new(number, time_ns))
        end

        # start_s: relative to any moment; nil if unknown. error: the class; nil for a correct
        # response.
        #: (Numeric, start_s: Numeric?, error: String?) -> void
        def add(time_ns, start_s:, error:)
          raise RangeError, "more than #{MOST} requests" if size >= MOST

          error ? @errors[error] += 1 : @times << time_ns
          return unless start_s

          done = start_s + (time_ns / 1e9)
          @first = start_s if @first.nil? || start_s < @first
          @last = done if @last.nil? || done > @last
        end

        # Adds requests of which only their number and the error are known.
        #: (String, Integer) -> void
        def fail(error, number)
          raise RangeError, "more than #{MOST} requests" if size + number > MOST

          @errors[error] += number if number.positive?
        end

        #: () -> Integer
        def good = @times.size

        #: () -> Integer
        def size = good + @errors.values.sum

        # Seconds from the start of the first request to the end of the last; nil if unknown.
        #: () -> Float?
        def seconds = (@last - @first if @first && @last > @first)

        # { share => ns } of all requests, without shares whose rank a failed request holds.
        #: (Enumerable[Float]) -> Hash[Float, Float]
        def quantiles(shares)
          sorted = @times.sort
          known = shares.select { |share| sorted.any? && ((size - 1) * share).ceil < good }
          infinite = Array.new(size - good, sorted.last)
          all = infinite.empty? ? sorted : sorted + infinite
          known.to_h { |share| [share, Stats::Quantile.type7(all, share)] }
        end

        # How an importer makes a sample from requests.
        module Sampling
          private

          def of_requests(requests, lacks: [], **values)
            times = requests.quantiles([0.5, 0.9, 0.99, 0.999, 1.0])
            seconds = requests.seconds
            value = requests.good / seconds if seconds
            held = lack("failed_hold") if requests.errors.any? && !times.key?(1.0)
            sample(value:, requests: requests.size, good: requests.good, seconds:,
                   errors: requests.errors.to_h, latency_ms: latency_ms(times, requests.size),
                   lacks: [lack("no_due"), *lacks, held, *few(times, requests.size)].compact,
                   **values)
          end

          # Yields the cells of each line after the header.
          def each_row(separator, columns)
            source.each_line do |line, number|
              next if number == 1

              cells = line.split(separator)
              raise ArgumentError, "line #{number} has #{cells.size} columns" unless
                cells.size == columns

              yield cells
            end
          end

          # The class of error of an HTTP status; nil if the status is right.
          def status_error(status)
            status = Integer(status)
            return if status.between?(200, 399)

            status.positive? ? "wrong_status" : "failed"
          end
        end
      end
    end
  end
end
