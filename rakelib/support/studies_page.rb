# frozen_string_literal: true

require "json"

module Mohs
  # docs/studies: a page for each published study that was reproduced, as `mohs repro` prints it,
  # and the scoreboard of all of them. Made from documents of `mohs repro NAME --json` (or of
  # `--all`), which are kept beside this file without the parts that the pages don't show.
  class StudiesPage
    FOLDER = File.join(Mohs.root, "docs/studies")
    DOCUMENTS = File.join(__dir__, "studies")
    BOARD = "README.md"
    FULL = "full"
    SHOWN = %i[name title source notes size levels seconds counts sentence overheads shares
               cautions state from_raw provenance].freeze
    SHOWN_OF_CLAIMS = %i[text place headline kind metric published range value interval judgement
                         reason].freeze
    OTHER_VERSION = "repro_stand_in_only"
    HEAD = ["study", "size", "claims", "agree", "direction only", "contradicted", "undecided",
            "not testable"].freeze

    class << self
      # The documents that the committed pages are made from, in the order of their studies' names.
      #: (?String) -> Array[Hash[Symbol, untyped]]
      def documents(folder = DOCUMENTS)
        Dir.glob("#{folder}/*.json").sort.map { |path| read(path) }
      end

      # Stores these documents and makes all pages anew. Raises UsageError, before anything is
      # written, if a study of full size would be replaced by one of another size.
      #: (Array[String], ?documents: String, ?folder: String) -> void
      def write(paths, documents: DOCUMENTS, folder: FOLDER)
        FileUtils.mkdir_p([documents, folder])
        given = paths.flat_map { |path| single(read(path)) }
        verify(given, documents(documents))
        given.each do |document|
          File.write(File.join(documents, "#{document[:name]}.json"),
                     "#{JSON.generate(shown(document))}\n")
        end
        pages(documents(documents)).each { |name, text| File.write(File.join(folder, name), text) }
      end

      # { file name => text } for all documents.
      #: (?Array[Hash[Symbol, untyped]]) -> Hash[String, String]
      def pages(all = documents)
        { BOARD => new(all).board, **all.to_h { |one| ["#{one[:name]}.md", new(all).page(one)] } }
      end

      private

      def read(path) = JSON.parse(File.read(path, encoding: "UTF-8"), symbolize_names: true)

      def verify(given, written)
        full = written.select { |one| one[:size] == FULL }.map { |one| one[:name] }
        lost = given.select { |one| full.include?(one[:name]) && one[:size] != FULL }
        return if lost.empty?

        names = lost.map { |one| "#{one[:name]} (#{one[:size] || 'without a size'})" }.join(", ")
        raise UsageError, "published at its full size: #{names}. Leave it out, or remove its " \
                          "document in #{DOCUMENTS} first."
      end

      # A document of --all has one for each study, except for those with an error.
      def single(document)
        return [document] unless document.key?(:studies)

        document[:studies].filter_map { |study| study[:document] }
      end

      # The document without what the pages don't show: rows, batches, findings for programs.
      def shown(document)
        cold_start = document[:cold_start]&.map do |level|
          trials = level[:trials].map { |trial| trial.slice(:warm_after, :settled_per_s) }
          { **level, trials: }
        end
        { **document.slice(*SHOWN), cold_start:, host: document[:host].slice(:fingerprint),
          claims: document[:claims].map { |claim| claim(claim) } }
      end

      def claim(claim)
        codes = claim[:findings].map { |finding| finding.slice(:code) }
        { **claim.slice(*SHOWN_OF_CLAIMS), findings: codes }
      end
    end

    #: (Array[Hash[Symbol, untyped]]) -> void
    def initialize(documents)
      @documents = documents
    end

    # The number of claims by judgement, one line per study.
    #: () -> String
    def board
      rows = @documents.map { |one| [link(one), one[:size].to_s, *counts([one])] }
      lines = [HEAD, HEAD.map { "---" }, *rows, ["**all**", "", *counts(@documents)]]
      <<~PAGE
        # Published studies, reproduced

        How the claims of each study fared. #{machines}
        [published.md](../published.md) says how claims are judged; the notes of each study say what differs from its
        source. In brackets: contradicted only for another version, which stood in for the published one.

        #{lines.map { |line| "| #{line.join(' | ')} |" }.join("\n")}

        Made by `rake docs:studies` from documents of `mohs repro NAME --json`; not to be edited.
      PAGE
    end

    # One study as the terminal shows it.
    #: (Hash[Symbol, untyped]) -> String
    def page(document)
      authors, year, title = document[:source].values_at(:authors, :year, :title)
      <<~PAGE
        # #{document[:name]}

        #{document[:title]}.

        - source: #{authors.join(', ')}: #{title} (#{year})
        - what differs from it: [notes.md](../../#{document[:notes]})
        - measured on #{host(document[:host][:fingerprint])}

        ```
        $ mohs repro #{command(document)}
        #{Report::Terminal.new.call({ **document, command: "repro" }).chomp}
        ```

        Made by `rake docs:studies`; not to be edited.
      PAGE
    end

    private

    # Claims, and how many of them have each outcome.
    def counts(documents)
      claims = documents.flat_map { |one| one[:claims] }
      outcomes = Repro::Judge::OUTCOMES.map(&:to_sym).to_h do |outcome|
        [outcome, documents.sum { |one| one[:counts].fetch(outcome) }]
      end
      other = claims.count { |claim| claim[:findings].any? { |one| one[:code] == OTHER_VERSION } }
      cells = other.zero? ? {} : { contradicted: "#{outcomes[:contradicted]} (#{other})" }
      [claims.size, *outcomes.merge(cells).values]
    end

    # Each page has its own.
    def machines
      all = @documents.map { |one| host(one[:host][:fingerprint]) }.uniq
      return "All ran on #{all.first}." if all.one?

      "They ran on #{all.size} machines, which the pages name."
    end

    # As it prints what the page shows.
    def command(document) = (document[:provenance][:argv] - ["--json"]).join(" ")

    def link(document) = "[#{document[:name]}](#{document[:name]}.md)"

    def host(fingerprint)
      cpu, cores, kernel, virtual = fingerprint.values_at(:cpu, :cores, :kernel, :virtual)
      machine = virtual ? "a virtual machine" : "a machine"
      "#{machine} of #{cores} cores (#{cpu}), Linux #{kernel}"
    end
  end
end
