# frozen_string_literal: true

module Mohs
  module Agent
    # Our own driver on another machine: its threads run on any core there, by the class that they
    # are given there. The pace of those cores says nothing about the servers' own.
    class Driver < Drivers::Native
      #: (Agent::Link, **untyped) -> void
      def initialize(link, **options)
        @link = link
        super(**options, cpus: nil, paced: false)
      end

      #: (Integer) -> void
      def sched_class=(_sched_class); end

      #: () -> nil
      def sched_class = nil

      #: (Array[Integer]) -> void
      def pin(_cpus) = nil

      # Steps are over there one by one: the other end knows only the last.
      #: () -> bool
      def sets_aside? = false

      private

      def make_engine(**options) = Engine.new(@link, **options)

      def watching_steal
        yield
      ensure
        @steal_share = @engine.steal_share
      end
    end
  end
end
