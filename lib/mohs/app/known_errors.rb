# frozen_string_literal: true

module Mohs
  class App
    # Known reasons why an application does not boot or responds with errors, recognised in its log
    # or response, each with a remedy. TABLE is searched from top to bottom: causes come before
    # their consequences. Every pattern comes from the log of a genuinely broken application
    # (test/fixtures/troubles).
    module KnownErrors
      # `says` is the explanation; `remedy` says what to do, nil if that depends. In both, {name} is
      # replaced by what the pattern's group of that name captured. `task`: of Rails, whose command
      # follows the remedy. `unprepared`: true if a database lacks what its preparation makes, so
      # that the remedy is to prepare it.
      Trouble = Struct.new(:name, :pattern, :says, :remedy, :task, :unprepared,
                           keyword_init: true) do
        # The reason for a match. The capture `ours`, the Ruby in use, is not part of the cause.
        #: (MatchData) -> Reason
        def reason(found)
          summary, what = [says, to_type].map do |text|
            text&.gsub(/\{(\w+)\}/) { Printable.cut(found[Regexp.last_match(1)].to_s) }
          end
          values = found.named_captures.except("ours")
                        .to_h { |key, value| [key.to_sym, value && Printable.cut(value)] }
          Reason.new(summary:, remedy: what, code:, values:)
        end

        # The remedy, with the command of its task. wrapper: what runs a command with the
        # application's Ruby and gems (Bundle#wrapper); nil: the user's shell has to have them.
        #: (?String?) -> String?
        def to_type(wrapper = nil)
          return remedy unless task
          return "#{remedy}: #{RAILS} #{task} #{FIRST}" unless wrapper

          "#{remedy}: #{wrapper} bin/rails #{task} #{VARIABLES}"
        end

        #: () -> String
        def code = name.tr(" ", "_").delete("'").downcase
      end

      # What to do if a service can't be reached. mohs can start some of them itself.
      START = "Start it, or name another: --env"
      DATABASE = "#{START} DATABASE_URL=postgresql://..."
      PRIVATE = "or let mohs start a private one: --service"
      WHICH = "postgresql (mysql if the Gemfile has mysql2 or trilogy)"
      # The option takes a command, not a file that may lack the bit.
      OWN_SCRIPT = "a script of yours: --prepare \"sh FILE\""
      # bin/rails would fail in a shell without a secret.
      RAILS = "RAILS_ENV=production SECRET_KEY_BASE=any bin/rails"
      # mohs installs the gems for itself alone, and the shell lacks what --env gives.
      FIRST = "(run `bundle install` first; add your --env variables)"
      VARIABLES = "(add your --env variables)"
      PREPARE = { remedy: "Prepare it", task: "db:prepare" }.freeze
      MIGRATE = { remedy: "Bring it up to date", task: "db:migrate" }.freeze

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
          name: "system library missing",
          pattern: /Could not open library '(?<library>lib[^'\s]+)'.* cannot open shared object/,
          says: "the system library {library} is missing",
          remedy: "Install the package that has it: apt-file search {library}",
        ),
        # Rails rescues ruby-vips' LoadError; the module that it leaves behind has no methods.
        Trouble.new(
          name: "libvips missing",
          pattern: /undefined method [`'](?<method>\w+)' for (?:module )?Vips\b/,
          says: "the system library libvips.so.42 is missing, so Vips has no method {method}",
          remedy: "Install it: apt-get install --no-install-recommends libvips42",
        ),
        # By Bundler's `gem`, as Active Record calls it for its adapter. Bundler then tries to load
        # the gem that has done so by another name, which is no cause.
        Trouble.new(
          name: "gem not in its groups",
          pattern: /(?<gem>[\w.-]+) is not part of the bundle\. Add it to your Gemfile/,
          says: "the gem {gem} is not in the bundle, which leaves out the groups development " \
                "and test",
          remedy: "Add it to the Gemfile, outside these groups.",
        ),
        Trouble.new(
          name: "library missing",
          pattern: /cannot load such file -- (?<library>\S+)/,
          says: "the library {library} is missing",
          remedy: "Add its gem to the Gemfile, outside the groups development and test.",
        ),
        Trouble.new(
          name: "nothing to run",
          pattern: /missing run or map statement/,
          says: "its config.ru has no line that runs an application",
          remedy: "Add it to config.ru: run MyApp (Rails: run Rails.application).",
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
          remedy: "Write one, or --env DATABASE_URL=..., #{PRIVATE} #{WHICH}",
        ),
        Trouble.new(
          name: "database not configured",
          pattern: /The `?(?<database>\w+)`? database is not configured for the `?(?<env>\w+)/,
          says: "config/database.yml has no database {database} in {env}",
          remedy: "Add it, or remove what asks for it in config/environments/{env}.rb.",
        ),
        Trouble.new(
          name: "database without an adapter",
          pattern: /AdapterNotSpecified(?:\)|: database configuration does not specify adapter)/,
          says: "its production database has no adapter in config/database.yml, which probably " \
                "takes it from a variable that is not set",
          remedy: "--env DATABASE_URL=..., #{PRIVATE} #{WHICH}",
        ),
        Trouble.new(
          name: "database without a file",
          pattern: /No database file specified\. Missing argument: database/,
          says: "its production database has no file in config/database.yml",
          remedy: "Give each production database there a file, such as database: " \
                  "storage/production.sqlite3 (a new Rails application has several without one: " \
                  "primary, cache, queue and cable)",
        ),
        Trouble.new(
          name: "database login",
          pattern: /with your username.password|role "[^"]+" does not exist|authentication failed/,
          says: "its production database refuses the login",
          remedy: DATABASE,
        ),
        Trouble.new(
          name: "no database",
          pattern: /NoDatabaseError\ \((?:We\ could\ not\ find\ your\ d|D)atabase(?:\ not\ found)?:
                    \ (?<database>[^\s.]+)/x,
          says: "its production database {database} does not exist",
          **PREPARE,
          unprepared: true,
        ),
        Trouble.new(
          name: "no database for Sequel",
          pattern: /failed: FATAL:\s+database "(?<database>[^"\n]{1,200})" does not exist/,
          says: "its production database {database} does not exist",
          remedy: "Create it, or name another: --env DATABASE_URL=postgresql://..., #{PRIVATE} " \
                  "postgresql",
          unprepared: true,
        ),
        Trouble.new(
          name: "database away",
          pattern: /(?:(?:ConnectionNotEstablished|PG::ConnectionBad)(?:\ \(|:\ )|
                    ^\[\d{1,9}\]\ (?=connection\ to\ server\ ))
                    (?:connection\ to\ server\ )?(?:could\ not\ translate\ host\ name\ )?
                    (?<where>[^\n]{1,200}?)\ (?:failed|to\ address):\ /x,
          says: "its production database can't be reached ({where})",
          remedy: "#{DATABASE}, #{PRIVATE} postgresql",
        ),
        Trouble.new(
          name: "MySQL away",
          pattern: /Mysql2::Error::ConnectionError\W{1,2}(?:Can't|Unknown)\ [^\n]{1,100}?
                    '(?<where>[^'\n]{1,200})'|
                    trilogy_connect\ -\ unable\ to\ connect\ to\ (?<where>[^\s)]{1,200})|
                    Trilogy::[\w:]{1,60}\ \((?:unable\ to\ connect\ to\ "(?<where>[^"\n]{1,200})"|
                    [^\n]{1,200}?connect\(2\)\ for\ (?<where>[^)\n]{1,200})\))/x,
          says: "its MySQL can't be reached ({where})",
          remedy: "#{START} DATABASE_URL=mysql2://..., #{PRIVATE} mysql",
        ),
        Trouble.new(
          name: "Redis away",
          pattern: /(?:CannotConnectError\W{1,2}|\ connect\(2\)\ for\ )[^\n]{1,300}?
                    \((?<where>(?:rediss?|unix):[^)\s]{1,200})\)/x,
          says: "its Redis can't be reached ({where})",
          remedy: "#{START} REDIS_URL=redis://..., #{PRIVATE} redis",
        ),
        Trouble.new(
          name: "RabbitMQ away",
          pattern: /Could not establish TCP connection to (?<where>[^\s:]{1,200}:\d+): /,
          says: "its RabbitMQ can't be reached ({where})",
          remedy: "Start it (Debian: apt-get install rabbitmq-server), or name another by the " \
                  "variable in which the application looks for it: --env NAME=amqp://...",
        ),
        Trouble.new(
          name: "Kafka away",
          pattern: /seed\ brokers:\ \(Kafka::ConnectionError\)\n-\ (?<where>\S{1,200}):\ /x,
          says: "its Kafka can't be reached ({where})",
          remedy: "Start it, or name another by the variable in which the application looks for " \
                  "it: --env NAME=...",
        ),
        Trouble.new(
          name: "MongoDB away",
          pattern: /Mongo::Error::NoServerAvailable: [^\[\n]{1,200}\[(?<where>[^\]\n]{1,200})\]/,
          says: "its MongoDB can't be reached ({where})",
          remedy: "Start it, or name another by the variable in which the application looks for " \
                  "it: --env NAME=mongodb://...",
        ),
        Trouble.new(
          name: "Elasticsearch away",
          pattern: /Elastic::Transport::\S{1,60}:\ Failed\ to\ open\ TCP\ connection
                    \ to\ (?<where>\S{1,200})/x,
          says: "its Elasticsearch can't be reached ({where})",
          remedy: "#{START} ELASTICSEARCH_URL=http://...",
        ),
        Trouble.new(
          name: "migrations pending",
          pattern: /PendingMigrationError|Migrations are pending/,
          says: "its production database is older than its code",
          **MIGRATE,
          unprepared: true,
        ),
        Trouble.new(
          name: "columns missing",
          pattern: /no\ such\ column:\ (?<column>\w[\w.]*)|
                    UndefinedColumn[^\n]{1,60}?column\ "?(?<column>[\w.]+)"?\s|
                    Unknown\ column\ '(?<column>[^'\n]{1,200})'/x,
          says: "its production database is older than its code: it lacks the column {column}",
          **MIGRATE,
          unprepared: true,
        ),
        Trouble.new(
          name: "tables missing",
          pattern: /UndefinedTable[^\n]{1,60}?relation\ "(?<table>[^"\n]{1,200})"|
                    Could\ not\ find\ table\ '(?<table>[^'\n]{1,200})'|
                    no\ such\ table:\ (?<table>[\w.]+)/x,
          says: "its production database lacks the table {table}",
          **PREPARE,
          unprepared: true,
        ),
        Trouble.new(
          name: "tables missing in Sequel",
          pattern: /Not able to parse schema for model: [^\n]{1,200}, table: "(?<table>[^"\n]+)"/,
          says: "its production database lacks the table {table}",
          remedy: "Create its tables as its README says; in a private database (--service) mohs " \
                  "runs the command for that: --prepare \"rake db:migrate\"",
          unprepared: true,
        ),
        # Hanami hands the host of DATABASE_URL to pg_dump as it is written there.
        Trouble.new(
          name: "dump by socket",
          pattern: /pg_dump: error: could not translate host name "%2F/,
          says: "its pg_dump takes the folder of the private database's socket for a host name",
          remedy: "Leave out the dump: --prepare \"hanami db migrate --no-dump\"",
        ),
        # Redmine's example sets transaction_isolation, which MariaDB has since 11.1.
        Trouble.new(
          name: "database variable unknown",
          pattern: /Unknown system variable '(?<variable>\w{1,64})'/,
          says: "its database server has no variable {variable}, which the application sets",
          remedy: "Take it out of config/database.yml (--service mysql is a MariaDB, which lacks " \
                  "some of MySQL's), or name a server that has it: --env DATABASE_URL=...",
        ),
        Trouble.new(
          name: "log folder missing",
          pattern: %r{No\ such\ file\ or\ directory(?:\ @\ rb_sysopen)?\ -
                      \ (?<file>(?:(?!/var/)/\S{0,200}/)?log/[\w.-]{1,100}\.log)\b}x,
          says: "the folder of its log {file} is missing",
          remedy: "Make it in the application's folder: mkdir log",
        ),
        Trouble.new(
          name: "disk full",
          pattern: LogExcerpt::DISK_FULL,
          says: "the disk is full",
        ),
        Trouble.new(
          name: "extension of another Ruby",
          pattern: /version\ `GLIBC\w*_[\d.]+'\ not\ found\ \(required\ by\ (?<file>\S+?\.so)\)|
                    symbol\ lookup\ error:\ (?<file>\S+?\.so):\ undefined\ symbol|
                    extension\ at\ (?<file>\S+?\.so)\ has\ a\ different\ ABI\ version/x,
          says: "the extension {file} was compiled for another Ruby or system",
          remedy: "Remove it, so that it is compiled for this Ruby.",
        ),
        Trouble.new(
          name: "JVM memory",
          pattern: /application used more (?<what>\w+ ?\w*) than the safety cap of (?<cap>\w+)/,
          says: "the JVM's limit of {cap} is too low for its {what}",
          remedy: "Raise it: -J-Xmx4g for memory, -J-Xss4m for stack memory (JRUBY_OPTS).",
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
          remedy: "Compile it", task: "assets:precompile",
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
        # Clients of Memcached go on without it, and say so.
        Trouble.new(
          name: "Memcached away",
          pattern: /(?<where>[\w.-]{1,200}:\d{1,5}) failed \(count: \d+\) /,
          says: "its Memcached can't be reached ({where})",
          remedy: "#{START} MEMCACHE_SERVERS=..., #{PRIVATE} memcached",
        ),
        Trouble.new(
          name: "service away",
          pattern: /Failed\ to\ open\ TCP\ connection\ to\ (?<where>\S{1,200})\ \(|
                    ECONNREFUSED[^\n]{1,200}?connect\(2\)\ for
                    \ (?<where>"[^"\n]{1,200}"\ port\ \d+|[^\s)>]{1,200})/x,
          says: "it needs a service that can't be reached ({where})",
          remedy: "Start it, or name another by the variable in which the application looks for " \
                  "it: --env NAME=...",
        ),
      ].freeze

      UNPREPARED = TABLE.select(&:unprepared).map(&:code).freeze
      TASKS = TABLE.select(&:task).to_h { |trouble| [trouble.code, trouble] }.freeze
      private_constant :UNPREPARED, :TASKS

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
        find(TABLE, text)
      end

      # Is it that a database lacks what its preparation makes?
      #: (Reason?) -> bool
      def unprepared?(reason) = UNPREPARED.include?(reason&.code)

      # The reason; if its remedy is a task of Rails, with the bundle's wrapper before it, if there
      # is one: the user's shell may have another Ruby, and lack the gems.
      #: (Reason?, App::Bundle?) -> Reason?
      def wrapped(reason, bundle)
        trouble = TASKS[reason&.code] or return reason
        wrapper = bundle&.wrapper or return reason

        Reason.new(**reason.to_h, remedy: trouble.to_type(wrapper))
      end

      # The reason of the first of these KnownErrors that is found in the text; nil if none is.
      #: (Array[Trouble], String) -> Reason?
      def find(table, text)
        table.each do |trouble|
          found = trouble.pattern.match(text)
          return trouble.reason(found) if found
        end
        nil
      end
    end
  end
end
