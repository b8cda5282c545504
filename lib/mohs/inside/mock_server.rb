# frozen_string_literal: true

# A server that needs nothing but a Ruby (2.0 or later) and boots in milliseconds: the member `mock`
# of mohs's servers. It behaves well by default and misbehaves on request, so that each test run
# covers every way in which a real server can fail.
#
#     ruby mock_server.rb HOST:PORT|/PATH PROCESSES THREADS
#
#   MOHS_MOCK_FAULT    500 | wrong | truncated | garbage | silence | die
#                      | refuse (prints an error and exits before it listens)
#                      | other (a valid response, but a different one)
#   MOHS_MOCK_BOOTS    FILE:FIRST-LAST: only these boots, counted in FILE, have the fault
#   MOHS_MOCK_AFTER    correct responses of each process before the fault (0)
#   MOHS_MOCK_BOOT_S   seconds until it listens (0)
#   MOHS_MOCK_DELAY_MS how long each response takes (0)
#   MOHS_MOCK_BODY     the body of its responses ("Hello")
#   MOHS_MOCK_BUSY     share of time for which each process works without any request (0)
require "socket"

# One process: as many threads as requested, each of which serves one connection at a time until it
# closes.
class MockServer
  CLOSING = /^connection:\s*close/i.freeze
  LENGTH = /^content-length:\s*(\d+)/i.freeze

  def initialize(listener, env)
    @listener = listener
    @fault = env["MOHS_MOCK_FAULT"]
    @left = env.fetch("MOHS_MOCK_AFTER", 0).to_i
    @delay_s = env.fetch("MOHS_MOCK_DELAY_MS", 0).to_f / 1000
    @body = env.fetch("MOHS_MOCK_BODY", "Hello")
    @lock = Mutex.new
  end

  # Alternates between ten milliseconds of work and a pause.
  def busy(share)
    Thread.new do
      loop do
        ends = cpu_s + 0.01
        nil until cpu_s > ends
        sleep (0.01 / share) - 0.01
      end
    end
  end

  def run(threads)
    Array.new(threads) { |index| start_thread(index) }.each(&:join)
  end

  private

  def cpu_s
    return Process.times.utime unless Process.respond_to?(:clock_gettime) # before 2.1

    Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)
  end

  # Named like Puma's threads, so that an attestation counts them.
  def start_thread(index)
    Thread.new do
      Thread.current.name = "mock tp #{index}" if Thread.current.respond_to?(:name=) # since 2.3
      loop { serve(@listener.accept) }
    end
  end

  def serve(socket)
    while (head = socket.gets("\r\n\r\n"))
      socket.read(head[LENGTH, 1].to_i)
      sleep @delay_s if @delay_s > 0
      break unless answer(socket, head)
    end
  rescue SystemCallError, IOError
    nil # the client disconnected
  ensure
    socket.close
  end

  # Returns whether the connection stays open.
  def answer(socket, head)
    return misbehave(socket) if @fault && @lock.synchronize { (@left -= 1) < 0 }

    closing = !head[CLOSING].nil?
    socket.write(message("200 OK", @body, closing, head.start_with?("HEAD ")))
    !closing
  end

  def message(status, body, closing = false, bodiless = false)
    "HTTP/1.1 #{status}\r\nContent-Type: text/plain\r\nContent-Length: #{body.bytesize}\r\n" \
      "#{"Connection: close\r\n" if closing}\r\n#{body unless bodiless}"
  end

  def misbehave(socket)
    case @fault
    when "500" then socket.write(message("500 Internal Server Error", "boom"))
    when "other" then socket.write(message("200 OK", @body * 2))
    when "wrong" then socket.write(message("200 OK", @body.tr("A-Za-z", "B-ZAb-za")))
    when "garbage" then socket.write("#{[0, 255].pack('C*')}this is no HTTP\r\n\r\n")
    when "truncated" then socket.write(message("200 OK", "#{@body}#{@body}").chop)
    when "silence" then sleep
    when "die" then exit!(3)
    end
    %w[500 wrong other].include?(@fault)
  end
end

def listen(address)
  host, port = address.split(":")
  port ? TCPServer.new(host, port.to_i) : UNIXServer.new(address)
end

def work(listener, threads)
  trap("TERM") { exit!(0) }
  server = MockServer.new(listener, ENV)
  share = ENV.fetch("MOHS_MOCK_BUSY", 0).to_f
  server.busy(share) if share > 0
  server.run(threads)
end

# A master that serves nothing itself, like those of real servers.
def supervise(listener, processes, threads)
  workers = Array.new(processes) do |index|
    fork do
      $0 = "mock worker[#{index}]"
      work(listener, threads)
    end
  end
  trap("TERM") { workers.each { |pid| Process.kill("TERM", pid) } }
  workers.each { |pid| Process.wait(pid) }
end

# Does this boot have the fault? Each boot adds a byte to the file.
def faulty_boot?(boots)
  return true unless boots

  file, first, last = boots.match(/\A(.+):(\d+)-(\d+)\z/).captures
  boot = File.open(file, "ab") do |counter|
    counter.flock(File::LOCK_EX)
    counter.write(".")
    counter.flush
    counter.size
  end
  boot.between?(first.to_i, last.to_i)
end

address = ARGV[0]
processes, threads = ARGV[1, 2].map(&:to_i)
ENV.delete("MOHS_MOCK_FAULT") unless faulty_boot?(ENV["MOHS_MOCK_BOOTS"])
abort "mock: told to refuse" if ENV["MOHS_MOCK_FAULT"] == "refuse"
sleep ENV.fetch("MOHS_MOCK_BOOT_S", 0).to_f
listener = listen(address)
processes > 1 ? supervise(listener, processes, threads) : work(listener, threads)
