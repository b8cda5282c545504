# frozen_string_literal: true

module Mohs
  module Rubies
    # Starts a Ruby with flags and nothing to do, to find out whether it accepts them: otherwise a
    # server with an unknown flag would fail only when its turn to boot comes.
    class FlagTrial
      # TruffleRuby takes ten seconds; if a Ruby takes longer than this, its boot will report the
      # problem.
      TIMEOUT_S = 60
      # "/opt/ruby/bin/ruby: warning: ", "java.lang.X: ", "-e:1:in `<main>': ".
      PREFIX = /\A(?:(?:[a-z]\w*\.)+[A-Z]\w*|-e:\d+:in \S+|\S*ruby): (?:warning: )?/
      SUFFIX = /\s+\(.*\)\z/
      # The bundle's gems are not there yet.
      LATER = /LoadError|cannot load such file/

      #: (?env: Hash[String, String], ?capture: _Call?) -> void
      def initialize(env: ENV.to_h, capture: nil)
        @capture = capture || Inventory.capture(env)
        @answers = {}
      end

      # nil if `ruby` starts with these flags and variables in the folder `dir`, else its complaint
      # in one line. Each combination is tried once.
      #: (Ruby, flags: Array[String], ?env: Hash[String, String], ?dir: String?) -> String?
      def call(ruby, flags:, env: {}, dir: nil)
        read = env.select { |name, _| name.match?(Engines.named(ruby.engine)::VARIABLES) }
        return if read.empty? && (flags.empty? || (flags.one? && ruby.flags.include?(flags.first)))

        try(ruby, flags:, env: read, chdir: dir)
      end

      # The same for a piece of Ruby code.
      #: (Ruby, String) -> String?
      def code(ruby, code) = try(ruby, code:)

      private

      def try(ruby, code: "0", **options)
        key = [ruby.path, code, options]
        @answers.fetch(key) { @answers[key] = complaint(start(ruby, code, options)) }
      end

      def start(ruby, code, options)
        @capture.call(ruby.command(args: ["-e", code], **options), timeout_s: TIMEOUT_S)
      end

      def complaint(result)
        printed = result.stderr + result.stdout
        return if result.success? || result.timed_out || printed.match?(LATER)

        line = LogExcerpt.refusal(printed)
        line ? line.sub(PREFIX, "").sub(SUFFIX, "") : "it ends with #{result.status}"
      end
    end
  end
end
