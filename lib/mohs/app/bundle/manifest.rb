# frozen_string_literal: true

require "digest"
require "json"

module Mohs
  class App
    class Bundle
      # What is known about an installed bundle without starting its Ruby: each gem's version and
      # executables, and the files that its Gemfile was made from, with their digests. Written at
      # the end of an installation.
      class Manifest
        # The manifest in `path`; nil if there is none, or if a file that it was made from has
        # changed.
        #: (String) -> Manifest?
        def self.load(path)
          found = new(JSON.parse(File.read(path)))
          found if found.current?
        rescue Errno::ENOENT, JSON::ParserError, KeyError
          nil
        end

        # Writes to `path` what the bundle's own Ruby reported in `report`, with the digests of the
        # inputs.
        #: (report: String, path: String) -> void
        def self.write(report:, path:)
          facts = JSON.parse(File.read(report)).slice("gems", "inputs")
          facts["inputs"] = facts.fetch("inputs").to_h do |file|
            [file, Digest::SHA256.file(file).hexdigest]
          end
          AtomicFile.write(path, JSON.pretty_generate(facts))
        end

        #: (Hash[String, untyped]) -> void
        def initialize(facts)
          @gems = facts.fetch("gems")
          @inputs = facts.fetch("inputs")
        end

        #: () -> bool
        def current?
          @inputs.all? do |file, digest|
            File.file?(file) && Digest::SHA256.file(file).hexdigest == digest
          end
        end

        #: () -> Hash[String, String]
        def versions = @gems.transform_values { |gem| gem.fetch("version") }

        # Path of the executable `name`; nil if no gem of the bundle has it.
        #: (String) -> String?
        def executable(name)
          @gems.each_value.filter_map { |gem| gem.fetch("executables")[name] }.first
        end
      end
    end
  end
end
