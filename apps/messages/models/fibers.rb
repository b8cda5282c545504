# frozen_string_literal: true

require_relative "../reactor"

module Messages
  # Everything is in one reactor: workers are fibers, and so is the master, with one fiber per
  # worker.
  class Fibers < Ensemble
    private

    def run(links)
      @reactor = Reactor.new
      links.each { |link| @reactor.add { @reactor.serve(link) } }
      masters = links.map { |link| Fiber.new { lead(link) } }
      loop do
        @orders.pop
        @done << result(masters)
      end
    end

    def result(masters)
      @busy = masters.size
      masters.each(&:resume)
      @reactor.run { @busy > 0 }
      nil
    rescue StandardError => error
      error
    end

    # Exchanges the messages of one order; then the fiber rests.
    def lead(link)
      reply = REPLY.dup
      loop do
        @rounds.times do
          @reactor.write(link.master_out, REQUEST)
          Messages.check(@reactor.read(link.master_in, reply))
        end
        @busy -= 1
        Fiber.yield
      end
    end
  end
end
