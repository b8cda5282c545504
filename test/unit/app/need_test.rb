# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class NeedTest < TestCase
      GEMS = %w[redis-client].freeze

      test "a production database of PostgreSQL is a need, one of SQLite is none" do
        need = needs("production: { adapter: postgresql, host: db, port: 5433 }").first

        assert_equal ["postgresql", "config/database.yml", "db", "5433", []], need.to_a
        assert_equal %w[postgresql],
                     needs("production: { adapter: postgis }").map(&:service)
        ["production: { adapter: sqlite3 }", "production: {}",
         "test: { adapter: postgresql }"].each { |text| assert_empty needs(text) }
      end

      test "what ERB says of its place is the default in it, and the variables that decide" do
        need = needs(<<~'YAML').first
          production:
            adapter: postgresql
            url: <%= ENV["DATABASE_URL"] %>
            host: <%= ENV.fetch("DB_HOST") { "db" } %>
            port: <%= ENV.fetch('DB_PORT', '5433') %>
            password: <%= ENV["PASSWORD"] %>
        YAML

        assert_equal ["db", "5433", %w[DATABASE_URL DB_HOST DB_PORT]],
                     [need.host, need.port, need.variables]
        assert need.given?("DB_HOST" => "db.example")
        assert need.given?("DATABASE_URL" => "postgresql://db.example/shop")
        refute need.given?("PASSWORD" => "x", "DB_HOST" => "")
        assert_nil needs("production: { adapter: postgresql, host: <%= HOST %> }").first.host
      end

      test "Redis is a need where its gem is locked and a file below config reads its URL" do
        cable = %(production:\n  url: <%= ENV.fetch("REDIS_URL") { "redis://cache:6380/1" } %>\n)
        files = { "config/cable.yml" => cable, "config/other.rb" => "x = 1" }

        need = needs(nil, gems: GEMS, **files).first
        assert_equal ["redis", "config/cable.yml", "cache", "6380"], need.to_a.first(4)
        assert_empty needs(nil, gems: %w[rack], **files)
        assert_empty needs(nil, gems: GEMS, "config/other.rb" => "x = 1")
        initializer = { "config/initializers/jobs.rb" => 'Redis.new(url: ENV["REDIS_URL"])' }
        need = needs(nil, gems: GEMS, **initializer).first
        assert_equal ["redis", "config/initializers/jobs.rb", nil, nil], need.to_a.first(4)
      end

      test "MySQL is a need of either of its adapters" do
        needs = %w[mysql2 trilogy].map { |one| needs("production: { adapter: #{one}, host: db }") }

        assert_equal [["mysql", "db"]] * 2, (needs.map { |(one)| [one.service, one.host] })
      end

      # Rails generates the line, as a comment, whether or not it is used.
      test "Memcached is a need where its gem is locked and Rails' store asks the environment" do
        store = "  config.cache_store = :mem_cache_store"
        found = [store, "#{store}, { pool: 5 }", %(Dalli.new(ENV["MEMCACHE_SERVERS"])),
                 "  # #{store}", %(#{store}, "cache.example:11211"), ":memory_store"].map do |text|
          needs(nil, gems: %w[dalli], "config/environments/production.rb" => "#{text}\n")
            .map(&:to_a)
        end

        need = ["memcached", "config/environments/production.rb", nil, nil, []]
        assert_equal [[need], [need], [need], [], [], []], found
        assert_empty needs(nil, gems: GEMS, "config/environments/production.rb" => store)
      end

      test "databases of the same adapter beside the first are known by their names" do
        text = <<~YAML
          production:
            primary: { adapter: postgresql }
            cache: { adapter: postgresql }
            cable: { adapter: sqlite3 }
        YAML

        assert_equal %w[cache], Database.parse(text).others
        assert_equal [], Database.parse("production: { adapter: postgresql }").others
      end

      test "an application folder is read with its needs" do
        with_files("config.ru" => "run 1",
                   "config/database.yml" => "production: { adapter: postgresql }") do |folder|
          assert_equal %w[postgresql], App::Folder.load(folder).needs.map(&:service)
        end
        with_files("config.ru" => "run 1") { |folder| assert_empty App::Folder.load(folder).needs }
      end

      private

      def needs(yaml, gems: [], **files)
        with_files(**files.transform_keys(&:to_s), "x" => "") do |folder|
          return Need.all(folder, database: yaml && Database.parse(yaml), gems:)
        end
      end
    end
  end
end
