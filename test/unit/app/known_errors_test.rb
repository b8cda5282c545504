# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    # The logs are those of applications that were really broken in that way, with their paths
    # shortened.
    class TroublesTest < TestCase
      LOGS = File.expand_path("../../fixtures/troubles", __dir__)

      EXPLAINED = {
        "another_ruby" => /requires Ruby 3\.2\.2, and this is 3\.1\.2/,
        "asset_missing_in_propshaft" => /asset logo\.png is not compiled/,
        "asset_missing" =>
          /asset rails\.svg is not compiled\n--prepare "bin\/rails db:prepare .*; else RAILS_ENV=/,
        "blocked_host" => /blocks 127\.0\.0\.1\n--header "Host: shop\.example"/,
        "column_missing" => /older than its code: it lacks the column users\.email\nBring.*migrate/,
        "column_missing_for_insert" => /lacks the column email/,
        "column_missing_in_sqlite" => /lacks the column email/,
        "database_away" => /can't be reached \(at "127\.0\.0\.1", port 5498\)/,
        "database_away_by_socket" => %r{can't be reached \(on socket "/var/run/postgresql/},
        "database_away_by_name" => /can't be reached \("db"\)\nStart it.*--service postgresql/,
        "database_away_by_name_in_rails_7" => /can't be reached \("db"\)/,
        "database_away_of_workers" => %r{can't be reached \(on socket "/var/run/nopg/},
        "database_away_in_pg" => %r{can't be reached \(on socket "/var/run/nopg/},
        "database_away_in_rails_8" => /can't be reached \(at "127\.0\.0\.1", port 5999\)/,
        "database_away_in_sequel" => /can't be reached \(at "127\.0\.0\.1", port 5999\)/,
        "database_login" => /refuses the login/,
        "database_missing_in_rails_8" => /nosuch does not exist\nPrepare/,
        "database_missing_in_sequel" => /mohs_test does not exist\nCreate it/,
        "database_not_configured" => /no database queue in production\n.*environments\/production/,
        "database_password" => /refuses the login/,
        "database_role" => /refuses the login/,
        "database_variable_unknown" =>
          /has no variable transaction_isolation, .*\n.*MariaDB.*--env DATABASE_URL=/,
        "database_without_adapter" =>
          /no adapter in config.*\n--env DATABASE_URL=.* --service postgresql/,
        "database_without_file" =>
          /database has no file in config.*\n.*primary, cache, queue and cable/,
        "disk_full" => /the disk is full/,
        "dump_by_socket" => /pg_dump takes the folder .*\n.*"hanami db migrate --no-dump"/,
        "elasticsearch_away" => /Elasticsearch.*\(127\.0\.0\.1:9299\)\n.*ELASTICSEARCH_URL/,
        "extension_of_another_engine" => /nio4r_ext\.so was compiled for another Ruby/,
        "extension_of_newer_libc" => /glibc_ext\.so was compiled for another Ruby or system/,
        "extension_of_newer_ruby" => /nio4r_ext\.so was compiled for another Ruby/,
        "gem_missing" => /the gem nosuchgemhere is not in the bundle/,
        "gem_not_installed" => /the gem faker is not in the bundle/,
        "http_service_unknown" => /\(config\.internal\.invalid:80\)\nStart it, or name another/,
        "jvm_memory" => /limit of 64M is too low for its memory\nRaise it: -J-Xmx/,
        "jvm_stack" => /limit of 2048K is too low for its stack memory\n.*-J-Xss/,
        "kafka_away" => %r{Kafka can't be reached \(kafka://127\.0\.0\.1:9099\)},
        "library_gone" => /base64 is no longer part of this Ruby\nAdd gem "base64" to the Gemfile/,
        "library_missing" => /the library nosuchlib is missing/,
        "log_folder_missing" =>
          %r{folder of its log /srv/shop/log/production\.log is missing\n.*mkdir log\z},
        "log_folder_missing_in_jruby" => /is missing\n.*mkdir log\z/,
        "master_key_missing" => /--env RAILS_MASTER_KEY=/,
        "master_key_required" => /--env RAILS_MASTER_KEY=/,
        "master_key_wrong" => /can't be decrypted with this key/,
        "memcached_away" => /Memcached.*\(127\.0\.0\.1:11999\)\n.*--service memcached/,
        "migrations_pending" => /older than its code\nBring.*db:migrate/,
        "migrations_pending_at_boot" => /older than its code\nBring.*db:migrate/,
        "mongodb_away" => /MongoDB can't be reached \(127\.0\.0\.1:27999\)/,
        "mysql_by_name" => /MySQL can't be reached \(db\)/,
        "mysql_by_socket" => %r{MySQL can't be reached \(/run/mysqld/mysqld\.sock\)},
        "mysql_refused" => /\(127\.0\.0\.1\)\n.*DATABASE_URL=.*--service mysql/,
        "no_database" => /sample_app_production does not exist\nPrepare.*db:prepare/,
        "no_database_yml" => /config\/database\.yml is missing/,
        "opensearch_away" => /a service that can't be reached \("127\.0\.0\.1" port 9298\)/,
        "pool" => /pool is smaller.*\n.*<%= ENV\.fetch\("RAILS_MAX_THREADS", 5\) %>/,
        "port_in_use" => /another process uses port 9484 of 127\.0\.0\.1/,
        "rabbitmq_away" => /RabbitMQ.*\(127\.0\.0\.1:5672\)\n.*apt-get install rabbitmq-server/,
        "redis_away" => %r{Redis.*\(redis://127\.0\.0\.1:6399\)\n.*--service redis},
        "redis_of_workers" => %r{Redis can't be reached \(redis://localhost:6399\)},
        "redis_by_name" => %r{Redis can't be reached \(redis://cache:6379\)},
        "redis_by_socket" => %r{Redis can't be reached \(unix:///run/redis/redis\.sock\)},
        "redis_of_sidekiq" => %r{Redis can't be reached \(redis://127\.0\.0\.1:6399\)},
        "ruby_without_openssl" => /built without OpenSSL\nAdd gem "openssl" to the Gemfile/,
        "secret_missing" => /--env SECRET_KEY_BASE=\$\(ruby -rsecurerandom/,
        "secret_missing_lazily" => /--env SECRET_KEY_BASE=/,
        "solid_cache_missing" => /lacks the table solid_cache_entries\nPrepare.*db:prepare/,
        "solid_queue_missing" => /lacks the table solid_queue_jobs\nPrepare.*db:prepare/,
        "storage_service" => /stored at amazon/,
        "system_library_missing" => /library libvips\.so\.42 is missing\n.*apt-file search libvips/,
        "tables_missing" => /lacks the table users\nPrepare.*db:prepare/,
        "tables_missing_in_sequel" => /lacks the table users\n.*--prepare "rake db:migrate"/,
        "tables_missing_in_sqlite" => /lacks the table settings/,
        "trilogy_by_name" => /MySQL can't be reached \(db:3306\)/,
        "trilogy_by_socket" => %r{MySQL can't be reached \(/var/run/mysqld/mysqld\.sock\)},
        "trilogy_refused_at_boot" => /\(127\.0\.0\.1:3306\)\n.*--service mysql/,
        "trilogy_refused" => /MySQL can't be reached \("127\.0\.0\.1" port 3999\)/,
        "variable_missing_in_rails_8" => /needs the variable PAYMENT_KEY/,
        "variable_missing" => /needs the variable STRIPE_KEY\n--env STRIPE_KEY=/,
        "vips_half_loaded" =>
          /libvips\.so\.42 is missing, .*block_untrusted\n.*apt-get install .*libvips42/,
      }.freeze

      def explained(...) = KnownErrors.explain(...).to_s

      test "what to do is apart from what is wrong" do
        log = File.read(File.join(LOGS, "no_database.log"))
        found = KnownErrors.explain(log:)

        assert_operator found.summary, :end_with?, "sample_app_production does not exist"
        assert_match(/\APrepare it: .*db:prepare \(run `bundle install` first; add your --env/,
                     found.remedy)
        assert_equal ["no_database", { database: "sample_app_production" }],
                     [found.code, found.values]
        KnownErrors::TABLE.each { |trouble| refute_match(/--env|--header|bin\/rails/, trouble.says) }
      end

      test "a log of the machine that an application reads is not its own" do
        said = "Errno::ENOENT: No such file or directory @ rb_sysopen - %slog/import.log"

        assert_match(/mkdir log/, explained(log: format(said, "/srv/shop/")))
        refute_match(/mkdir log/, explained(log: format(said, "/var/")))
      end

      test "a cause is the same under another Ruby" do
        found = %w[3.1.2 3.0.6].map do |ruby|
          KnownErrors.explain(log: "Your Ruby version is #{ruby}, but your Gemfile specified 3.2.2")
        end

        refute_equal(*found)
        assert_equal(*found.map(&:cause))
      end

      EXPLAINED.each do |name, explanation|
        test "explains #{name}" do
          assert_match explanation, explained(log: File.read(File.join(LOGS, "#{name}.log")))
        end
      end

      test "every log and every row of the table is covered" do
        logs = Dir[File.join(LOGS, "*.log")].sort
        hit = logs.map do |log|
          text = File.read(log)
          KnownErrors::TABLE.find { |trouble| trouble.pattern.match?(text) }.name
        end

        assert_equal EXPLAINED.keys.sort, logs.map { |log| File.basename(log, ".log") }
        assert_equal KnownErrors::TABLE.map(&:name).sort, hit.uniq.sort
      end

      test "unknown causes are not explained" do
        assert_nil KnownErrors.explain(log: "Puma starting in single mode...\n* Listening on http://127.0.0.1:9481\n")
        assert_nil KnownErrors.explain
      end

      test "an answer is looked at as well as the log" do
        answer = Http::Reply.new(status: 403, reason: "", headers: {},
                           body: "<h1>Blocked hosts: a.example:80</h1>".b)

        assert_match(/blocks a\.example:80/, explained(answer:))
      end

      test "of several missing gems the first is named" do
        log = "Could not find rack-3.1.0, puma-6.4.2 in any of the sources (Bundler::GemNotFound)"

        assert_match(/the gem rack-3\.1\.0 is/, explained(log:))
      end

      test "a log that isn't UTF-8 does no harm" do
        assert_match(/STRIPE_KEY/,
                     explained(log: "\xff\xfe key not found: \"STRIPE_KEY\"".b))
      end
    end
  end
end
