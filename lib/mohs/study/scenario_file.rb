# frozen_string_literal: true

require "digest"

module Mohs
  class Study
    # The scenario that the clients of a study follow: its file, and a `digest` of the file, by
    # which a run knows that it has not changed. The contents may be secret, and stay in the file.
    class ScenarioFile < Struct.new(:path, :digest, keyword_init: true)
      include Value

      # Reads the first of these files that exists. Raises UsageError if none does.
      #: (*String) -> Study::ScenarioFile
      def self.read(*paths)
        path = paths.find { |one| ::File.file?(one) }
        return new(path:, digest: Digest::SHA256.file(path).hexdigest) if path

        raise UsageError, "scenario #{paths.join(' or ')} not found. For the format: mohs docs " \
                          "scenario"
      end

      # The file's name, for display.
      #: () -> String
      def name = ::File.basename(path)

      # Raises UsageError if the file has changed.
      #: () -> void
      def verify
        return if ::File.file?(path) && Digest::SHA256.file(path).hexdigest == digest

        raise UsageError, "#{path} has changed since the run began: start a new run, or change " \
                          "it back."
      end
    end
  end
end
