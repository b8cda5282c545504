# frozen_string_literal: true

module Mohs
  module Tune
    # Settings differ in processes and threads: each gets as many connections as it has work for.
    class Loading < Mohs::Procedure::Loading
      #: () -> Integer
      def connections = Rules::CONNECTIONS

      # Unless the user has given a number.
      #: () -> bool
      def fills_threads? = @study.connections.nil?

      #: (processes: Integer?, threads: Integer?) -> Integer?
      def busy_connections(processes:, threads:)
        Rules.connections(processes:, threads:) if fills_threads? && processes && threads
      end

      # In the last rounds, the search for the highest rate of each server.
      #: (Plan::CohortSpec, **untyped) -> Tune::Search?
      def last_load(spec, **options)
        seconds = spec.own[:search_s] or return
        Search.new(limit: @study.rules.limit, seconds:, **options)
      end

      #: () -> bool
      def waves? = false
    end
  end
end
