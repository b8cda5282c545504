# frozen_string_literal: true

module Mohs
  module Rubies
    # A Java runtime on this machine: `home` is what JAVA_HOME wants, `version` its feature release
    # (17, 21).
    Java = Struct.new(:home, :version, keyword_init: true) do
      # Those at hand, the person's own choice first; found by their `release` files, without
      # starting any. `rubies` are folders of Rubies that may bring a runtime of their own, as
      # TruffleRuby does.
      #: (Hash[String, String], ?rubies: Array[String]) -> Array[Java]
      def self.all(env, rubies: [])
        homes = [env["JAVA_HOME"], on_path(env), *Dir.glob("/usr/lib/jvm/*"),
                 *rubies.map { |folder| "#{folder}/jre" }]
        homes.compact.select { |home| File.executable?(File.join(home, "bin", "java")) }
             .map { |home| File.realpath(home) }.uniq.filter_map { |home| read(home) }
      end

      # The home of the `java` that PATH leads to.
      def self.on_path(env)
        java = env["PATH"].to_s.split(":").map { |folder| File.join(folder, "java") }
                          .find { |path| File.file?(path) && File.executable?(path) }
        java && File.dirname(File.realpath(java), 2)
      end
      private_class_method :on_path

      # JAVA_VERSION="17.0.15", or "1.8.0_412" as Java 8 still said.
      def self.read(home)
        release = File.join(home, "release")
        version = File.file?(release) && File.read(release)[/^JAVA_VERSION="(?:1\.)?(\d+)/, 1]
        version && new(home:, version: version.to_i).freeze
      end
      private_class_method :read
    end
  end
end
