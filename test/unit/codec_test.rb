# frozen_string_literal: true

require "test_helper"
require "zlib"
require "mohs/core"
require_relative "../../benchmark/synthetic_records"

module Mohs
  class CodecTest < TestCase
    FIXTURES = File.expand_path("../fixtures", __dir__)
    WIDTHS = [48, 16, 32, 32, 40, 24, 32, 16, 8, 8].freeze # of a record's fields, in their order

    # The format as docs/store.md tells it, read slowly: the oracle for what the C code writes.
    class Reader
      def initialize(frame)
        @frame = frame
        *@head, @count, @length, @crc = frame.unpack("a4CCS<V3")
        @lengths = frame.unpack("@20V16")
      end

      def problems
        crc = Zlib.crc32(@frame.byteslice(20..), Zlib.crc32(@frame.byteslice(0, 16)))
        expected = [["mohs", 1, 8, 0], @frame.bytesize, crc, @frame.bytesize]
        found = [@head, @length, @crc, 84 + @lengths.sum]
        expected.zip(found).reject { |wanted, seen| wanted == seen }
      end

      # [[due, request, sent, first, done, connection, bytes, status, error, flags], ...]
      def records
        at = 84
        pieces = @lengths.map { |length| @frame.byteslice(at, length).tap { at += length } }
        columns = pieces.each_slice(2).map { |classes, bits| numbers(classes, bits) }
        @free, @after, @bytes, @outcome = Array.new(4) { Hash.new(0) }
        @connection = @request = 0
        columns.transpose.map { |row| record(row) }
      end

      private

      def numbers(classes, bits)
        return [0] * @count if classes.empty?

        stream = bits.unpack1("b*")
        at = 0
        Zlib::Inflate.new(-15).inflate(classes).bytes.map do |code|
          next code if code < 8

          exponent = ((code - 8) / 4) + 3
          width = exponent - 2
          low = stream[at, width].reverse.to_i(2)
          at += width
          ((4 + ((code - 8) % 4)) << width) + low
        end
      end

      def record(row)
        due, sent, first, done, connection, request, bytes, outcome = row
        connection ^= @after[@connection % 8192]
        request ^= @request
        place, answer = connection % 8192, request % 256
        due = (@free[place] + signed(due)) % (1 << 48)
        first = ([done, (1 << 32) - 1].min - signed(first)) % (1 << 32)
        bytes = (@bytes[answer] + signed(bytes)) % (1 << 32)
        outcome ^= @outcome[answer]
        @free[place], @after[@connection % 8192] = due + done, connection
        @bytes[answer], @outcome[answer] = bytes, outcome
        @connection, @request = connection, request
        [due, request, sent, first, done, connection, bytes, *[outcome].pack("V").unpack("S<CC")]
      end

      def signed(number) = number.even? ? number / 2 : -(number + 1) / 2
    end

    test "nothing is nothing" do
      assert_equal "", Core::Codec.encode("")
      assert_equal "", Core::Codec.decode("")
      assert_empty Core::Codec.frames("")
    end

    test "a closed loop comes back and takes at most 6 bytes a request" do
      [[1, 100_000], [5, 250_000], [32, 2_000_000]].each do |connections, service_ns|
        loop = SyntheticRecords.new(connections: connections, service_ns: service_ns)

        assert_operator assert_round_trip(loop.take(20_000)).bytesize, :<=, 6 * 20_000
      end
    end

    test "any records come back" do
      random = Random.new(1)
      200.times do
        count = random.rand(1..300)
        bits = Array.new(10) { random.rand(0..48) }
        assert_round_trip(pack(Array.new(count) { adversarial(random, bits) }))
      end
    end

    test "records of nothing but zeros, ones and noise come back" do
      ["\0", "\xFF"].each { |byte| assert_round_trip(byte.b * 32 * 1000) }
      assert_round_trip(Random.new(2).bytes(32 * 70_000))
    end

    test "extremes next to each other come back" do
      random = Random.new(3)
      ends = WIDTHS.map do |width|
        [0, 1, (1 << (width - 1)) - 1, 1 << (width - 1), (1 << width) - 1]
      end
      records = Array.new(2000) { ends.map { |values| values.sample(random: random) } }

      assert_round_trip(pack(records))
    end

    test "frames hold 65536 records at most, and encodings can be put behind each other" do
      packed = SyntheticRecords.new.take(2_000) * 33
      encoded = Core::Codec.encode(packed)
      counts = Core::Codec.frames(encoded).map(&:last)

      assert_equal [65_536, 464], counts
      assert_equal encoded.bytesize, Core::Codec.frames(encoded).sum(&:first)
      assert_equal packed * 2, Core::Codec.decode(encoded + encoded)
    end

    test "what is written is what docs/store.md says" do
      random = Random.new(4)
      noise = Array.new(500) { adversarial(random, [20] * 10) }
      records = noise + unpack(SyntheticRecords.new.take(500))
      reader = Reader.new(Core::Codec.encode(pack(records)))

      assert_empty reader.problems
      assert_equal records, reader.records
    end

    # Written by version 1: to be read for ever. What is written today may differ, as zlib's output
    # may.
    test "what was stored by an earlier mohs can be read" do
      encoded, packed = %w[mohs records].map do |ending|
        File.binread(File.join(FIXTURES, "observations-1.#{ending}"))
      end

      assert_equal packed, Core::Codec.decode(encoded)
      assert_equal unpack(packed), Reader.new(encoded).records
    end

    test "damage anywhere is found" do
      encoded = Core::Codec.encode(SyntheticRecords.new.take(200))
      encoded.bytesize.times do |at|
        damaged = encoded.dup.tap { |copy| copy.setbyte(at, copy.getbyte(at) ^ (1 << (at % 8))) }

        assert_raises(StoreError) { Core::Codec.decode(damaged) }
      end
    end

    test "an end that is missing is found, and where" do
      encoded = Core::Codec.encode(SyntheticRecords.new.take(50))
      [1, 4, 83, 84, encoded.bytesize - 1].each do |size|
        error = assert_raises(StoreError) { Core::Codec.decode(encoded + encoded.byteslice(0, size)) }

        assert_match(/at byte #{encoded.bytesize}, it ends too early\. Restore/, error.message)
      end
    end

    test "each kind of damage has its words" do
      encoded = Core::Codec.encode(SyntheticRecords.new.take(50))
      words = { 0 => "does not begin", 4 => "does not know", 5 => "lengths contradict",
                17 => "checksum differs", 90 => "checksum differs" }
      words.each do |at, text|
        damaged = encoded.dup.tap { |copy| copy.setbyte(at, 99) }
        error = assert_raises(StoreError) { Core::Codec.decode(damaged) }

        assert_includes error.message, text
      end
    end

    test "lengths that lie are found behind a right checksum too" do
      encoded = Core::Codec.encode(SyntheticRecords.new.take(50))
      lies = [[8, 49], [8, 51], [8, 65_536], [20, 1 << 31], [28, 0], [32, 5], [84, 0xffffffff]]
      lies.each do |at, value|
        lie = encoded.dup.tap { |copy| copy[at, 4] = [value].pack("V") }
        lie[16, 4] = [Zlib.crc32(lie.byteslice(20..), Zlib.crc32(lie.byteslice(0, 16)))].pack("V")
        error = assert_raises(StoreError) { Core::Codec.decode(lie) }

        assert_includes error.message, "lengths contradict"
      end
    end

    test "half a record is an error of the caller" do
      error = assert_raises(ArgumentError) { Core::Codec.encode("x" * 33) }

      assert_match(/33 bytes are not a whole number/, error.message)
      assert_raises(TypeError) { Core::Codec.encode(nil) }
    end

    test "a slice of a String, wherever it begins in memory, is read right" do
      packed = SyntheticRecords.new.take(100)
      7.times do |shift|
        encoded = Core::Codec.encode((("x" * shift) + packed).byteslice(shift..))

        assert_equal packed, Core::Codec.decode((("x" * shift) + encoded).byteslice(shift..))
      end
    end

    private

    def assert_round_trip(packed)
      encoded = Core::Codec.encode(packed)
      assert_equal Encoding::BINARY, encoded.encoding
      same = packed == Core::Codec.decode(encoded) # megabytes: not to be shown when they differ
      assert same, "#{packed.bytesize / 32} records do not come back"
      encoded
    end

    # A record of random fields, each of up to so many bits as `bits` says, sometimes all ones.
    def adversarial(random, bits)
      WIDTHS.zip(bits).map do |width, wanted|
        limit = 1 << [width, wanted].min
        random.rand(20).zero? ? (1 << width) - 1 : random.rand(limit)
      end
    end

    def pack(records)
      records.map do |record|
        due, request, sent, first, done, connection, *rest = record
        words = [due | (request << 48), sent, first, done | (connection << 40), *rest]
        words.pack(SyntheticRecords::PACKING)
      end.join
    end

    def unpack(packed)
      words = packed.unpack(SyntheticRecords::PACKING * (packed.bytesize / 32))
      words.each_slice(8).map do |due, sent, first, done, *rest|
        [due & ((1 << 48) - 1), due >> 48, sent, first, done & ((1 << 40) - 1), done >> 40, *rest]
      end
    end
  end
end
