# frozen_string_literal: true

require "fileutils"

module Mohs
  module Calibration
    # The file of a session: what it is about, and one line per completed unit of work. Rewritten
    # after each, by a rename, so that a session stopped at any instant continues where it stopped.
    class Ledger
      DIGITS = 6

      attr_reader :about, :entries

      #: (String) -> Calibration::Ledger
      def self.load(path)
        return new(path, about: nil, entries: []) unless File.exist?(path)

        content = JSON.parse(File.read(path), symbolize_names: true)
        new(path, about: content.fetch(:about), entries: content.fetch(:entries))
      rescue JSON::ParserError, KeyError => e
        raise UsageError, "#{path} is not a calibration (#{e.message[0, 60]}): choose another FILE"
      end

      #: (String, about: Hash?, entries: Array[Hash]) -> void
      def initialize(path, about:, entries:)
        @path = path
        @about = about
        @entries = entries
      end

      # Sets what the session is about; earlier work must be about the same.
      #: (Hash[Symbol, untyped]) -> void
      def open(about)
        differs = %i[app ruby commit].find { |key| @about && @about[key] != about[key] }
        return @about = about unless differs

        raise UsageError, "#{@path} is for #{differs} #{@about[differs]}: choose a new FILE"
      end

      #: (Hash[Symbol, untyped]) -> void
      def <<(entry)
        @entries << rounded(entry)
        write
      end

      # Entries of one kind, and of one case if given.
      #: (String, ?String?) -> Array[Hash]
      def of(kind, name = nil)
        @entries.select { |one| one[:kind] == kind && (name.nil? || one[:case] == name) }
      end

      private

      def write
        FileUtils.mkdir_p(File.dirname(@path))
        lines = @entries.map { |entry| JSON.generate(entry) }.join(",\n")
        text = "{\"about\": #{JSON.generate(@about)},\n\"entries\": [\n#{lines}\n]}\n"
        File.write("#{@path}.new", text)
        File.rename("#{@path}.new", @path)
      end

      def rounded(value)
        case value
        when Float then value.round(DIGITS)
        when Array then value.map { |one| rounded(one) }
        when Hash then value.transform_values { |one| rounded(one) }
        else value
        end
      end
    end
  end
end
