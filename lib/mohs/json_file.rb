# frozen_string_literal: true

require "fileutils"
require "json"

module Mohs
  # A hash that is kept in one JSON file of the cache between calls. A file that can't be read
  # counts as empty.
  class JsonFile
    # symbolize_names: as for JSON.parse.
    #: (String, ?symbolize_names: bool) -> void
    def initialize(path, symbolize_names: false)
      @path = path
      @symbolize_names = symbolize_names
    end

    # The content when this was first called, or first after an #add.
    #: () -> Hash[untyped, untyped]
    def entries = @entries ||= read

    # Adds entries to those that another mohs may have written meanwhile. Raises SystemCallError if
    # the file can't be written.
    #: (Hash[untyped, untyped]) -> void
    def add(fresh)
      all = read.merge(fresh)
      FileUtils.mkdir_p(File.dirname(@path), mode: 0o700)
      AtomicFile.write(@path, JSON.pretty_generate(all))
      @entries = nil
    end

    private

    def read
      return {} unless File.file?(@path)

      found = JSON.parse(File.read(@path), symbolize_names: @symbolize_names)
      found.is_a?(Hash) ? found : {}
    rescue JSON::ParserError, SystemCallError
      {}
    end
  end
end
