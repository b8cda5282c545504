# frozen_string_literal: true

module Mohs
  # Reads a file that somebody else may have written: a pipe, a device or a file without an end
  # would be read for ever.
  module BoundedFile
    MOST_BYTES = 16 * 1024 * 1024

    module_function

    # Its text, marked as UTF-8, which may be invalid. Raises UsageError if it is not a regular
    # file, or is too large; SystemCallError if it can't be read. name: what the error calls it.
    #: (String, ?Integer, ?name: String) -> String
    def read(path, most = MOST_BYTES, name: path)
      raise UsageError, "#{name} is no regular file" unless File.stat(path).file?

      bytes = File.binread(path, most + 1) || +""
      return bytes.force_encoding(Encoding::UTF_8) if bytes.bytesize <= most

      raise UsageError, "#{name} is larger than #{most / (1024 * 1024)} MiB"
    end

    # The valid part of its text; "" if it can't be read.
    #: (String) -> String
    def text(path)
      File.file?(path) ? read(path).scrub : ""
    rescue UsageError, SystemCallError
      ""
    end
  end
end
