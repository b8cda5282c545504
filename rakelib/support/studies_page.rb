# frozen_string_literal: true

require "fileutils"
require "json"
require_relative "recorded_rubies"
require_relative "rejudged_study"

module Mohs
  # docs/studies: a page for each published study that was reproduced, as `mohs repro` prints it,
  # with a picture of its ratios, and the scoreboard of all of them. Made from documents of `mohs
  # repro NAME --json` (or of `--all`), which are kept beside this file without the parts that the
  # pages don't show.
  class StudiesPage
    FOLDER = File.join(Mohs.root, "docs/studies")
    DOCUMENTS = File.join(__dir__, "studies")
    BOARD = "README.md"
    FULL = "full"
    SHOWN = %i[name title source environment here software notes size levels seconds counts sentence
               rounds overheads shares cautions state from_raw provenance variants finished_ms
               mohs].freeze
    SHOWN_OF_CLAIMS = %i[id text place headline ours kind metric categories method of to over since
                         published figures unit range value interval measured judgement p
                         levels].freeze
    HEAD = ["study", "size", "claims", "agree", "agree in part: version",
            "agree in part: direction", "contradicted", "undecided", "not measured",
            "not testable"].freeze
    # Values of findings that are no plain data once they are read again: their text is kept.
    WORDED = %i[reason spoiled].freeze
    IMAGES = "images"
    # Width of a picture, and of its margins.
    WIDTH, EDGE = 900, 12
    # Characters of a claim that fit beside its figures at that width.
    NAMES = 72
    # Of the page's style, what a picture of its own needs.
    STYLE = /\A(\.plot|\.grid|\.rule|\.zero|\.range|\.interval|\.m[ .])/
    ROOT = /\A:root \{.*?\}/m

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
        FileUtils.mkdir_p([documents, File.join(folder, IMAGES)])
        given = paths.flat_map { |path| single(read(path)) }
        verify(given, documents(documents))
        given.each do |document|
          File.write(File.join(documents, "#{document[:name]}.json"),
                     "#{JSON.generate(shown(document))}\n")
        end
        pages(documents(documents)).each { |name, text| File.write(File.join(folder, name), text) }
      end

      # Rewrites the recorded documents with the claims as the studies state them now.
      #: (?documents: String, ?library: Repro::Library) -> void
      def rejudge(documents: DOCUMENTS, library: Repro::Library.new)
        all = documents(documents)
        rubies = rubies(all)
        all.each do |one|
          judged = RejudgedStudy.new(one, library.own(one[:name]), rubies:).document
          File.write(File.join(documents, "#{one[:name]}.json"), "#{JSON.generate(judged)}\n")
        end
      end

      # All Rubies that these documents name.
      #: (?Array[Hash[Symbol, untyped]]) -> Mohs::RecordedRubies
      def rubies(all = documents) = RecordedRubies.new(all.flat_map { |one| one[:software].to_a })

      # { file name => text } for all documents.
      #: (?Array[Hash[Symbol, untyped]]) -> Hash[String, String]
      def pages(all = documents)
        pictures = all.to_h { |one| [image(one), new(all).picture(one)] }.compact
        { BOARD => new(all).board, **all.to_h { |one| ["#{one[:name]}.md", new(all).page(one)] },
          **pictures }
      end

      # The path of its picture.
      #: (Hash[Symbol, untyped]) -> String
      def image(document) = File.join(IMAGES, "#{document[:name]}.svg")

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
        findings = claim[:findings].map do |one|
          plain = one[:values] && (one[:values].keys & WORDED).empty?
          one.slice(:code, plain ? :values : :text)
        end
        { **claim.slice(*SHOWN_OF_CLAIMS), findings: }
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

        How each study's claims fared. #{machines}
        [published.md](../published.md) says how claims are judged; each study's notes say how it
        differs from its source.

        - "Agree in part: version": as published, but another version of a Ruby was used (or, where a
          page says so, fewer cores).
        - "Agree in part: direction": the effect goes in the published direction, but its size differs
          or isn't known yet.
        - "Contradicted", in brackets: how many of these were measured #{differences}
          than in the source (or the source does not name its version), which may explain the
          contradiction. Most studies also measure another application; each page names both.
        - "Undecided": the interval allows both answers; or there is nothing to compare, since a server
          failed, was still getting faster, or is a JVM that was not shown to be warm; or the CPU time
          that one took while others were measured may explain the difference; or too few boots agreed.
        - Warnings stand as "checks" below the claims. Figures that a check does not allow are left out
          of the claims; those under a warning count.
        - "Not measured": could be tested here, but this run has no figures for it. Each page says why,
          and which command measures it.
        - "Not testable": an interpreter isn't installed, there are too few cores, or mohs has no test.

        #{lines.map { |line| "| #{line.join(' | ')} |" }.join("\n")}

        Generated by `rake docs:studies` from the output of `mohs repro NAME --json`; do not edit.
      PAGE
    end

    # One study as the terminal shows it.
    #: (Hash[Symbol, untyped]) -> String
    def page(document)
      authors, year = document[:source].values_at(:authors, :year)
      <<~PAGE
        # #{document[:name]}

        #{document[:title]}.

        - source: #{authors.join(', ')}: #{title(document[:source])} (#{year})
        - differences from the source: [notes.md](../../#{document[:notes]})
        - measured on #{host(document[:host][:fingerprint])}, by the command below
        #{drawn(document)}
        ```
        $ mohs repro #{command(document)}
        #{Report::Terminal.new.call(worded(document)).chomp}
        ```

        Generated by `rake docs:studies`; do not edit.
      PAGE
    end

    # Its ratios, published and measured, as an image of its own; nil if no claim has one.
    #: (Hash[Symbol, untyped]) -> String?
    def picture(document)
      claims = document[:claims].select { |claim| claim[:value] }
      intervals = Repro::Section.new(worded({ **document, claims: })).picture or return
      plot = Report::Html::Intervals.new(intervals, id: Repro::Section::KEY, names: NAMES)
      svg = plot.to_element.children.first
      height = svg.attributes[:height]
      whole = { **svg.attributes, xmlns: "http://www.w3.org/2000/svg", width: WIDTH,
                viewBox: "0 0 #{WIDTH} #{height}" }
      ground = element(:rect, width: "100%", height: "100%", fill: "#ffffff")
      style = element(:style, Report::Html::Markup::Raw.new(image_style))
      inside = element(:svg, *svg.children, x: EDGE, width: WIDTH - (2 * EDGE), height:,
                                            overflow: "visible")
      "#{Report::Html::Markup.write(element(:svg, style, ground, inside, **whole))}\n"
    end

    private

    def element(...) = Report::Html::Markup.element(...)

    def image_style
      css = Report::Html::STYLE
      ["text { font: 13px sans-serif; }", css[ROOT], *css.lines(chomp: true).grep(STYLE)].join("\n")
    end

    # The document as it is shown: its findings in the words of today.
    def worded(document)
      claims = document[:claims].map do |claim|
        findings = claim[:findings].map do |one|
          one[:values] ? Analysis::Finding.note(one[:code], **one[:values])
                       : Analysis::Finding.note("repro_stated", why: one[:text])
        end
        reason = Repro::Document.reason(findings, levels: claim[:levels],
                                                  app: document[:here][:app])
        { **claim, reason: }
      end
      { **document, command: "repro", claims: }
    end

    # With a link, if the source gives an address.
    def title(source)
      source[:address] ? "[#{source[:title]}](#{source[:address]})" : source[:title]
    end

    def drawn(document)
      return "" if picture(document).nil?

      "\n![Published and measured ratio for each claim](#{self.class.image(document)})\n\n" \
        "Diamond: published; shaded: the range that counts as agreement. Disc, circle or cross: " \
        "measured here, with its\n95 % interval (filled disc: agrees; circle: neither; cross: " \
        "contradicts).\n"
    end

    # Claims, and how many of them have each outcome.
    def counts(documents)
      claims = documents.flat_map { |one| one[:claims] }
      outcomes = Repro::Judge::OUTCOMES.map(&:to_sym).to_h do |outcome|
        [outcome, documents.sum { |one| one[:counts].fetch(outcome) }]
      end
      other = claims.count { |claim| only(claim).any? }
      outcomes[:contradicted] = "#{outcomes[:contradicted]} (#{other})" unless other.zero?
      part = claims.select { |claim| claim[:judgement] == "direction_only" }
      direction = part.count do |claim|
        claim[:findings].any? { |one| RejudgedStudy::SIZES.include?(one[:code]) }
      end
      [claims.size, *outcomes.flat_map do |outcome, count|
        outcome == :direction_only ? [count - direction, direction] : [count]
      end]
    end

    def only(claim) = claim[:findings].map { |one| one[:code] } & Repro::Test::ONLY

    # What differed where the scoreboard has numbers in brackets: only what did.
    def differences
      codes = @documents.flat_map { |one| one[:claims].flat_map { |claim| only(claim) } }
      cores, versions = codes.partition { |code| code == Repro::Test::CORES_ONLY }
      [*("with another version of Ruby" if versions.any? || cores.empty?),
       *("on fewer cores" if cores.any?)].join(" or ")
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
