# frozen_string_literal: true

module Mohs
  module Rubies
    # Explains from a Ruby's output why it does not start, and what to do.
    module NoStart
      # "has been compiled by a more recent version of the Java Runtime (class file version 65.0),
      # this version of the Java Runtime only recognizes class file versions up to 61.0"; feature
      # release = class file version - 44 (JVM spec 4.1).
      CLASS_VERSION = /class file version (\d+).*?up to (\d+)/m
      CLASS_FILE_OFFSET = 44

      NO_JAVA = /JAVA_HOME|no `?java|java: (?:command )?not found|cannot find.*java/i
      LIBC = /version `GLIBC_(\d+(?:\.\d+)+)' not found/
      LIBRARY = /error while loading shared libraries: ([^:]+): cannot open/

      # The feature release of Java that the output asks for, nil if that is not the problem.
      #: (String) -> Integer?
      def self.java_needed(output)
        output[CLASS_VERSION, 1]&.then { |version| Integer(version) - CLASS_FILE_OFFSET }
      end

      #: (String) -> bool
      def self.java_missing?(output) = output.match?(NO_JAVA)

      # What is wrong and what to do about it.
      #: (Process::Capture::Result, timeout_s: Numeric) -> Reason
      def self.explain(result, timeout_s:)
        output = "#{result.stderr}\n#{result.stdout}"
        return silent(timeout_s) if result.timed_out

        java(output) || library(output) || libc(output) ||
          unknown(LogExcerpt.refusal(output) || result.status)
      end

      def self.unknown(line)
        Reason.new(summary: "does not start: #{line}", code: "ruby_not_started", values: { line: })
      end

      def self.silent(timeout_s)
        Reason.new(summary: "did not answer within #{timeout_s} s", code: "ruby_silent",
                   remedy: "Try it by hand, with -v.")
      end

      def self.java(output)
        needed = java_needed(output)
        if needed
          found = Integer(output[CLASS_VERSION, 2]) - CLASS_FILE_OFFSET
          remedy = "Install Java #{needed} or later (openjdk-#{needed}-jre-headless, or Temurin " \
                   "from adoptium.net if your distribution has none), in /usr/lib/jvm or where " \
                   "JAVA_HOME says."
          return Reason.new(summary: "needs Java #{needed}, found #{found}", remedy:,
                            code: "java_too_old", values: { needed:, found: })
        end
        return nil unless java_missing?(output)

        Reason.new(summary: "needs Java, found none", code: "java_missing",
                   remedy: "Install one (apt-get install default-jre-headless) or set JAVA_HOME.")
      end

      def self.library(output)
        name = output[LIBRARY, 1]
        name && Reason.new(summary: "lacks the shared library #{name}",
                           code: "shared_library_missing", values: { library: name },
                           remedy: "Install the package that has it (apt-file search #{name}), " \
                                   "or rebuild it.")
      end

      # For the newest version that the system's C library lacks.
      def self.libc(output)
        needed = output.scan(LIBC).flatten.max_by { |version| Gem::Version.new(version) } or return

        Reason.new(summary: "needs glibc #{needed}, this system has an older one",
                   code: "libc_too_old", values: { needed: },
                   remedy: "Build it on this system, or take one that was built for it.")
      end
      private_class_method :unknown, :silent, :java, :library, :libc
    end
  end
end
