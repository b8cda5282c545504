# frozen_string_literal: true

module Mohs
  class CLI
    # A text file that an option names: --env-file, --header-file. It may contain secrets, so
    # messages name the option, the file and the line, never its content.
    module GivenFile
      module_function

      # The text, with the line ends of Unix. `path` is relative to `dir`. Raises UsageError.
      #: (String, option: String, dir: String) -> String
      def read(path, option:, dir:)
        text = BoundedFile.read(File.expand_path(path, dir), name: "#{option} #{path}")
        return text.delete_prefix("\uFEFF").gsub("\r\n", "\n") if text.valid_encoding?

        raise UsageError, "#{option} #{path} is not valid UTF-8"
      rescue SystemCallError => error
        raise UsageError, "#{option} #{path}: #{Error.system(error)}"
      end

      # The error about a line, counted from 1.
      #: (String, Integer, String, option: String) -> UsageError
      def wrong(path, line, advice, option:)
        UsageError.new("#{option} #{path}, line #{line}: #{advice}")
      end
    end
  end
end
