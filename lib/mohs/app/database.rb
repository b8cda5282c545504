# frozen_string_literal: true

require "yaml"

module Mohs
  class App
    # What config/database.yml says about a Rails application's production database, read without
    # running its ERB. `adapter` and `name`, nil if ERB hides them; `pool`, connections per process:
    # a number, :threads if it follows RAILS_MAX_THREADS, nil if unknown. `host` and `port` (text),
    # nil if not given; if they are ERB, the default in it ("db" in `ENV.fetch("DB_HOST", "db")`).
    # `variables` that set the location; `others`: names of more databases with the same adapter.
    class Database < Struct.new(:adapter, :name, :pool, :host, :port, :variables, :others,
                                keyword_init: true)
      include Value

      # Rails' own default
      # (ActiveRecord::DatabaseConfigurations::HashConfig#pool).
      DEFAULT_POOL = 5

      IN_URL = /[?&](?:pool|max_connections)=(\d+)/

      # Files to make database.yml from: one for all adapters ("database.yml.example"), or one for
      # each ("database.postgres.yml", "database.yml.mysql").
      TEMPLATE = /\Adatabase(?:[._-]yml)?#{Untemplated::MARK}\b/
      FOR_ADAPTER = /\Adatabase[._](?:yml[._])?(?:mysql2?|mariadb|pg|postgres(?:ql)?|sqlite3?)
                     (?:[._]yml)?\z/x

      # Gems that speak to a database, by what the name of its template contains.
      CLIENTS = { /mysql|mariadb/ => Services::Mysql::GEMS, /pg|postgres/ => Services::Postgresql::GEMS,
                  /sqlite/ => %w[sqlite3] }.freeze

      # Setting for another path of database.yml, config.paths["config/database"].
      PATH_SETTING = "config/database"

      # The settings that say where the database is, as Rails reads them.
      PLACE = %w[url host port].freeze

      # A variable in ERB, and its default value if the variable is not set.
      VARIABLE = /ENV(?:\.fetch\(|\[)\s*["'](\w+)["']/
      FALLBACK = /ENV.*?(?:,|\{|\|\|)\s*["']([^"']+)["']/

      ERB_TAG = /<%[^%]*(?:%(?!>)[^%]*)*%>/

      # Parses the text of a database.yml; nil if it isn't one.
      #: (String) -> App::Database?
      def self.parse(text)
        hidden = []
        plain = text.gsub(/^\s*<%(?!=).*%>\s*$/, "").gsub(ERB_TAG) do |tag|
          hidden << tag
          "mohs_erb_#{hidden.size - 1}"
        end
        sections = YAML.safe_load(plain, aliases: true, permitted_classes: [Symbol])
        return unless sections.is_a?(Hash)

        production = primary(sections["production"])
        new(
          adapter: adapter(production, sections), name: visible(production["database"]),
          pool: pool_of(production, hidden), others: others(sections["production"], production),
          **place(production, hidden),
        )
      rescue YAML::Exception
        nil
      end

      # That of the application in this folder; nil if it has none that can be read.
      #: (String) -> App::Database?
      def self.read(dir)
        path = ::File.join(dir, Need::DATABASE)
        parse(::File.read(path, encoding: "UTF-8").scrub) if ::File.file?(path)
      end

      # The template of a Rails application's database.yml, its path in the folder; nil if there is
      # none, if there is one for each adapter, or if the application keeps its database.yml
      # elsewhere.
      #: (String) -> String?
      def self.template(dir) = templates(dir, TEMPLATE).first

      # The templates that nobody has made a database.yml from, one of which will do; [] if there is
      # one, or no template. Of those for each adapter, the ones whose client is among `gems`, the
      # names in the lockfile; without such a client, all.
      #: (String, ?gems: Array[String]) -> Array[String]
      def self.unmade(dir, gems: [])
        return [] if ::File.file?(::File.join(dir, Need::DATABASE))

        found = template(dir) and return [found]
        usable = templates_for(dir, gems)
        usable.any? ? usable : templates(dir, FOR_ADAPTER)
      end

      # The templates for one adapter each whose client is among these gems.
      #: (String, Array[String]) -> Array[String]
      def self.templates_for(dir, gems)
        templates(dir, FOR_ADAPTER).select do |path|
          gems.intersect?(clients(::File.basename(path)))
        end
      end

      def self.clients(name) = CLIENTS.find { |pattern, _| name.match?(pattern) }.last

      def self.templates(dir, pattern)
        config = ::File.join(dir, "config")
        names = ::File.directory?(config) ? Dir.children(config) : []
        found = names.grep(pattern).sort
        return [] if found.empty? || !names.include?("environment.rb")

        moved = Dir[::File.join(config, "{application,environments/*}.rb")].any? do |path|
          ::File.read(path, encoding: "UTF-8").scrub.include?(PATH_SETTING)
        end
        moved ? [] : found.map { |name| ::File.join("config", name) }
      end

      # A section describes one database, or several by name.
      def self.primary(section)
        return {} unless section.is_a?(Hash)

        section["primary"].is_a?(Hash) ? section["primary"] : section
      end

      # A URL in a variable may be of any adapter, but probably is of the one that the other
      # environments have.
      def self.adapter(production, sections)
        return visible(production["adapter"]) if production["adapter"] || !production["url"]

        all = sections.values.filter_map { |section| primary(section)["adapter"] }.uniq
        visible(all.first) if all.one?
      end

      def self.others(section, production)
        return [] if section == production || !section.is_a?(Hash)

        databases = section.select { |_, one| one.is_a?(Hash) }.except("primary")
        databases.select { |_, one| one["adapter"] == production["adapter"] }.keys
      end

      def self.place(section, hidden)
        tags = section.slice(*PLACE).transform_values { |value| tag(value, hidden) }
        host, port = %w[host port].map do |key|
          tags[key] ? tags[key][FALLBACK, 1] : section[key]&.to_s
        end
        { host:, port:, variables: tags.values.join.scan(VARIABLE).flatten }
      end

      # The ERB that a value contains, nil if the value is literal.
      def self.tag(value, hidden)
        number = value.to_s[/mohs_erb_(\d+)/, 1]
        number && hidden[number.to_i]
      end

      # Rails 8 calls the pool max_connections, and still accepts the old name.
      def self.pool_of(section, hidden)
        value = section["pool"] || section["max_connections"] || DEFAULT_POOL
        tag = hidden[value.to_s[/\Amohs_erb_(\d+)\z/, 1].to_i] if value.to_s.include?("mohs_erb_")
        return (value.to_i if value.to_s.match?(/\A\d+\z/)) unless tag

        :threads if tag.include?("RAILS_MAX_THREADS")
      end

      def self.visible(value) = value.to_s.include?("mohs_erb_") ? nil : value

      private_class_method :templates, :clients, :primary, :adapter, :others, :place, :tag,
                           :pool_of, :visible

      # A warning if a process has more threads than connections to its database, else nil. `env` is
      # the server's environment: DATABASE_URL takes precedence over the file.
      #: (Integer?, ?env: Hash[String, String]) -> App::Note?
      def shortage(threads, env: {})
        size, source = sized(env)
        Note.of("pool_too_small", size:, source:, threads:) if threads && size && size < threads
      end

      private

      # [size, where it is set]; nil if the size is unknown.
      def sized(env)
        by_url = env["DATABASE_URL"].to_s[IN_URL, 1]
        return [by_url.to_i, "DATABASE_URL"] if by_url
        return [pool, Need::DATABASE] if pool.is_a?(Integer)

        given = env["RAILS_MAX_THREADS"].to_s[/\A\d+\z/]
        [given.to_i, "RAILS_MAX_THREADS"] if given && pool == :threads
      end
    end
  end
end
