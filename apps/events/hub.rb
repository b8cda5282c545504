# frozen_string_literal: true

# Streams of one process, which all get what is published in it: a queue for each. Several processes
# would need something that carries a message from one to the others, such as Redis; without it only
# those streams get a message whose process took it.
class Hub
  # Seconds between two comments, which clients ignore: who has gone is noticed when something is
  # written.
  BEAT_S = 0.25
  COMMENT = ":\n\n"

  # Text as an event. A line of an event may end with a CR alone.
  def self.event(text)
    lines = text.sub(/(?:\r\n|\r|\n)\z/, "").split(/\r\n|\r|\n/, -1)
    lines << "" if lines.empty?
    "#{lines.map { |line| "data: #{line}\n" }.join}\n"
  end

  def initialize
    @queues = {}.compare_by_identity
    @lock = Mutex.new
  end

  # Until the client hangs up.
  def listen(stream)
    queue = join
    loop do
      stream.write(queue.pop)
      stream.flush if stream.respond_to?(:flush)
    end
  rescue IOError, SystemCallError
    nil # it has
  ensure
    @lock.synchronize { @queues.delete(queue) }
    stream.close
  end

  # Does not wait until it has been sent.
  def publish(text)
    say(Hub.event(text))
  end

  private

  # In the process that serves: a thread does not live on in what a server forks.
  def join
    queue = Thread::Queue.new
    @lock.synchronize do
      @queues[queue] = true
      @beat = Thread.new { beat } unless @beat&.alive?
    end
    queue
  end

  def beat
    loop do
      sleep BEAT_S
      say(COMMENT)
    end
  end

  def say(text)
    @lock.synchronize { @queues.keys }.each { |queue| queue << text }
  end
end
