# frozen_string_literal: true

module Mohs
  class App
    # The JIT that an application turns on by itself, as its files say: `jit`, "yjit" or "zjit", and
    # `where`, "config/environments/production.rb:12". The files are only read, so this is a guess
    # (a gem may do it, or code that is never run); the served process knows. Lines that depend on a
    # variable say nothing.
    class OwnJit < Struct.new(:jit, :where, keyword_init: true)
      include Value

      # Rails' settings, of which the last one that is executed counts.
      SETTINGS = %w[config.ru config/application.rb config/environments/production.rb
                    config/initializers/**/*.rb].freeze
      SETTING = /^\s*(?:self\.|Rails\.application\.)?config\.yjit\s*=\s*(?<value>.*)/
      ON = /\A(?:true|Rails\.env\.production\?)\s*(?:#|\z)/
      DEFAULTS = /^\s*(?:self\.)?config\.load_defaults[\s(]+["']?(?<version>\d+\.\d+)/
      # Its defaults of this version turn YJIT on (railties, application/configuration.rb).
      FIRST_BY_DEFAULT = Gem::Version.new("7.2")
      YJIT = "yjit"

      # A call, in any file that an application loads while it boots in production. Puma's
      # configuration is not among them, as servers have that of mohs.
      CALLERS = %w[config.ru config/**/*.rb].freeze
      NOT_LOADED = %r{\Aconfig/(?:puma\b|environments/(?!production\.rb))}
      CALL = /^(?!\s*#).*?(?<!defined\?\ )(?<!defined\?\()\bRubyVM::(?<jit>[YZ]JIT)&?\.enable\b/
      VARIABLE = /\bENV\b/

      # A file of the application's folder that config.ru loads: `require "./app"`.
      LOADED = %r{^\s*(?:require(?:_relative)?|load)[\s(]+["'](?:\./)?([\w/-]+)(?:\.rb)?["']}

      # nil if nothing in the folder asks for a JIT.
      #: (String) -> App::OwnJit?
      def self.in(dir) = called(dir) || set(dir)

      def self.called(dir)
        loaded = BoundedFile.text(File.join(dir, "config.ru")).scan(LOADED)
                            .map { |name,| "#{name}.rb" }
        paths = paths(dir, CALLERS).grep_v(NOT_LOADED) | loaded
        each_line(dir, paths) do |line, where|
          found = CALL.match(line) unless VARIABLE.match?(line)
          return new(jit: found[:jit].downcase, where:) if found
        end
        nil
      end

      def self.set(dir)
        found = nil
        each_line(dir, paths(dir, SETTINGS)) do |line, where|
          value = line[SETTING, :value]
          on = value ? ON.match?(value) : by_default?(line)
          found = (new(jit: YJIT, where:) if on) if on || value
        end
        found
      end

      def self.by_default?(line)
        version = line[DEFAULTS, :version]
        !version.nil? && Gem::Version.new(version) >= FIRST_BY_DEFAULT
      end

      def self.paths(dir, patterns)
        patterns.flat_map { |pattern| Dir.glob(pattern, base: dir).sort }
      end

      # Yields each line with its place.
      def self.each_line(dir, paths)
        paths.each do |path|
          lines = BoundedFile.text(File.join(dir, path)).lines
          lines.each.with_index(1) { |line, number| yield line, "#{path}:#{number}" }
        end
      end

      private_class_method :called, :set, :by_default?, :paths, :each_line
    end
  end
end
