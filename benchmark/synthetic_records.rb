# frozen_string_literal: true

# Records as a closed loop writes them, packed, without a server: `connections` take turns on a
# server whose service time is log-normal (as measured ones are: a body and a long tail), all times
# in whole nanoseconds so that the low bits are as noisy as real ones. Used by benchmark/store.rb
# and by the tests of the codec.
class SyntheticRecords
  # Little-endian struct mohs_record: due|request, sent, first, done|connection, bytes, status,
  # error, flags.
  PACKING = "Q<L<L<Q<L<S<CC"

  #: (?connections: Integer, ?service_ns: Integer, ?spread: Float, ?seed: Integer) -> void
  def initialize(connections: 5, service_ns: 250_000, spread: 0.25, seed: 1)
    @connections = connections
    @service_ns = service_ns
    @spread = spread
    @random = Random.new(seed)
  end

  #: (Integer) -> String
  def take(count)
    free_ns = Array.new(@connections) { |index| 1_000_000 + (index * 20_000) }
    ends = free_ns.map { |due| due + service }
    Array.new(count) do |index|
      connection = ends.index(ends.min)
      due = free_ns[connection]
      free_ns[connection] = ends[connection]
      ends[connection] += service
      record(due, free_ns[connection] - due, connection, index)
    end.join
  end

  private

  # Time of one response; half of it waits for the others on the server's lock.
  def service = (@service_ns * Math.exp(@spread * gauss)).to_i

  def gauss = Math.sqrt(-2 * Math.log(1 - @random.rand)) * Math.cos(2 * Math::PI * @random.rand)

  def record(due, done, connection, index)
    sent = 6_000 + (3_000 * Math.exp(0.5 * gauss)).to_i
    flags = index < @connections ? 1 : 0
    [due, sent, done, done | (connection << 40), 12, 200, 0, flags].pack(PACKING)
  end
end
