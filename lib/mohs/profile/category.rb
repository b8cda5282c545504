# frozen_string_literal: true

module Mohs
  class Profile
    # Which part of a server's work a frame belongs to, judged by the gem that its file is in. A
    # method of Ruby itself belongs to its caller.
    class Category
      # Frames that stand for the engine's own garbage collection (stackprof).
      GC = /\A\((?:garbage collection|marking|sweeping)\)\z/

      # Categories within a gem that has several; the first match decides.
      WITHIN = {
        %r{/(?:active_support/json|active_model/serializers/json)\b} => "JSON",
        %r{/action_dispatch/(?:routing|journey)\b} => "routing",
        %r{/action_view\b|/app/views/} => "views",
      }.freeze

      # Gems by their purpose; frames in other gems are "rest".
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

      # All categories that a stack may have.
      NAMES = ["GC", *GEMS.values.uniq, "application", "rest"].freeze

      # The name of a gem in a path, before its version.
      GEM = %r{.*/gems/(?<name>[^/]+?)-\d[^/]*/}

      # The library in a path, as Debian installs gems; RubyGems itself is there too.
      VENDORED = %r{/vendor_ruby/(?<name>[^/]+?)(?:/|\.rb\z)}

      # Gems below an application's folder are not part of the application.
      BUNDLE = "vendor/bundle/"
      VIEWS = "app/views/"

      # Files of Ruby itself, for any engine, and the scripts that start a server. They include
      # JSON.
      RUBY = %r{/lib/(?:ruby|jruby|truffle)/|/bin/[^/]+\z|\A(?:<|uri:|resource:)}

      # A Ruby file: Rack evaluates config.ru under its relative path; methods written in C or Java
      # have no file.
      FILE = /\.(?:rb|ru|erb)\z/
      OWN_JSON = %r{/json/|/json\.rb\z}

      # servers: names of the gems that are application servers. app: the application's folder.
      #: (servers: Array[String], app: String) -> void
      def initialize(servers:, app:)
        @servers = servers
        @app = "#{app}/"
        @known = {}
      end

      # The category of a single frame; nil if it belongs to Ruby itself, and so to its caller.
      #: (Profile::Frame) -> String?
      def of(frame) = @known.fetch(frame) { @known[frame] = find(frame) }

      # The category of a stack, outermost frame first: that of the innermost frame that has one.
      #: (Array[Profile::Frame]) -> String
      def of_stack(frames)
        frames.reverse_each { |frame| found = of(frame) and return found }
        "rest"
      end

      # Whether a waiting thread with this stack waits inside a request: it is neither kept by the
      # server for the next request, nor started by an application or a gem for its own purposes.
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

      # The category of a gem; nil if it has none.
      def known(gem) = @servers.include?(gem) ? "server" : GEMS[gem]
    end
  end
end
