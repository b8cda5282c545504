# frozen_string_literal: true

require "digest"

module Mohs
  module Fleet
    # Makes another machine a host of the fleet: looks at it, says what it would do there, and does
    # it. It is one of the states `refused` (nothing was changed), `planned`, `failed`, `installed`
    # (someone has to start its worker) and `ready`.
    class HostSetup
      RUBY = "3.1"
      GEMS = { "pg" => "~> 1.5", "que" => Queue::VERSIONS.to_s }.freeze
      # What each that is looked for is part of on Debian.
      PACKAGES = { "make" => "build-essential", "ruby.h" => "ruby-dev",
                   "pg_config" => "libpq-dev" }.freeze
      COMPILER = "build-essential"
      PROGRAM = File.join(Mohs.root, "lib/mohs/inside/fleet_host.rb")
      BUILD_S = 60
      # What it finds there, as far as it is used here, and how it can end, by fleet_host.rb.
      FOUND = { ruby: /\A\d+(\.\d+)+\z/, engine: String, os: String, name: String, lacks: Array,
                gems: String, settings: String }.freeze
      UNANSWERED = "the setup program did not finish"
      ENDS = %w[failed installed ready].freeze

      # The bytes of this mohs as a gem: built from the checkout, or as RubyGems has kept it.
      #: () -> String
      def self.package
        return File.binread(Gem.loaded_specs.fetch("mohs").cache_file) unless
          File.file?(File.join(Mohs.root, "mohs.gemspec"))

        Process::ScratchFolder.with { |folder| build(File.join(folder, "mohs.gem")) }
      end

      def self.build(file)
        words = [Gem.ruby, "-S", "gem", "build", "mohs.gemspec", "--output", file]
        result = Process::Capture.call(Process::Command.new(argv: words, chdir: Mohs.root),
                                       timeout_s: BUILD_S)
        return File.binread(file) if result.success?

        raise EnvironmentError, "this mohs can't be made a gem: #{result.stderr.lines.last}"
      end
      private_class_method :build

      # remote: a Remote. url: of the store, as that host reaches it. name: in the fleet; nil for
      # its host name. noisy: its worker works however noisy it is.
      #: (untyped, url: String, ?name: String?, ?noisy: bool) -> void
      def initialize(remote, url:, name: nil, noisy: false)
        @remote = remote
        @url = url
        @name = name
        @noisy = noisy
        @steps = []
      end

      #: () -> Symbol
      attr_reader :state

      # Changes nothing.
      #: () -> void
      def look
        found = ask(do: "look")
        raise EnvironmentError, UNANSWERED unless FOUND.all? { |key, kind| kind === found[key] }

        @found = found
        @name ||= Fleet.verified_name(@found[:name])
        @reason = lacking
        @state = @reason ? :refused : :planned
      rescue Error => error
        @state = :refused
        @reason = error.message
      end

      # What #install does there, in the order that it does it.
      #: () -> Array[String]
      def plan
        return [] unless @state == :planned

        gems = "installs mohs #{VERSION} and the gems that it needs into #{@found[:gems]}"
        start = "#{@found[:there] ? 'replaces' : 'writes'} #{@found[:unit]} and starts it"
        [gems, "writes the store's address into #{@found[:settings]}, which only its owner reads",
         @found[:unit] ? start : "starts nothing: systemd does not run there"]
      end

      # Hands each step to the block as it is done: `step` and its seconds. package: a gem.
      #: (package: String) ?{ (Hash[Symbol, untyped]) -> void } -> void
      def install(package:, &block)
        order = { do: "install", name: @name, url: @url, noisy: @noisy, gems: GEMS,
                  sha256: Digest::SHA256.hexdigest(package) }
        @found = @found.merge(ask(order, package) { |line| step(line, &block) })
        @state = ENDS.include?(@found[:state]) ? @found[:state].to_sym : :failed
        @reason = @found.fetch(:reason, UNANSWERED) if @state == :failed
      rescue EnvironmentError => error
        @state = :failed
        @reason = error.message
      end

      # As docs/json.md has it.
      #: () -> Hash[Symbol, untyped]
      def to_h
        found = @found.to_h
        { host: @remote.host, name: @name, state: @state.to_s, reason: @reason,
          ruby: found[:ruby], plan: @plan ||= plan, steps: @steps,
          start: found[:start], settings: found[:settings] }
      end

      private

      def ask(order, package = "", &)
        @remote.call(File.read(PROGRAM), "#{JSON.generate(order)}\n".b + package.b, &)
      end

      def step(line, &block)
        return unless line[:step].is_a?(String) && line[:seconds].is_a?(Numeric)

        @steps << line
        block&.call(line)
      end

      def lacking
        return "#{@found[:os]}: mohs measures on Linux" unless @found[:os].to_s.start_with?("linux")
        return "mohs itself needs CRuby, not #{@found[:engine]}" unless @found[:engine] == "ruby"
        return old if Gem::Version.new(@found[:ruby]) < Gem::Version.new(RUBY)
        return if @found[:lacks].empty?

        packages = @found[:lacks].map { |name| PACKAGES.fetch(name, COMPILER) }.uniq
        "#{@found[:lacks].join(', ')} missing, which gems need; on Debian: " \
          "apt-get install #{packages.join(' ')}"
      end

      def old
        "mohs needs Ruby #{RUBY} or newer, not #{@found[:ruby]}: name one with --ruby PATH"
      end
    end
  end
end
