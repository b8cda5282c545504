# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Load
    # Every request of a target, in the order in which the requests ended (worker by worker).
    # Nothing is copied before it is needed, and each_chunk copies a piece at a time: ten million
    # requests are 320 MB.
    class Recording
      CHUNK = 65_536 # requests in a piece of each_chunk: 2 MB, a frame of the codec
      ROWS = 4096 # requests whose values each_row keeps at a time

      # The bits of flags by name: { fresh: 1, warm_up: 2, ... }.
      FLAGS = Core::RECORD_FLAGS.each_with_index.to_h { |name, bit| [name, 1 << bit] }.freeze

      # One request, for debugging: the fields of ext/mohs/core/record.h, times in ns, with the
      # error's name.
      # @rbs skip
      Entry = Struct.new(*Core::RECORD_FIELDS)

      # The recording that #encode made. unsent: the encoded #unsent; "" without any.
      #: (String, ?unsent: String) -> Recording
      def self.decode(encoded, unsent: "")
        records, unsent = [encoded, unsent].map { |frames| Core::Records.of(Core::Codec.decode(frames)) }
        new(records, unsent:)
      end

      # A recording over packed records.
      #: (String) -> Recording
      def self.of(packed) = new(Core::Records.of(packed))

      # records: a Mohs::Core::Records. unsent: for an open loop, the same of the requests that fell
      # due and were never sent, with the time until they were given up; they count in #ranked and
      # #sent_between, and nowhere else.
      #: (Core::Records, ?unsent: Core::Records?) -> void
      def initialize(records, unsent: nil)
        @records = records
        @unsent = unsent
        @due = unsent ? records + unsent : records
      end

      # Requests recorded: good or not, warm-up or not.
      #: () -> Integer
      def size = @records.size

      # Good requests outside warm-up: the basis of quantiles and count_between. All of them have a
      # service, a response and a first time.
      #: () -> Integer
      def good = count(:service)

      # Good requests that have a time of this kind.
      #: (Symbol) -> Integer
      def count(kind) = @records.good(kind)

      # The requests of one entry of the mix, or of one step of a scenario, by its number; a copy.
      #: (Integer) -> Recording
      def of_request(number) = Recording.of(@records.of_request(number))

      # Yields packed strings of at most this many records.
      #: (?Integer) { (String) -> void } -> void
      #: (?Integer) -> Enumerator[String, void]
      def each_chunk(count = CHUNK)
        return enum_for(:each_chunk, count) unless block_given?

        0.step(size - 1, count) { |from| yield @records.slice(from, count) }
      end

      # Exact quantiles in ns: for each p in 0..1, the smallest time that a share p of all requests
      # did not exceed; nil without requests. kind: :service (sent to done), :response (due to
      # done), :first (sent to first byte) and, in an open loop, :lag (due to sent where a
      # connection was free) or :queue (due to sent where none was). In a closed loop :lag is the
      # time that opening a connection took.
      #: (Symbol, Array[Numeric]) -> Array[Integer?]
      def quantiles(kind, shares)
        total = count(kind)
        shares.map do |share|
          next if total.zero?

          @records.select(kind, [(share * total).ceil - 1, 0].max)
        end
      end

      # As #quantiles for :lag, over all requests that were sent, whatever became of them.
      #: (Array[Numeric]) -> Array[Integer?]
      def lags(shares)
        total = @records.due(:lag)
        shares.map do |share|
          @records.lag([(share * total).ceil - 1, 0].max) if total.positive?
        end
      end

      # A time at a rank. more: the request at this rank had no correct response, so its time is
      # longer than `ns`.
      Ranked = Struct.new(:ns, :more) do
        # nil if it is only known to be longer.
        #: () -> Integer?
        def exact_ns = (ns unless more)
      end

      # As #quantiles for :service and :response, over all requests that fell due (for :service,
      # over all that were begun): the rule of every reported percentile. A request without a
      # correct response (timed out, in flight at the end, refused, closed, wrong, or never sent)
      # ranks after every request with one, whatever its own time: nobody knows how long a correct
      # response would have taken, and without this rule a server that gives up on slow requests
      # would be as fast as the others. What is known about such a rank is the longest time that any
      # of these requests took.
      #: (Symbol, Array[Numeric]) -> Array[Recording::Ranked?]
      def ranked(kind, shares)
        all = of_kind(kind)
        total = all.due(kind)
        shares.map do |share|
          next if total.zero?

          Ranked.new(*all.rank(kind, [(share * total).ceil - 1, 0].max))
        end
      end

      # How many of the requests that #ranked counts had no correct response.
      #: (Symbol) -> Integer
      def unanswered(kind) = of_kind(kind).due(kind) - @records.good(kind)

      # How many requests were never sent.
      #: () -> Integer
      def unsent_size = @unsent ? @unsent.size : 0

      # The requests that were never sent, as a recording; nil without any.
      #: () -> Load::Recording?
      def unsent = (Recording.new(@unsent) if unsent_size.positive?)

      # Adds the requests to a fold, including those that were never sent.
      #: (Load::Fold) -> void
      def fold_into(fold) = [@records, @unsent].compact.each { |all| fold.add_records(all) }

      # How many good requests took at least `low_ns` and less than `high_ns`; of lags, also how
      # many that failed once they were sent.
      #: (Symbol, Integer, Integer) -> Integer
      def count_between(kind, low_ns, high_ns)
        @records.count_between(kind, low_ns, high_ns)
      end

      # Correct responses that ended later, in ns since the driver's epoch; without warm-up.
      #: (Integer) -> Integer
      def good_after(ns) = @records.good_after(ns)

      # How many requests were sent between each of these times and the next, in ns since the
      # driver's epoch, ascending; without warm-up. A request that waited for a connection, or was
      # never sent, counts at the time when it was due.
      #: (Array[Integer]) -> Array[Integer]
      def sent_between(edges) = @due.sent_between(edges.pack("Q*")).unpack("Q*")

      # [due since the driver's epoch, due to done] in ns of every correct response, warm-up
      # included.
      #: () -> Array[[Integer, Integer]]
      def responses
        each_row(%i[due_ns done_ns error]).filter_map do |due_ns, done_ns, error|
          [due_ns, done_ns] if error.zero?
        end
      end

      # Sent to done, in ns, of every correct response, warm-up included.
      #: () -> Array[Integer]
      def service_times
        each_row(%i[sent_ns done_ns error]).filter_map do |sent_ns, done_ns, error|
          done_ns - sent_ns if error.zero?
        end
      end

      # The requests that were due in [from_ns, to_ns) since the driver's epoch; a copy.
      #: (Integer, Integer) -> Load::Recording
      def due_between(from_ns, to_ns)
        records, unsent = [@records, @unsent].map do |all|
          Core::Records.of(all.due_between(from_ns, to_ns)) if all
        end
        Recording.new(records, unsent:)
      end

      # Yields recordings of `size` requests each, fewer only in the last one, in the order in which
      # the requests ended; copies.
      #: (Integer) { (Load::Recording) -> void } -> void
      #: (Integer) -> Enumerator[Load::Recording, void]
      def each_batch(size)
        return enum_for(:each_batch, size) unless block_given?

        @records.each_batch(size) { |packed| yield Recording.of(packed) }
      end

      # When the last record ended, in ns since the driver's epoch; nil without any.
      #: () -> Integer?
      def ended_ns
        @records.values(size - 1, 1, %i[due_ns done_ns]).first.sum if size.positive?
      end

      # Failed requests by class, warm-up included; without zeros.
      #: () -> Hash[String, Integer]
      def errors = Recording.named(@records.errors)

      # Core::Records#totals of all requests, warm-up included.
      #: () -> Hash[Symbol, Integer]
      def totals = @records.totals

      # Connections that the server let wait while it served others, and the longest wait: {
      # connections:, longest_ns: } of connections with a request of `least_ns` or more.
      #: (Integer) -> Hash[Symbol, Integer]
      def starved(least_ns) = @records.starved(least_ns)

      # Converts counts by error number to counts by name, without successes.
      #: (Array[Integer]) -> Hash[String, Integer]
      def self.named(counts)
        Core::ERRORS.zip(counts).drop(1).reject { |_, count| count.zero? }.to_h
      end

      # The records in the form that is stored, about 5 bytes each. Memory of the pieces is freed at
      # once: the garbage collector would leave dozens of them waiting.
      #: () -> String
      def encode
        text = "".b
        each_frame { |frame| text << frame }
        text
      end

      # Yields the encoded form piece by piece; each piece must be used at once.
      #: () { (String) -> void } -> void
      def each_frame
        each_chunk do |packed|
          frame = Core::Codec.encode(packed)
          yield frame
          [packed, frame].each(&:clear)
        end
      end

      # Yields the values of these fields (Core::RECORD_FIELDS) of each record, the error as a
      # number and times in ns: fast enough to read all records.
      #: (Array[Symbol]) { (Array[Integer]) -> void } -> void
      #: (Array[Symbol]) -> Enumerator[Array[Integer], void]
      def each_row(fields, &block)
        return enum_for(:each_row, fields) unless block

        0.step(size - 1, ROWS) { |from| @records.values(from, ROWS, fields).each(&block) }
      end

      # Yields an Entry for each request: slow, for looking at a few.
      #: () { (Struct[untyped]) -> void } -> void
      #: () -> Enumerator[Struct[untyped], void]
      def each
        return enum_for(:each) unless block_given?

        each_row(Core::RECORD_FIELDS) { |values| yield entry(values) }
      end

      private

      def of_kind(kind) = kind == :response ? @due : @records

      def entry(values)
        Entry.new(*values).tap { |one| one.error = Core::ERRORS.fetch(one.error) }
      end
    end
  end
end
