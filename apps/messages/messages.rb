# frozen_string_literal: true

# A master and its workers, each connected to the master by two pipes. The master sends a worker a
# message, the worker replies, and only then gets the next message. Workers start when the
# application boots.
module Messages
  REQUEST = "a master's words"
  REPLY = "a worker's reply"
  SIZE = REQUEST.bytesize

  MODELS = {
    "threads" => :Threads, "processes" => :Processes, "ractors" => :Ractors,
    "fibers" => :Fibers, "fibers-old" => :OldFibers, "async" => :AsyncTasks,
  }.freeze

  # Takes MODEL, WORKERS (10) and MESSAGES (2000, over all workers) from `env`. Raises if this Ruby
  # or system can't run them; the server then ends with the reason as it boots.
  def self.start(env)
    model = env.fetch("MODEL", "threads")
    name = MODELS.fetch(model) { raise "MODEL=#{model}: known are #{MODELS.keys.join(', ')}" }
    workers, messages = Integer(env.fetch("WORKERS", "10")), Integer(env.fetch("MESSAGES", "2000"))
    raise "MESSAGES=#{messages} can't be divided among #{workers} workers" \
      unless workers > 0 && messages > 0 && (messages % workers).zero?

    require_relative "models/#{model}"
    allow_files((4 * workers) + 100)
    const_get(name).new(workers, messages / workers)
  end

  # Two pipes per worker are more open files than many systems allow by default.
  def self.allow_files(count)
    soft, hard = Process.getrlimit(:NOFILE)
    return if soft >= count
    raise "needs #{count} open files, but only #{hard} are allowed (ulimit -Hn)" if hard < count

    Process.setrlimit(:NOFILE, count, hard)
  end

  # The two pipes between the master and one worker.
  class Link
    attr_reader :master_in, :master_out, :worker_in, :worker_out

    def self.open
      new(*IO.pipe, *IO.pipe)
    end

    def initialize(worker_in, master_out, master_in, worker_out)
      @worker_in, @master_out = worker_in, master_out
      @master_in, @worker_out = master_in, worker_out
    end
  end

  # A worker that may block: reads and replies until the master is gone.
  def self.serve(input, output)
    output.sync = true
    message = REQUEST.dup
    loop do
      input.readpartial(SIZE, message)
      output.write(REPLY)
    end
  rescue EOFError, Errno::EPIPE
    nil
  end

  def self.check(reply)
    raise "a worker replied #{reply.inspect}" if reply != REPLY
  end

  # The master of workers that run on their own: writes and reads wherever it does not have to
  # wait.
  class Master
    def initialize(workers, rounds)
      @links = Array.new(workers) { connect }
      @rounds = rounds
    end

    # Returns when each worker has replied as often as it should.
    def exchange
      left = Hash[@links.map { |link| [link, @rounds] }]
      idle = Hash[@links.map { |link| [link.master_out, link] }]
      busy = {}
      until idle.empty? && busy.empty?
        replies, writable = IO.select(busy.keys, idle.keys)
        writable.each do |output|
          output.write(REQUEST)
          link = idle.delete(output)
          busy[link.master_in] = link
        end
        replies.each do |input|
          link = busy.delete(input)
          read(input)
          idle[link.master_out] = link unless (left[link] -= 1).zero?
        end
      end
    end

    private

    def connect
      Link.open
    end

    def read(input)
      Messages.check(input.readpartial(SIZE, @reply ||= REPLY.dup))
    end
  end

  # A master that runs in one thread together with its workers. `run`, defined by a subclass, waits
  # for @orders, and puts nil or an error into @done for each of them.
  class Ensemble
    def initialize(workers, rounds)
      links = Array.new(workers) { Link.open }
      @rounds = rounds
      @orders, @done = Queue.new, Queue.new
      Thread.new { run(links) }
    end

    # Returns when each worker has replied as often as it should.
    def exchange
      @orders << true
      error = @done.pop and raise error
    end
  end
end
