# frozen_string_literal: true

module Mohs
  module Rubies
    # Identities of Rubies cached in one JSON file: listing them then takes milliseconds instead of
    # many seconds. A Ruby is probed again if its executable, another file that decides its facts
    # (RubyGems, the extension for OpenSSL and its library), the Java it may start, or mohs itself
    # has changed. Broken Rubies are not cached: a repair, such as a newly installed package, leaves
    # no trace here.
    class Cache
      FILE = "rubies.json"

      # Members of a Ruby that are not cached.
      NOT_KEPT = %i[state path reason].freeze

      #: (folder: String, env: Hash[String, String]) -> void
      def initialize(folder:, env:)
        @file = JsonFile.new(File.join(folder, FILE))
        javas = env["PATH"].to_s.split(":").map { |place| File.join(place, "java") }
        @java = [env["JAVA_HOME"], javas.find { |path| File.exist?(path) }].compact
                .map { |path| File.exist?(path) ? File.realpath(path) : path }
      end

      #: (String) -> Ruby?
      def fetch(path)
        facts = @file.entries[key(path)]
        return nil unless facts

        facts = facts.transform_keys(&:to_sym)
        return nil unless (Ruby.members - NOT_KEPT - facts.keys).empty?
        return nil unless facts[:files].all? { |file, seen| stamp(file) == seen }

        ruby = Ruby.new(**facts, files: facts[:files].keys, state: :ok, path:).freeze
        ruby if ruby.launch_env.values.all? { |home| File.exist?(home) }
      rescue ArgumentError
        nil # written by a mohs with more members
      end

      # Adds the Rubies that are ok to what another mohs may have written meanwhile. A cache that
      # can't be written costs time, nothing else.
      #: (Array[Ruby]) -> void
      def store(rubies)
        fresh = rubies.select(&:ok?).to_h do |ruby|
          files = ruby.files.to_h { |file| [file, stamp(file)] }
          [key(ruby.path), { **ruby.to_h.except(*NOT_KEPT), files: }]
        end
        @file.add(fresh) if fresh.any?
      rescue SystemCallError
        nil
      end

      private

      # The key of the executable itself, with links resolved. A launcher script's jar is not
      # examined, but a new JRuby is a new folder.
      def key(path)
        real = File.realpath(path)
        [path, real, stamp(real), Mohs::VERSION, *@java].join("|")
      end

      # Changes if the file does; nil if it does not exist.
      def stamp(file)
        stat = File.stat(file)
        "#{stat.mtime.to_r.to_f}|#{stat.size}"
      rescue SystemCallError
        nil
      end
    end
  end
end
