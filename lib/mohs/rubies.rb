# frozen_string_literal: true

module Mohs
  # The interpreters found on this machine: where they are (Finders), what each one is (Probe), how
  # it is started and which flags it accepts (Engines), and how users name it (find).
  module Rubies
    # Every Ruby found, including those that don't start, with the reason. The first call runs each
    # of them (in parallel; the block is called with each as it responds); later calls read the
    # cache and take milliseconds.
    #: (?env: Hash[String, String]) ?{ (Ruby) -> void } -> Array[Ruby]
    def self.all(env: ENV.to_h, &progress) = Inventory.new(env:).rubies(&progress)

    # The one Ruby that `spec` refers to: a name, the beginning of a name (the newest match), or a
    # path to an executable or to a Ruby's folder. Returns a Ruby that does not start, too: its
    # state is :broken, with the reason for its row.
    #: (String, ?env: Hash[String, String]) -> Ruby
    def self.find(spec, env: ENV.to_h)
      inventory = Inventory.new(env:)
      path = Spec.executable(spec)
      path ? inventory.identify(path) : Spec.pick(spec, inventory.rubies)
    end

    # One interpreter on this machine. `name` is what users type, "3.4.5" or "jruby-10.0.2.0";
    # `version` is the engine's own and `language` its Ruby version ("3.4.2" for that JRuby; of a
    # development version "4.1.0dev", which is older than the release);
    # `flags` are those seen to have an effect; `digest` is the SHA-256 of the files that it runs;
    # `gem_abi`, `gem_platform` and `rubygems` determine which gems it can use; `libcrypto` is the
    # file of its OpenSSL, "static" if that is linked into its own extension, "" if there is none
    # that gems in C could use; `files` besides the executable decide all of this;
    # `launch_env` is what it needs to start, for example JAVA_HOME, and `note` tells the user about
    # it; `reason` says why it is :broken, a Reason.
    Ruby = Struct.new(
      :name, :path, :engine, :version, :language, :description, :digest, :configure, :flags,
      :state, :reason, :note, :gem_abi, :gem_platform, :rubygems, :libcrypto, :files,
      :launch_env, :source,
      keyword_init: true
    ) do
      #: () -> bool
      def ok? = state == :ok

      # For ordering versions; a version that RubyGems can't parse is the oldest.
      #: () -> Gem::Version
      def gem_version
        Gem::Version.correct?(version) ? Gem::Version.new(version) : Gem::Version.new("0")
      end

      # The command that starts `script` (nil: none, as with `args: ["-e", ...]`) under this Ruby.
      # `requires` are loaded before it; `env` takes precedence over what the Ruby itself needs.
      #: (?flags: Array[String], ?env: Hash[String, String?], ?requires: Array[String], ?script: String?, ?args: Array[String], ?chdir: String?) -> Process::Command
      def command(flags: [], env: {}, requires: [], script: nil, args: [], chdir: nil)
        argv, engine_env = Engines.of(self).launch(flags:, requires:, script:, args:)
        Process::Command.new(argv:, env: engine_env.merge(launch_env || {}, env), chdir:)
      end

      # The JIT that attestation must find in a server started with `flags` and the variables `env`;
      # nil if they say nothing about the JIT.
      #: (Array[String], ?Hash[String, String]) -> String?
      def expects_jit(flags, env = {}) = Engines.of(self).expects_jit(flags, env)

      # Whether an application can turn this JIT on in its running process.
      #: (String) -> bool
      def enables?(jit) = Engines.of(self).enables?(jit)

      # Whether these flags and variables leave it to the application to turn a JIT on.
      #: (Array[String], ?Hash[String, String]) -> bool
      def leaves_jit?(flags, env = {}) = Engines.of(self).leaves_jit?(flags, env)
    end

    # A Java runtime on this machine: `home` is the value for JAVA_HOME, `version` the feature
    # release (17, 21).
    Java = Struct.new(:home, :version, keyword_init: true) do
      # The installed Java runtimes, the user's own choice first; found by their `release` files,
      # without starting any. `rubies` are folders of Rubies that may include a runtime, as
      # TruffleRuby does.
      #: (Hash[String, String], ?rubies: Array[String]) -> Array[Java]
      def self.all(env, rubies: [])
        homes = [env["JAVA_HOME"], on_path(env), *Dir.glob("/usr/lib/jvm/*"),
                 *rubies.map { |folder| "#{folder}/jre" }]
        homes.compact.select { |home| File.executable?(File.join(home, "bin", "java")) }
             .map { |home| File.realpath(home) }.uniq.filter_map { |home| read(home) }
      end

      # The home of the `java` found on PATH.
      def self.on_path(env)
        java = env["PATH"].to_s.split(":").map { |folder| File.join(folder, "java") }
                          .find { |path| File.file?(path) && File.executable?(path) }
        java && File.dirname(File.realpath(java), 2)
      end

      # JAVA_VERSION="17.0.15", or "1.8.0_412" up to Java 8.
      def self.read(home)
        release = File.join(home, "release")
        version = File.file?(release) && File.read(release)[/^JAVA_VERSION="(?:1\.)?(\d+)/, 1]
        version && new(home:, version: version.to_i).freeze
      end
      private_class_method :on_path, :read
    end

    # The names of Rubies: "3.4.5", "3.5.0dev", "jruby-10.0.2.0", "truffleruby-25.0.0".
    module Naming
      #: (String, String) -> String
      def self.of(engine, version)
        engine == Engines::REFERENCE ? version : "#{engine}-#{version}"
      end

      # The name for a Ruby that can't be identified: the folder above bin/, or the path if that
      # folder has no version in its name.
      #: (String) -> String
      def self.guess(path)
        folder = folder(path)
        folder.match?(/\d/) ? folder.delete_prefix("ruby-") : path
      end

      # The RUBY_ENGINE suggested by the folder's name.
      #: (String) -> String
      def self.guess_engine(path)
        Engines.offered.map(&:ruby_engine).find { |name| folder(path).start_with?(name) } ||
          Engines::REFERENCE
      end

      # Makes names unique: the first Ruby keeps the plain name, the next one gets its finder's name
      # appended ("3.4.5-rbenv").
      #: (Array[Ruby]) -> Array[Ruby]
      def self.distinguish(rubies)
        taken = []
        rubies.map do |ruby|
          second = "#{ruby.name}-#{ruby.source}"
          names = [ruby.name, second, *(2..rubies.size).map { |number| "#{second}-#{number}" }]
          taken << (names - taken).first
          taken.last == ruby.name ? ruby : ruby.dup.tap { |copy| copy.name = taken.last }.freeze
        end
      end

      # The name of the folder that contains bin/ruby.
      #: (String) -> String
      def self.folder(path) = File.basename(File.dirname(path, 2))
    end

    # Resolves what users type: "3.4.5", "ruby-3.4", "jruby", "/opt/rubies/jruby-10.0.2.0" or
    # "./miniruby".
    module Spec
      # The executable, if `spec` is its path or the path of a folder that contains it; nil for a
      # name.
      #: (String) -> String?
      def self.executable(spec)
        return nil unless spec.include?("/")

        path = File.expand_path(spec)
        path = File.join(path, "bin", "ruby") if File.directory?(path)
        return path if File.file?(path) && File.executable?(path)

        raise UsageError, "#{spec}: no executable file there, nor a folder with bin/ruby. " \
                          "Give the path of a Ruby."
      end

      # A single digit is more likely a number of processes than a Ruby.
      DIGIT = /\A\d\z/

      # The Ruby with that name, else the newest whose name begins with it; Rubies that start are
      # preferred. Of an engine without a version, releases are preferred.
      #: (String, Array[Ruby]) -> Ruby
      def self.pick(spec, rubies)
        wanted = spec.delete_prefix("ruby-")
        exact = rubies.find { |ruby| ruby.name == wanted }
        return exact if exact

        matches = rubies.select { |ruby| ruby.engine == wanted }
        matches = beginning(wanted, rubies) if matches.empty?
        newest = matches.max_by do |ruby|
          [ruby.ok? ? 1 : 0, ruby.gem_version.prerelease? ? 0 : 1, ruby.gem_version]
        end
        raise UsageError, newest ? digit(spec, newest) : unknown(spec, rubies) if
          newest.nil? || wanted.match?(DIGIT)

        newest
      end

      # The Rubies whose names begin with `version` ("3.4", "jruby-10"). A development version or a
      # preview is not the release: 3.5.0dev is selected only by its full name.
      #: (String, Array[Ruby]) -> Array[Ruby]
      def self.beginning(version, rubies)
        rubies.select do |ruby|
          ruby.name.start_with?("#{version}.", "#{version}-") && !ruby.gem_version.prerelease?
        end
      end

      def self.digit(spec, newest)
        "#{spec.inspect} alone names no Ruby. Did you mean #{newest.name}? (mohs rubies)"
      end

      def self.unknown(spec, rubies)
        names = rubies.map(&:name)
        found = "Found: #{names.join(', ')}."
        found = "None was found: install one, or give the path of its executable." if names.empty?
        "no Ruby #{spec.inspect} found on this machine. " \
          "#{Suggest.hint(spec, names, otherwise: found)} (mohs rubies)"
      end
      private_class_method :digit, :unknown
    end
  end
end
