# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # Every request of a target, in the order in which they ended (worker by worker). Nothing is
    # copied before it is needed, and each_chunk copies a piece at a time: ten million requests are
    # 320 MB.
    class Recording
      # In the order of the core's enum mohs_kind.
      KINDS = %i[service response first lag queue].freeze
      CHUNK = 65_536 # requests in a piece of each_chunk: 2 MB, a frame of the codec

      BYTES = 32 # of a record
      WARM_UP = 2 # this flag: outside quantiles
      COARSE = 64 # this flag: sent_ns and first_ns are stored in units of COARSE_NS
      COARSE_NS = 1024

      # A packed record (ext/mohs/core/record.h) for unpack: due and request, sent, first, done and
      # connection, bytes, status, error, flags.
      FIELDS = "Q<L<L<Q<L<S<CC"
      DUE_MASK = (1 << 48) - 1
      DONE_BITS = 40
      DONE_MASK = (1 << DONE_BITS) - 1

      # One request, for debugging. The fields of ext/mohs/core/record.h, with the error's name.
      Entry = Struct.new(:due_ns, :request, :sent_ns, :first_ns, :done_ns, :connection, :bytes,
                         :status, :error, :flags, keyword_init: true)

      # The recording that #encode made.
      #: (String) -> Recording
      def self.decode(encoded) = of(Core::Codec.decode(encoded))

      # A recording over packed records.
      #: (String) -> Recording
      def self.of(packed) = new(Core::Records.of(packed))

      # Holds `records`, a Mohs::Core::Records.
      #: (Core::Records) -> void
      def initialize(records)
        @records = records
      end

      # Requests recorded: good or not, warm-up or not.
      #: () -> Integer
      def size = @records.size

      # Good requests outside warm-up: the base of quantiles and count_between. All of them have a
      # service, a response and a first time.
      #: () -> Integer
      def good = count(:service)

      # Those that have a time of this kind.
      #: (Symbol) -> Integer
      def count(kind) = @records.good(number(kind))

      # Those of one request of the mix, or of one step of a scenario, by its number; a copy.
      #: (Integer) -> Recording
      def of_request(number) = Recording.of(@records.of_request(number))

      # Yields packed strings of up to so many records.
      #: (?Integer) { (String) -> void } -> void
      #: (?Integer) -> Enumerator[String, void]
      def each_chunk(count = CHUNK)
        return enum_for(:each_chunk, count) unless block_given?

        0.step(size - 1, count) { |from| yield @records.slice(from, count) }
      end

      # Exact quantiles in ns: for each p in 0..1 the smallest time that p of all did not exceed;
      # nil without requests. `kind`: :service (sent to done), :response (due to done), :first (sent
      # to first byte), and of an open loop :lag (due to sent where a connection was free) or :queue
      # (due to sent where none was). In a closed loop :lag is what opening a connection took.
      #: (Symbol, Array[Numeric]) -> Array[Integer?]
      def quantiles(kind, shares)
        total = count(kind)
        shares.map do |share|
          next if total.zero?

          @records.select(number(kind), [(share * total).ceil - 1, 0].max)
        end
      end

      # How many took at least `low_ns` and less than `high_ns`.
      #: (Symbol, Integer, Integer) -> Integer
      def count_between(kind, low_ns, high_ns)
        @records.count_between(number(kind), low_ns, high_ns)
      end

      # How many requests were sent between each of these times and the next, in ns since the
      # driver's epoch, ascending; warm-up aside. A request that waited for a connection counts when
      # it was due.
      #: (Array[Integer]) -> Array[Integer]
      def sent_between(edges) = @records.sent_between(edges.pack("Q*")).unpack("Q*")

      # [due since the driver's epoch, due to done] in ns of every right answer, warm-up included.
      #: () -> Array[[Integer, Integer]]
      def responses
        each_chunk.flat_map do |packed|
          fields = packed.unpack("Q<x8Q<x6Cx" * (packed.bytesize / BYTES)).each_slice(3)
          fields.filter_map { |due, done, error| [due & DUE_MASK, done & DONE_MASK] if error.zero? }
        end
      end

      # Only those that were due in [from_ns, to_ns) since the driver's epoch; a copy.
      #: (Integer, Integer) -> Load::Recording
      def due_between(from_ns, to_ns) = Recording.of(@records.due_between(from_ns, to_ns))

      # Yields a recording of as many requests at a time, fewer only at the end, in the order in
      # which they ended; copies.
      #: (Integer) { (Load::Recording) -> void } -> void
      #: (Integer) -> Enumerator[Load::Recording, void]
      def each_batch(size)
        return enum_for(:each_batch, size) unless block_given?

        @records.each_batch(size) { |packed| yield Recording.of(packed) }
      end

      # When the last of its records ended, in ns since the driver's epoch; nil without any.
      #: () -> Integer?
      def ended_ns
        due, done = @records.slice(size - 1, 1).unpack("Q<x8Q<") if size.positive?
        due && ((due & DUE_MASK) + (done & DONE_MASK))
      end

      # Failed requests by class, warm-up included; without zeros.
      #: () -> Hash[String, Integer]
      def errors = Recording.named(@records.errors)

      # Core::Records#totals of all of them, warm-up included.
      #: () -> Hash[Symbol, Integer]
      def totals = @records.totals

      # Counts by error number to counts by name, without successes.
      #: (Array[Integer]) -> Hash[String, Integer]
      def self.named(counts)
        Core::ERRORS.zip(counts).drop(1).reject { |_, count| count.zero? }.to_h
      end

      # The records in the form that is stored, some 5 bytes each. The pieces' memory is given back
      # at once: the garbage collector would let dozens of them wait.
      #: () -> String
      def encode
        text = "".b
        each_frame { |frame| text << frame }
        text
      end

      # Yields the same a piece at a time, each to be used at once.
      #: () { (String) -> void } -> void
      def each_frame
        each_chunk do |packed|
          frame = Core::Codec.encode(packed)
          yield frame
          [packed, frame].each(&:clear)
        end
      end

      # Yields the eight numbers of each record as FIELDS has them: quick, for a walk over all.
      #: () { (Array[Integer]) -> void } -> void
      def each_row(&)
        each_chunk do |packed|
          packed.unpack(FIELDS * (packed.bytesize / BYTES)).each_slice(8, &)
          packed.clear
        end
      end

      # Yields an Entry for each request: slow, for a look at few.
      #: () { (Entry) -> void } -> void
      #: () -> Enumerator[Entry, void]
      def each
        return enum_for(:each) unless block_given?

        each_row { |values| yield entry(values) }
      end

      private

      def number(kind)
        KINDS.index(kind) || raise(ArgumentError, "#{kind.inspect} is none of #{KINDS.join(', ')}")
      end

      def entry((due, sent, first, done, bytes, status, error, flags))
        unit = (flags & COARSE).zero? ? 1 : COARSE_NS
        Entry.new(due_ns: due & DUE_MASK, request: due >> 48, sent_ns: sent * unit,
                  first_ns: first * unit, done_ns: done & DONE_MASK, connection: done >> DONE_BITS,
                  bytes:, status:, error: Core::ERRORS.fetch(error), flags:)
      end
    end
  end
end
