# frozen_string_literal: true

require "fiber" # Fiber.current before Ruby 3.1

module Messages
  # Runs fibers of one thread: each waits for a pipe, and goes on when that is ready.
  class Reactor
    def initialize
      @readers = {}
      @writers = {}
    end

    # Runs a fiber until it waits.
    def add(&block)
      Fiber.new(&block).resume
    end

    # Until the block says no.
    def run
      while yield
        readers, writers = IO.select(@readers.keys, @writers.keys)
        readers.each { |io| @readers.delete(io).resume }
        writers.each { |io| @writers.delete(io).resume }
      end
    end

    # A worker, which replies for ever.
    def serve(link)
      message = +""
      loop do
        read(link.worker_in, message)
        write(link.worker_out, REPLY)
      end
    end

    # Only called where a whole message is in the pipe or none.
    def read(input, message)
      @readers[input] = Fiber.current
      Fiber.yield
      input.read_nonblock(SIZE, message)
    end

    def write(output, message)
      @writers[output] = Fiber.current
      Fiber.yield
      output.write_nonblock(message)
    end
  end
end
