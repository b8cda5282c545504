# frozen_string_literal: true

require "test_helper"

module Mohs
  module Analysis
    class UnlikeProductionTest < TestCase
      Trial = Struct.new(:attested)
      USUAL = { env: "production", eager_load: true, log_level: "info",
                cache: "ActiveSupport::Cache::MemoryStore", jobs: "async" }.freeze

      def values(*rails)
        UnlikeProduction.call(rails.map { |one| Trial.new({ rails: one }) })&.values
      end

      test "a debug log, no cache, classes loaded late, and jobs that nobody runs" do
        odd = { eager_load: false, log_level: "debug", cache: UnlikeProduction::NO_CACHE,
                jobs: "sidekiq" }

        assert_equal({ lazy: true, debug: true, no_cache: true, jobs: "sidekiq" },
                     values({ **USUAL, **odd }))
      end

      test "what only some variants have is not said of all" do
        assert_equal({ debug: true }, values({ **USUAL, log_level: "debug", jobs: "sidekiq" },
                                             { **USUAL, log_level: "debug" }))
        assert_nil values({ **USUAL, log_level: "debug" }, USUAL)
      end

      test "nothing to say of usual settings, of those not attested, and without Rails" do
        assert_nil values(USUAL)
        assert_nil values({ env: "production", eager_load: true, yjit: false })
        assert_nil values(nil)
        assert_nil UnlikeProduction.call([])
      end
    end
  end
end
