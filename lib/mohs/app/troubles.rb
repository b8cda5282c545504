# frozen_string_literal: true

module Mohs
  class App
    # Known reasons why an application does not boot or responds with errors, recognised in its log
    # or response, each with a remedy. TABLE is searched from top to bottom: causes come before
    # their consequences. Every pattern comes from the log of a genuinely broken application
    # (test/fixtures/troubles).
    module Troubles
      # `says` is the explanation; `remedy` says what to do, nil if that depends. In both, {name} is
      # replaced by what the pattern's group of that name captured.
      Trouble = Struct.new(:name, :pattern, :says, :remedy, keyword_init: true) do
        # The reason for a match. The capture `ours`, the Ruby in use, is not part of the cause.
        #: (MatchData) -> Reason
        def reason(found)
          summary, what = [says, remedy].map do |text|
            text&.gsub(/\{(\w+)\}/) { Printable.cut(found[Regexp.last_match(1)].to_s) }
          end
          values = found.named_captures.except("ours")
                        .to_h { |key, value| [key.to_sym, value && Printable.cut(value)] }
          Reason.new(summary:, remedy: what, code: name.tr(" ", "_").delete("'").downcase, values:)
        end
      end

      DATABASE = "Start it, or name another: --env DATABASE_URL=postgresql://..."
      # bin/rails would fail in a shell without a secret.
      RAILS = "RAILS_ENV=production SECRET_KEY_BASE=any bin/rails"
      SAME = "(with what you give by --env, behind bundle install: the gems of mohs are its own)"
      PREPARE = "Prepare it: #{RAILS} db:prepare #{SAME}"

      # Libraries that newer Rubies have dropped and that older applications take for granted; the
      # gems have the same names (bundled_gems.rb of each Ruby; 3.0, 3.1, 3.4 and 3.5 dropped some).
      GONE = %w[webrick rexml rss matrix prime abbrev base64 bigdecimal csv drb getoptlong mutex_m
                nkf observer rinda syslog fiddle logger ostruct pstore benchmark].freeze

      TABLE = [
        Trouble.new(
          name: "gem missing",
          pattern: /Could not find (?:gem )?'?(?<gem>[\w.-]+)'?(?:, \S+)* in (?:any|loc)/,
          says: "the gem {gem} is not in the bundle",
          remedy: "Add it to the Gemfile, or bundle install.",
        ),
        Trouble.new(
          name: "another Ruby",
          pattern: /version is (?<ours>\S+), but your Gemfile specified (?<theirs>[^\n(]*[^\s(])/,
          says: "the Gemfile requires Ruby {theirs}, and this is {ours}",
        ),
        Trouble.new(
          name: "library no longer Ruby's",
          pattern: /cannot load such file -- (?<library>#{GONE.join('|')})\b/,
          says: "the library {library} is no longer part of this Ruby",
          remedy: "Add gem \"{library}\" to the Gemfile, and bundle install.",
        ),
        Trouble.new(
          name: "Ruby without OpenSSL",
          pattern: /cannot load such file -- openssl\b/,
          says: "this Ruby was built without OpenSSL",
          remedy: "Add gem \"openssl\" to the Gemfile, which Ruby 2.6 and later can compile with " \
                  "OpenSSL 3, or build this Ruby with an OpenSSL that it supports.",
        ),
        Trouble.new(
          name: "library missing",
          pattern: /cannot load such file -- (?<library>\S+)/,
          says: "the library {library} is missing",
          remedy: "Add its gem to the Gemfile, outside the groups development and test.",
        ),
        Trouble.new(
          name: "master key missing",
          pattern: /Missing encryption key to decrypt file with/,
          says: "its credentials are encrypted",
          remedy: "Pass their key: --env RAILS_MASTER_KEY=...",
        ),
        Trouble.new(
          name: "master key wrong",
          pattern: /ActiveSupport::MessageEncryptor::InvalidMessage/,
          says: "its credentials can't be decrypted with this key",
          remedy: "RAILS_MASTER_KEY or config/master.key may belong to another application.",
        ),
        Trouble.new(
          name: "secret missing",
          pattern: /Missing `?secret_key_base`?/,
          says: "Rails needs a secret",
          remedy: "--env SECRET_KEY_BASE=$(ruby -rsecurerandom -e 'puts SecureRandom.hex(64)')",
        ),
        Trouble.new(
          name: "variable missing",
          pattern: /key not found: "(?<variable>[A-Z][A-Z0-9_]+)"/,
          says: "it needs the variable {variable}",
          remedy: "--env {variable}=...",
        ),
        Trouble.new(
          name: "no database.yml",
          pattern: /Could not load database configuration\. No such file/,
          says: "the file config/database.yml is missing",
          remedy: "Write one, or --env DATABASE_URL=...",
        ),
        Trouble.new(
          name: "no database",
          pattern: /NoDatabaseError \(We could not find your database: (?<database>[^\s.]+)/,
          says: "its production database {database} does not exist",
          remedy: PREPARE,
        ),
        Trouble.new(
          name: "database login",
          pattern: /DatabaseConnectionError|role "[^"]+" does not exist|authentication failed/,
          says: "its production database refuses the login",
          remedy: DATABASE,
        ),
        Trouble.new(
          name: "database away",
          pattern: /ConnectionNotEstablished\ \((?:connection\ to\ server\ )?
                    (?<where>[^\n]{1,200}?)\ failed/x,
          says: "its production database can't be reached ({where})",
          remedy: DATABASE,
        ),
        Trouble.new(
          name: "migrations pending",
          pattern: /PendingMigrationError/,
          says: "its production database is older than its code",
          remedy: "Bring it up to date: #{RAILS} db:migrate #{SAME}",
        ),
        Trouble.new(
          name: "tables missing",
          pattern: /UndefinedTable|Could not find table|no such table/,
          says: "its production database lacks tables",
          remedy: PREPARE,
        ),
        Trouble.new(
          name: "pool",
          pattern: /could not obtain a connection from the pool/,
          says: "its database pool is smaller than the server's threads",
          remedy: "Write pool: <%= ENV.fetch(\"RAILS_MAX_THREADS\", 5) %> in " \
                  "config/database.yml, or use fewer threads.",
        ),
        Trouble.new(
          name: "blocked host",
          pattern: /Blocked hosts?: (?<host>[^\s<]+)/,
          says: "Rails' host authorization blocks {host}",
          remedy: "--header \"Host: shop.example\", with a host from config.hosts",
        ),
        Trouble.new(
          name: "asset missing",
          pattern: /asset ['"](?<asset>[^'"]+)['"] (?:is|was) not (?:present|found)/i,
          says: "the asset {asset} is not compiled",
          remedy: "#{RAILS} assets:precompile #{SAME}",
        ),
        Trouble.new(
          name: "storage service",
          pattern: /Missing configuration for the (?<service>\S+) Active Storage service/,
          says: "its files are stored at {service}, which config/storage.yml does not describe",
        ),
        Trouble.new(
          name: "port in use",
          pattern: /already in use - bind\(2\) for "?(?<where>[^"\s]+)"?(?: port (?<port>\d+))/,
          says: "another process uses port {port} of {where}",
        ),
      ].freeze

      # Characters of each line that are examined: a page may be a single line.
      READ = 4000

      module_function

      # What is wrong and what to do about it, nil if nothing known is found. `log`: the server's
      # and the application's log so far; `answer`: an Http::Reply, or nil if there was none.
      #: (?log: String?, ?answer: Http::Reply?) -> Reason?
      def explain(log: nil, answer: nil)
        log = log.to_s.dup.force_encoding(Encoding::UTF_8).scrub
        text = [log, answer&.text].compact.flat_map(&:lines).map { |line| line.chomp[0, READ] }
                                  .join("\n")
        TABLE.each do |trouble|
          found = trouble.pattern.match(text)
          return trouble.reason(found) if found
        end
        nil
      end
    end
  end
end
