# frozen_string_literal: true

require "fiber" # Fiber.current before Ruby 3.1

module Messages
  # Runs fibers of one thread: each waits for a pipe and goes on when the pipe is ready.
  class Reactor
    def initialize
      @readers = {}
      @writers = {}
    end

    # Runs a fiber until it waits.
    def add(&block)
      Fiber.new(&block).resume
    end

    # Runs until the block returns false.
    def run
      while yield
        readers, writers = IO.select(@readers.keys, @writers.keys)
        readers.each { |io| @readers.delete(io).resume }
        writers.each { |io| @writers.delete(io).resume }
      end
    end

    # A worker, which replies forever.
    def serve(link)
      message = REQUEST.dup
      loop do
        read(link.worker_in, message)
        write(link.worker_out, REPLY)
      end
    end

    # Only called when the pipe holds a whole message or nothing.
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
