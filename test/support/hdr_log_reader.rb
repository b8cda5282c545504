# frozen_string_literal: true

require "zlib"

module Mohs
  # Reads a log of HdrHistogram. Written only from the description of the encoding V2: slow and
  # plain, to compare with what exporters/hdr_histogram.rb writes.
  class HdrLogReader
    # counts: [[lowest value of a step, highest value, count]], without empty steps.
    Interval = Struct.new(:start_s, :length_s, :max_ms, :counts, keyword_init: true) do
      def total = counts.sum(&:last)

      # As HdrHistogram reports it: the highest value of the step that holds the rank.
      def quantile(share)
        rank = [(share * total).ceil, 1].max
        counts.find { |_, _, count| (rank -= count) <= 0 }[1]
      end
    end

    attr_reader :comments, :intervals

    def initialize(text)
      lines = text.lines(chomp: true)
      @comments, rest = lines.partition { |line| line.start_with?("#") }
      @intervals = rest.drop(1).map { |line| interval(line) }
    end

    # All intervals as one.
    def total
      counts = intervals.flat_map(&:counts).group_by { |low, high, _| [low, high] }
      sums = counts.map { |(low, high), same| [low, high, same.sum(&:last)] }
      Interval.new(counts: sums.sort)
    end

    private

    def interval(line)
      start, length, max, text = line.split(",")
      Interval.new(start_s: start.to_f, length_s: length.to_f, max_ms: max.to_f,
                   counts: histogram(inflated(text.unpack1("m0"))))
    end

    def inflated(bytes)
      cookie, length = bytes.unpack("NN")
      raise "no compressed V2: #{cookie.to_s(16)}" unless cookie & ~0xf0 == 0x1c849304
      raise "length is off" unless length == bytes.bytesize - 8

      Zlib::Inflate.inflate(bytes[8..])
    end

    def histogram(bytes)
      cookie, length, offset, digits, low, high, ratio = bytes.unpack("l>4q>2G")
      raise "no V2: #{cookie.to_s(16)}" unless cookie & ~0xf0 == 0x1c849303
      raise "head is off" unless [length, offset, ratio] == [bytes.bytesize - 40, 0, 1.0]

      numbers = varints(bytes[40..].bytes).map { |n| n.even? ? n / 2 : -(n + 1) / 2 }
      index = 0
      numbers.filter_map do |number|
        at = index
        index += number.negative? ? -number : 1
        [*range(at, digits, low, high), number] if number.positive?
      end
    end

    def varints(bytes)
      bytes.slice_when { |byte, _| byte < 0x80 }.map do |group|
        group.each_with_index.sum { |byte, place| (byte & 0x7f) << (7 * place) }
      end
    end

    # The values that a place counts: steps of 1 below the power of two above 2 * 10**digits, then
    # in each doubling half as many steps, twice as wide.
    def range(index, digits, low, high)
      steps = 1
      steps *= 2 until steps >= 2 * (10**digits)
      bucket, step = index.divmod(steps / 2)
      bucket, step = bucket.zero? ? [0, step] : [bucket - 1, step + (steps / 2)]
      raise "beyond the highest" if (step << bucket) > high || low != 1

      [step << bucket, ((step + 1) << bucket) - 1]
    end
  end
end
