# frozen_string_literal: true

require "json"
require "zlib"

module Mohs
  # What an earlier mohs recorded: documents, and a store with runs and comparisons.
  module RecordedDocuments
    FOLDER = File.expand_path("../fixtures/documents", __dir__)
    RECORDED = Dir[File.join(FOLDER, "expected", "*.json")].to_h do |path|
      [File.basename(path, ".json"), path]
    end

    def with_store
      Dir.mktmpdir("mohs-test") do |folder|
        file = File.join(folder, "store.sqlite")
        Zlib::GzipReader.open(File.join(FOLDER, "store.sqlite.gz")) do |gzip|
          File.binwrite(file, gzip.read)
        end
        store = Store.open(file)
        yield store, file
      ensure
        store&.close
      end
    end

    def recorded(name) = JSON.parse(File.read(RECORDED.fetch(name)), symbolize_names: true)
  end
end
