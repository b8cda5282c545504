# frozen_string_literal: true

module Mohs
  module Exporters
    # Formats in which a command's document can be exported; Base has the contract.
    module Documents
      extend Family

      family "format", folder: File.join(__dir__, "documents"), list: "docs/report.md"

      # Kinds of documents about measurements, by their names in docs/json.md.
      #: () -> Array[String]
      def self.kinds = views.map { |view| view::KIND }.uniq

      # Those that have a row for each variant.
      #: () -> Array[String]
      def self.of_variants = views.reject { |view| view::LACKS }.map { |view| view::KIND }.uniq

      # The kind of a document: one of `kinds`, or another kind that docs/json.md describes.
      #: (Hash[Symbol, untyped]) -> String
      def self.kind(document)
        command = document[:command].to_s
        return "error" if document.key?(:error)
        return "#{command} --dry-run" if document[:dry_run]

        found = views.find { |view| view.of?(document) } or return command
        found::LISTS.find { |key, _| document.key?(key) }&.last || found::KIND
      end

      # Why a document of this kind can't be written in every format; nil: it can, or is unknown.
      #: (String) -> String?
      def self.lack(kind)
        found = views.find { |view| view::KIND == kind }
        found && found::LACKS
      end

      def self.views = Procedure.parts("view").select { |view| view::MEASURED }
      private_class_method :views

      # Formats that are an option of every command, by name.
      #: () -> Hash[String, singleton(Exporters::Documents::Base)]
      def self.options = names.to_h { |name| [name, fetch(name)] }.select { |_, one| one::OPTION }

      # Formats that write documents of this kind.
      #: (String) -> Array[singleton(Exporters::Documents::Base)]
      def self.writing(kind) = all.select { |member| member.writes?(kind) }

      # The format whose extension the file has; the longest extension counts (.otlp.json before
      # .json). Raises UsageError if no format has it.
      #: (String) -> singleton(Exporters::Documents::Base)
      def self.of_file(path)
        endings = all.flat_map { |member| member::ENDINGS.map { |ending| [ending, member] } }
        found = endings.select { |ending, _| path.downcase.end_with?(ending) }
        return found.max_by { |ending, _| ending.length }.last if found.any?

        raise UsageError, "#{path}: no format has this extension. Known: " \
                          "#{endings.map(&:first).join(' ')}; or name a format: " \
                          "#{names.join(', ')} (docs/report.md)."
      end

      # An exporter writes a command's document, whose keys are the contract of docs/json.md, in
      # another format. A member has:
      #
      #   HELP         what it is, in a few words
      #   MEDIA_TYPE   of its text
      #   ENDINGS      file extensions (%w[.md]) that select it; the first is the usual one
      #   CURVES       whether it draws pictures from the document's key `curves`
      #   OPTION       the help of --NAME, if that is an option of every command; nil: only
      #                mohs report and --report can choose it
      #   .kinds       those that it writes (Documents.kinds); nil: all documents, including errors
      #   #text(document) -> String   private: the text, with its last line end; pure
      class Base
        extend Family::Member

        CURVES = false
        OPTION = nil

        #: () -> Array[String]?
        def self.kinds = nil

        #: (String) -> bool
        def self.writes?(kind) = kinds.nil? || kinds.include?(kind)

        # Raises UsageError if it can't write documents of this kind; the message names the formats
        # that can.
        #: (String) -> void
        def self.verify(kind)
          return if writes?(kind)

          lack = Documents.lack(kind) || "there is no report of mohs #{kind}"
          raise UsageError, "#{label} can't write this: #{lack}. " \
                            "#{Documents.writing(kind).map(&:label).join(', ')} can write it."
        end

        # The document in this format. Raises UsageError if the format can't write it.
        #: (Hash[Symbol, untyped]) -> String
        def call(document)
          self.class.verify(Documents.kind(document))
          text(document)
        end

        private

        def text(_document) = raise(NotImplementedError, "#{self.class}#text")

        # The name of a series across runs: application, requests, variant, and nothing that may
        # differ between runs.
        def benchmark(document, variant = nil)
          what = [document[:app], *Report::Subject.requests(document[:requested].to_a)].join(" ")
          [what, *variant].reject(&:empty?).join(": ")
        end
      end
    end
  end
end
