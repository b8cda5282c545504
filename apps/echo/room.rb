# frozen_string_literal: true

require_relative "talk"

# Streams that all get what comes in over any of them. A client that reads nothing holds up who
# sends to it.
class Room
  READ_BYTES = 65_536

  def initialize
    @locks = {}
    @lock = Mutex.new
  end

  # Until the client closes the connection or hangs up.
  def converse(stream)
    talk = Talk.new
    @lock.synchronize { @locks[stream] = Mutex.new }
    until talk.over?
      out = talk.answer(stream.readpartial(READ_BYTES))
      (talk.over? ? [stream] : members).each { |one| write(one, out) } unless out.empty?
    end
  rescue IOError, SystemCallError
    nil # the client has hung up
  ensure
    leave(stream)
    stream.close
  end

  private

  def members = @lock.synchronize { @locks.keys }

  def leave(stream) = @lock.synchronize { @locks.delete(stream) }

  # Whole frames, of one sender at a time.
  def write(stream, out)
    lock = @lock.synchronize { @locks[stream] } or return
    lock.synchronize do
      stream.write(out)
      stream.flush if stream.respond_to?(:flush)
    end
  rescue IOError, SystemCallError
    leave(stream) # it has hung up, which its own conversation notices
  end
end
