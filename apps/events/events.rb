# frozen_string_literal: true

require_relative "hub"

# The application of config.ru. Events of a stream are due at multiples of its interval after its
# first, so that what one is late by does not delay the next.
class Events
  PATH = %r{\A/(?<how>events|hijacked)/(?<ms>[1-9]\d{0,5})\z}.freeze
  TYPE = "text/event-stream"
  EVERYBODY, PUBLISH = "/everybody", "/publish"
  MOST_BYTES = 65_536
  PLAIN = { "content-type" => "text/plain" }.freeze

  def self.now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # What a client of server-sent events takes as one event.
  def self.text(number) = "id: #{number}\ndata: #{number}\n\n"

  # Sends the events of many connections from one thread. A client that reads nothing, so that no
  # more fits into its socket, is cut off: waiting for it would delay the others.
  class Sender
    Stream = Struct.new(:io, :interval_s, :due, :number)

    def initialize
      @added = Thread::Queue.new
      @streams = []
      @lock = Mutex.new
      @wake, @waker = IO.pipe
    end

    def add(io, interval_s)
      @added << Stream.new(io, interval_s, Events.now, 0)
      @lock.synchronize { @thread = Thread.new { loop { turn } } unless @thread&.alive? }
      @waker.write_nonblock(".", exception: false)
    end

    private

    def turn
      @streams << @added.pop until @added.empty?
      now = Events.now
      @streams.select { |one| one.due <= now }.each { |one| send_event(one) }
      rest = @streams.map(&:due).min&.-(Events.now)
      IO.select([@wake], nil, nil, rest && [rest, 0].max)
      @wake.read_nonblock(4096, exception: false)
    end

    def send_event(stream)
      text = Events.text(stream.number)
      sent = stream.io.write_nonblock(text, exception: false)
      return drop(stream) unless sent == text.bytesize

      stream.due += stream.interval_s
      stream.number += 1
    rescue IOError, SystemCallError
      drop(stream)
    end

    def drop(stream)
      @streams.delete(stream)
      stream.io.close
    rescue IOError, SystemCallError
      nil # the client was first
    end
  end

  def initialize
    @sender = Sender.new
    @hub = Hub.new
  end

  def call(env)
    return [200, headers, @hub.method(:listen)] if env["PATH_INFO"] == EVERYBODY
    return publish(env) if env["PATH_INFO"] == PUBLISH

    path = PATH.match(env["PATH_INFO"]) or return answer(env["PATH_INFO"])
    interval_s = path[:ms].to_i / 1000.0
    return hijacked(env, interval_s) if path[:how] == "hijacked"

    [200, headers, ->(stream) { send_events(stream, interval_s) }]
  end

  private

  def headers = { "content-type" => TYPE, "cache-control" => "no-cache" }

  def answer(path)
    return [200, PLAIN.dup, ["events\n"]] if path == "/"

    [404, PLAIN.dup, ["/events/20 or /hijacked/20: an event every 20 ms; /everybody\n"]]
  end

  def publish(env)
    return [405, { **PLAIN, "allow" => "POST" }, ["POST a text\n"]] if
      env["REQUEST_METHOD"] != "POST"

    text = env["rack.input"]&.read(MOST_BYTES).to_s.dup.force_encoding(Encoding::UTF_8).scrub
    return [400, PLAIN.dup, ["POST a text\n"]] if text.empty?

    @hub.publish(text)
    [204, {}, []]
  end

  def hijacked(env, interval_s)
    return [501, PLAIN.dup, ["this server hands no connection over\n"]] unless env["rack.hijack?"]

    io = env["rack.hijack"].call
    head = headers.map { |name, value| "#{name}: #{value}\r\n" }.join
    io.write("HTTP/1.1 200 OK\r\n#{head}connection: close\r\n\r\n")
    @sender.add(io, interval_s)
    [200, {}, []] # which no server sends any more
  end

  def send_events(stream, interval_s)
    due = Events.now
    (0..).each do |number|
      stream.write(Events.text(number))
      stream.flush if stream.respond_to?(:flush)
      due += interval_s
      rest = due - Events.now
      sleep(rest) if rest.positive?
    end
  rescue IOError, SystemCallError
    nil # the client has hung up
  ensure
    stream.close
  end
end
