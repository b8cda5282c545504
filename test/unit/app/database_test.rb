# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class DatabaseTest < TestCase
      TEMPLATE = <<~YAML
        default: &default
          adapter: sqlite3
          pool: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>
        <% if ENV["CI"] %>
        ci: {}
        <% end %>
        development:
          <<: *default
          database: db/development.sqlite3
        production:
          adapter: postgresql
          pool: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>
          database: shop_production
          password: <%= ENV['SHOP_PASSWORD'] %>
      YAML

      test "the template of Rails is read without running its ERB" do
        database = Database.parse(TEMPLATE)

        assert_equal %w[postgresql shop_production], [database.adapter, database.name]
        assert_equal :threads, database.pool
      end

      test "a URL in a variable has the adapter of the other environments, if that is one" do
        adapter = lambda do |production, development = "{ adapter: postgresql }"|
          Database.parse("development: #{development}\ntest: { adapter: postgresql }\n" \
                         "production: { #{production} }").adapter
        end
        url = %(url: "<%= ENV['DATABASE_URL'] %>")

        assert_equal "postgresql", adapter.call(url)
        assert_equal "postgresql", adapter.call(url, "{ primary: { adapter: postgresql } }")
        assert_equal "mysql2", adapter.call("#{url}, adapter: mysql2")
        assert_nil adapter.call(url, "{ adapter: sqlite3 }")
        assert_nil adapter.call(%(#{url}, adapter: "<%= ENV['ADAPTER'] %>"))
        assert_nil adapter.call("database: shop")
      end

      test "a pool that follows the threads is never short" do
        assert_nil Database.parse(TEMPLATE).shortage(64)
      end

      test "a pool smaller than the threads is reported" do
        database = Database.parse("production: { adapter: mysql2, pool: 3 }")

        assert_nil database.shortage(3)
        assert_equal Note.of("pool_too_small", size: 3, source: "config/database.yml", threads: 16),
                     database.shortage(16)
        assert_nil database.shortage(nil)
      end

      test "DATABASE_URL takes precedence over the file" do
        database = Database.parse(TEMPLATE)
        url = "postgresql://h/shop?sslmode=off&pool=2"

        assert_equal Note.of("pool_too_small", size: 2, source: "DATABASE_URL", threads: 5),
                     database.shortage(5, env: { "DATABASE_URL" => url })
        assert_nil database.shortage(2, env: { "DATABASE_URL" => url })
        assert_nil Database.parse("production: { pool: 1 }")
                           .shortage(5, env: { "DATABASE_URL" => "#{url}0" })
      end

      test "a RAILS_MAX_THREADS set by the person can make the pool too small" do
        short = { "RAILS_MAX_THREADS" => "1" }

        assert_equal Note.of("pool_too_small", size: 1, source: "RAILS_MAX_THREADS", threads: 5),
                     Database.parse(TEMPLATE).shortage(5, env: short)
        assert_nil Database.parse("production: { pool: 9 }").shortage(5, env: short)
        assert_nil Database.parse(TEMPLATE).shortage(5, env: { "RAILS_MAX_THREADS" => "many" })
      end

      test "the pool defaults to Rails' own size" do
        assert_equal 5, Database.parse("production: { adapter: mysql2 }").pool
      end

      test "Rails 8 calls it max_connections" do
        assert_equal 7, Database.parse("production: { max_connections: 7 }").pool
      end

      test "a pool hidden by other ERB is unknown" do
        text = "production:\n  pool: <%= Shop.pool %>\n  database: <%= Shop.name %>\n"
        database = Database.parse(text)

        assert_nil database.pool
        assert_nil database.name
        assert_nil database.shortage(100)
      end

      test "the primary of several databases counts" do
        text = "production:\n  primary: { adapter: trilogy, pool: 9 }\n  cache: { pool: 1 }\n"

        assert_equal ["trilogy", 9], Database.parse(text).to_h.values_at(:adapter, :pool)
      end

      test "other files give nothing" do
        assert_nil Database.parse("just text")
        assert_nil Database.parse("a: [")
      end
    end
  end
end
