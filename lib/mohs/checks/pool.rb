# frozen_string_literal: true

module Mohs
  module Checks
    # A database pool smaller than the server's threads lets them wait for each other, or fail after
    # five seconds (ActiveRecord::ConnectionTimeoutError).
    class Pool < Base
      private

      def needs = [:attested]

      def judge
        pool, threads = @facts[:attested].values_at(:pool, :threads)
        return unknown("no database pool was seen") unless [pool, threads].all?(Integer)
        return pass("#{pool} database connections for #{threads} threads") if pool >= threads

        warn("the database pool holds #{pool} connections for #{threads} threads " \
             "(pool: in config/database.yml, often RAILS_MAX_THREADS)")
      end
    end
  end
end
