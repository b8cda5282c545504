# frozen_string_literal: true

module Messages
  class Ractors < Master
    def initialize(*)
      raise "MODEL=ractors needs Ractor: CRuby 3.0 or later" unless defined?(Ractor)

      Warning[:experimental] = false
      @ractors = []
      super
    end

    private

    def connect
      link = super
      @ractors << ractor(link.worker_in.fileno, link.worker_out.fileno)
      link
    end

    # Files can't be shared between Ractors; their numbers can.
    def ractor(*numbers)
      Ractor.new(*numbers) do |reads, writes|
        Messages.serve(IO.for_fd(reads, "r", autoclose: false),
                       IO.for_fd(writes, "w", autoclose: false))
      end
    end
  end
end
