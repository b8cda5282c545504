# frozen_string_literal: true

module Mohs
  module StoreContract
    # Lists of runs, without what they declare.
    module Listings
      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        test "a list has the runs as they are, with the names of their variants" do
          store = open_store
          variants = ["3.4.5 --yjit", "\"é\" $.name"].map { |name| { name:, env: {} } }
          study = { app: "/srv/shop", requests: [], variants:, env: {} }
          run = store.create_run(study:, plan: { cohorts: [] }, fingerprint: {}, provenance: {})
          create_run(store)
          listed = store.listed

          assert_equal run.to_h.slice(*Store::Listings::COLUMNS),
                       listed.last.to_h.except(:variants)
          assert_equal [[], ["3.4.5 --yjit", "\"é\" $.name"]], listed.map(&:variants)
          assert_equal "planned", listed.first.state
          refute_predicate listed.first, :finished?
          refute_predicate listed.first, :running?
        end

        test "a list begins with what was started last, whenever it came into the store" do
          clock = StoreHelper::FakeClock.new(5)
          store = open_store(clock:)
          keys = [5, 9, 7, 9].map do |ms|
            clock.real_ms = ms
            create_run(store).key
          end
          order = keys.values_at(3, 1, 2, 0)

          assert_equal order, store.listed.map(&:key)
          assert_equal order.first(3), store.listed(limit: 3).map(&:key)
          assert_equal order, store.listed(limit: 9).map(&:key)
          assert_equal keys.last(2).reverse, store.runs(limit: 2).map(&:key)
        end

        test "a list of some applications" do
          store = open_store
          keys = %w[/a/shop /b/shop /c].map { |app| create_run(store, app:).key }

          assert_equal %w[/a/shop /b/shop /c], store.apps
          apps = %w[/a/shop /b/shop]
          assert_equal keys.first(2).reverse, store.listed(apps:).map(&:key)
          assert_equal keys.values_at(1), store.listed(limit: 1, apps:).map(&:key)
          assert_equal 3, store.count_runs
          assert_equal([2, 0], [%w[/a/shop /c], []].map { |some| store.count_runs(apps: some) })
        end
      end
    end
  end
end
