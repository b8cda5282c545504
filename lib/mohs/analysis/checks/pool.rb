# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # With a database pool smaller than their number, the server's threads wait for each other, or
      # fail after five seconds (ActiveRecord::ConnectionTimeoutError).
      class Pool < Base
        WORDS = {
          none: "no database pool was found",
          enough: "%{pool|count} database connections for %{threads|count} threads",
          small: "the database pool has %{pool|count} connections for %{threads|count} threads " \
                 "(pool: in config/database.yml, often RAILS_MAX_THREADS; Sequel's is " \
                 "max_connections: of Sequel.connect)",
          sequel: "the database pool has %{pool|count} connections for %{threads|count} threads " \
                  "(max_connections: of Sequel.connect, 4 unless the application sets it)",
        }.freeze

        private

        def needs = [:attested]

        def judge
          pool, threads = facts[:attested].values_at(:pool, :threads)
          return unknown(:none) unless [pool, threads].all?(Integer)

          return pass(:enough, pool:, threads:) if pool >= threads

          warn(sequel_alone? ? :sequel : :small, pool:, threads:)
        end

        def sequel_alone?
          names = facts[:attested][:gems].to_h.keys.map(&:to_s)
          names.include?("sequel") && !names.include?("activerecord")
        end
      end
    end
  end
end
