# frozen_string_literal: true

module Messages
  class Threads < Master
    private

    def connect
      super.tap { |link| Thread.new { Messages.serve(link.worker_in, link.worker_out) } }
    end
  end
end
