# frozen_string_literal: true

module Mohs
  class Profile
    # To what part of a server's work a frame belongs, by the gem that its file is in. A method of
    # Ruby itself belongs to whoever called it.
    class Category
      # Frames that stand for the engine's own collections (stackprof).
      GC = /\A\((?:garbage collection|marking|sweeping)\)\z/

      # Inside a gem that has several: the first that matches.
      WITHIN = {
        %r{/(?:active_support/json|active_model/serializers/json)\b} => "JSON",
        %r{/action_dispatch/(?:routing|journey)\b} => "routing",
        %r{/action_view\b|/app/views/} => "views",
      }.freeze

      # Gems by what they are for; of those that are in none a frame is "rest".
      GEMS = {
        "ActiveRecord" => %w[activerecord activemodel activerecord-jdbc-adapter pg mysql2 trilogy
                             activerecord-jdbcsqlite3-adapter activerecord-jdbcpostgresql-adapter
                             sqlite3 sequel rom rom-sql arel],
        "JSON" => %w[json oj jbuilder multi_json active_model_serializers alba blueprinter panko],
        "views" => %w[actionview erb erubi erubis haml hamlit slim tilt temple phlex
                      view_component],
        "routing" => %w[mustermann mustermann-grape hanami-router roda grape],
        "server" => %w[nio4r rackup raindrops kgio async async-http async-container async-service
                       io-event io-endpoint io-stream protocol-http protocol-http1 protocol-http2
                       protocol-rack eventmachine daemons jruby-rack phusion_passenger],
      }.flat_map { |category, gems| gems.map { |gem| [gem, category] } }.to_h.freeze

      # All that a stack may belong to.
      NAMES = ["GC", *GEMS.values.uniq, "application", "rest"].freeze

      # The name and version of the gem of a path.
      GEM = %r{.*/gems/(?<name>[^/]+?)-\d[^/]*/}

      # The library of a path, as Debian packages gems; RubyGems itself is there too.
      VENDORED = %r{/vendor_ruby/(?<name>[^/]+?)(?:/|\.rb\z)}

      # Gems that are below an application's folder, and no part of it.
      BUNDLE = "vendor/bundle/"
      VIEWS = "app/views/"

      # What is Ruby's own, of any engine, with the scripts that start a server. JSON is part of it.
      RUBY = %r{/lib/(?:ruby|jruby|truffle)/|/bin/[^/]+\z|\A(?:<|uri:|resource:)}

      # A file of Ruby: Rack evaluates config.ru under its relative path; what is written in C or
      # Java has none.
      FILE = /\.(?:rb|ru|erb)\z/
      OWN_JSON = %r{/json/|/json\.rb\z}

      # servers: names of the gems that are application servers. app: the application's folder.
      #: (servers: Array[String], app: String) -> void
      def initialize(servers:, app:)
        @servers = servers
        @app = "#{app}/"
        @known = {}
      end

      # Of a frame by itself; nil if it is of Ruby, and so of its caller.
      #: (Profile::Frame) -> String?
      def of(frame) = @known.fetch(frame) { @known[frame] = find(frame) }

      # Of a stack, the outermost frame first: that of the innermost one that has any.
      #: (Array[Profile::Frame]) -> String
      def of_stack(frames)
        frames.reverse_each { |frame| found = of(frame) and return found }
        "rest"
      end

      # Whether a thread that waits so waits inside a request: not one that the server keeps for
      # the next request, nor one that an application or a gem has started for itself.
      #: (Array[Profile::Frame]) -> bool
      def in_request?(frames)
        known = frames.filter_map { |frame| of(frame) }
        known.first == "server" && known.last != "server"
      end

      private

      def find(frame)
        return "GC" if GC.match?(frame.name)

        path = frame.path
        own = path.delete_prefix(@app)
        return of_own(own) if own != path && !own.start_with?(BUNDLE)

        of_library(path) || ("JSON" if OWN_JSON.match?(path))
      end

      # path: below the application's folder.
      def of_own(path) = path.start_with?(VIEWS) ? "views" : "application"

      def of_library(path)
        within = WITHIN.find { |pattern, _| pattern.match?(path) }
        return within.last if within

        gem = path[GEM, :name]
        return known(gem) || "rest" if gem

        vendored = known(path[VENDORED, :name])
        return vendored if vendored

        "application" if !RUBY.match?(path) && (path.start_with?("/") || FILE.match?(path))
      end

      # Of a gem; nil if it is none of those that have a category.
      def known(gem) = @servers.include?(gem) ? "server" : GEMS[gem]
    end
  end
end
