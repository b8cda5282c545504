# frozen_string_literal: true

begin
  require "async"
rescue LoadError
  raise "MODEL=async needs the gem async: CRuby 3.2 or later", cause: nil
end
require "async/notification"

module Messages
  # Like Fibers, but with Async's scheduler: reads that would block let other fibers run.
  class AsyncTasks < Ensemble
    private

    def run(links)
      Sync do |task|
        links.each { |link| task.async { Messages.serve(link.worker_in, link.worker_out) } }
        start = Async::Notification.new
        links.each { |link| task.async { lead(link, start) } }
        loop do
          @orders.pop
          @busy = links.size
          start.signal
        end
      end
    end

    def lead(link, start)
      reply = +""
      loop do
        start.wait
        @rounds.times do
          link.master_out.write(REQUEST)
          Messages.check(link.master_in.readpartial(SIZE, reply))
        end
        @done << nil if (@busy -= 1).zero?
      end
    rescue StandardError => error
      @done << error
    end
  end
end
