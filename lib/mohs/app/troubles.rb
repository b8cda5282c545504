# frozen_string_literal: true

module Mohs
  class App
    # Known reasons why an application does not boot or answers with errors, recognised in its log
    # or answer and explained with what to do about each. TABLE is read from top to bottom: causes
    # stand above their consequences. Every pattern was taken from the log of a really broken
    # application (test/fixtures/troubles).
    module Troubles
      # `says` takes in what the pattern captured by name: {name}.
      Trouble = Struct.new(:name, :pattern, :says, keyword_init: true)

      DATABASE = "Start it, or name another: --env DATABASE_URL=postgresql://..."
      # A shell that has no secret would not get that far.
      RAILS = "RAILS_ENV=production SECRET_KEY_BASE=any bin/rails"
      SAME = "(with what you give by --env)"
      PREPARE = "Prepare it: #{RAILS} db:prepare #{SAME}"

      # What newer Rubies have given up, and older applications take for granted: gems of the same
      # name (bundled_gems.rb of each Ruby; 3.0, 3.1, 3.4 and 3.5 did so).
      GONE = %w[webrick rexml rss matrix prime abbrev base64 bigdecimal csv drb getoptlong mutex_m
                nkf observer rinda syslog fiddle logger ostruct pstore benchmark].freeze

      TABLE = [
        Trouble.new(
          name: "gem missing",
          pattern: /Could not find (?:gem )?'?(?<gem>[\w.-]+)'?(?:, \S+)* in (?:any|loc)/,
          says: "the gem {gem} is not in the bundle: add it to the Gemfile, or bundle install",
        ),
        Trouble.new(
          name: "another Ruby",
          pattern: /version is (?<ours>\S+), but your Gemfile specified (?<theirs>[^\n(]*[^\s(])/,
          says: "the Gemfile wants Ruby {theirs}, and this is {ours}",
        ),
        Trouble.new(
          name: "library no longer Ruby's",
          pattern: /cannot load such file -- (?<library>#{GONE.join('|')})\b/,
          says: "the library {library} is no longer part of this Ruby: add gem \"{library}\" to " \
                "the Gemfile, and bundle install",
        ),
        Trouble.new(
          name: "library missing",
          pattern: /cannot load such file -- (?<library>\S+)/,
          says: "the library {library} is missing: its gem belongs into the Gemfile, " \
                "outside of the groups development and test",
        ),
        Trouble.new(
          name: "master key missing",
          pattern: /Missing encryption key to decrypt file with/,
          says: "its credentials are sealed: --env RAILS_MASTER_KEY=... opens them",
        ),
        Trouble.new(
          name: "master key wrong",
          pattern: /ActiveSupport::MessageEncryptor::InvalidMessage/,
          says: "its credentials do not open with the key given: RAILS_MASTER_KEY or " \
                "config/master.key is that of another application, perhaps",
        ),
        Trouble.new(
          name: "secret missing",
          pattern: /Missing `?secret_key_base`?/,
          says: "Rails needs a secret: --env SECRET_KEY_BASE=$(ruby -rsecurerandom " \
                "-e 'puts SecureRandom.hex(64)')",
        ),
        Trouble.new(
          name: "variable missing",
          pattern: /key not found: "(?<variable>[A-Z][A-Z0-9_]+)"/,
          says: "it needs the variable {variable}: --env {variable}=...",
        ),
        Trouble.new(
          name: "no database.yml",
          pattern: /Could not load database configuration\. No such file/,
          says: "the file config/database.yml is missing: write one, or --env DATABASE_URL=...",
        ),
        Trouble.new(
          name: "no database",
          pattern: /NoDatabaseError \(We could not find your database: (?<database>[^\s.]+)/,
          says: "its production database {database} does not exist. #{PREPARE}",
        ),
        Trouble.new(
          name: "database login",
          pattern: /DatabaseConnectionError|role "[^"]+" does not exist|authentication failed/,
          says: "its production database does not let it in. #{DATABASE}",
        ),
        Trouble.new(
          name: "database away",
          pattern: /ConnectionNotEstablished \((?:connection to server )?(?<where>[^\n]+?) failed/,
          says: "its production database does not answer ({where}). #{DATABASE}",
        ),
        Trouble.new(
          name: "migrations pending",
          pattern: /PendingMigrationError/,
          says: "its production database is older than its code. " \
                "Bring it up to date: #{RAILS} db:migrate #{SAME}",
        ),
        Trouble.new(
          name: "tables missing",
          pattern: /UndefinedTable|Could not find table|no such table/,
          says: "its production database lacks tables. #{PREPARE}",
        ),
        Trouble.new(
          name: "pool",
          pattern: /could not obtain a connection from the pool/,
          says: "its database pool is smaller than the server's threads: write pool: " \
                "<%= ENV.fetch(\"RAILS_MAX_THREADS\", 5) %> in config/database.yml, " \
                "or take fewer threads",
        ),
        Trouble.new(
          name: "blocked host",
          pattern: /Blocked hosts?: (?<host>[^\s<]+)/,
          says: "Rails' host authorization does not know {host}: --header " \
                "\"Host: shop.example\", with a host of config.hosts",
        ),
        Trouble.new(
          name: "asset missing",
          pattern: /asset ['"](?<asset>[^'"]+)['"] (?:is|was) not (?:present|found)/i,
          says: "the asset {asset} is not compiled: #{RAILS} assets:precompile",
        ),
        Trouble.new(
          name: "storage service",
          pattern: /Missing configuration for the (?<service>\S+) Active Storage service/,
          says: "its files are stored at {service}, which config/storage.yml does not describe",
        ),
        Trouble.new(
          name: "port in use",
          pattern: /already in use - bind\(2\) for "?(?<where>[^"\s]+)"?(?: port (?<port>\d+))/,
          says: "another process has the port {port} of {where}",
        ),
      ].freeze

      module_function

      # What is the matter and what to do, nil where nothing known is found. `log` the server's and
      # the application's log so far; `answer` an Http::Reply, or nil where there was none.
      #: (?log: String?, ?answer: Http::Reply?) -> String?
      def explain(log: nil, answer: nil)
        text = [log.to_s.dup.force_encoding(Encoding::UTF_8).scrub, answer&.text].compact.join("\n")
        TABLE.each do |trouble|
          found = trouble.pattern.match(text) or next
          return trouble.says.gsub(/\{(\w+)\}/) { found[Regexp.last_match(1)] }
        end
        nil
      end
    end
  end
end
