# frozen_string_literal: true

require_relative "../reactor"

module Messages
  # Workers are fibers of a second thread; the master is the same as for threads.
  class OldFibers < Master
    def initialize(*)
      super
      Thread.new do
        reactor = Reactor.new
        @links.each { |link| reactor.add { reactor.serve(link) } }
        reactor.run { true }
      end
    end
  end
end
