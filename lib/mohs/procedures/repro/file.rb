# frozen_string_literal: true

module Mohs
  module Repro
    # Reads published.yml, and the study.yml beside it. Every fault is a StudyError that starts with
    # the file's name and the key path; positions in lists count from 1.
    class File
      NAME = "published.yml"
      STUDY = "study.yml"
      MANUAL = "mohs docs published"
      # The table of claims that name none.
      TABLE = "all"

      #: (String, ?servers: Module) -> Repro::Publication
      def self.load(folder, servers: Servers) = new(folder, servers).load

      # What changes with the files of a folder that a publication is read from.
      #: (String) -> Hash[String, Time]
      def self.version(folder)
        names = Dir.glob("*.yml", base: folder).sort
        names.to_h { |name| [name, ::File.mtime(::File.join(folder, name))] }
      rescue SystemCallError
        {} # one is gone meanwhile
      end

      #: (String, Module) -> void
      def initialize(folder, servers)
        @folder = ::File.expand_path(folder)
        @servers = servers
      end

      #: () -> Repro::Publication
      def load
        text = read
        at_file { schema.check(@document = Study::Schema.parse(text)) }
        declaration = Study::File.load(path(STUDY), servers: @servers)
        at_file { publication(declaration) }
      end

      private

      def path(name) = ::File.join(@folder, name)

      def read
        BoundedFile.read(path(NAME))
      rescue SystemCallError
        raise UsageError, "#{@folder} has no #{NAME}. For the format: #{MANUAL}"
      end

      # A claim may have any statement, and `instead` any interpreter.
      def schema
        example = Study::Schema.parse(Study::Sections.text("published"))
        Study::Schema.new(example, free: %w[environment here], named: %w[instead])
      end

      def publication(declaration)
        figures = figures()
        levels = levels(declaration)
        claims = claims(Statements.new(levels.keys, figures), figures)
        verify_profile(claims, declaration)
        sizes = sizes()
        sizes.each { |size, given| verify_without(size, given, levels.keys) }
        Publication.new(name: ::File.basename(@folder), file: path(STUDY), title: text("title"),
                        source:, environment: text_map(@document["environment"]),
                        here: text_map(@document["here"]), counted:, sizes:,
                        instead: instead(@document["instead"]), unnamed: unnamed(levels),
                        figures: figures.values, claims:, levels:, declaration:)
      end

      # What the source counts in place of requests; nil if it counts requests.
      def counted
        given = @document["counted"] or return
        unit, each = given.values_at("unit", "each")
        fault("counted", "needs a unit, and how many each request is: {unit: jobs/s, each: 200}") \
          unless unit && each&.positive?
        { unit:, each: }
      end

      # Interpreters of the study that its source does not name.
      def unnamed(levels)
        known = levels.values.filter_map(&:ruby).uniq
        [@document.fetch("unnamed", [])].flatten.map(&:to_s).each do |name|
          fault("unnamed", "#{name.inspect} is not a Ruby of #{STUDY}. " \
                           "#{Suggest.hint(name, known)}") unless known.include?(name)
        end
      end

      def verify_without(size, given, levels)
        name = (given.fetch(:without, []) - levels).first or return
        fault("sizes/#{size}/without", "no variant is called #{name.inspect}. " \
                                       "#{Suggest.hint(name, levels)}")
      end

      # Claims about shares need samples of the stacks.
      def verify_profile(claims, declaration)
        index = claims.index { |claim| claim.statement.categories }
        fault("claims/#{index + 1}", "needs profile: true in #{STUDY}: it is about shares of the " \
                                     "samples") if index && !declaration[:profile]
      end

      # Claims name the variants, so the study has to list them one by one.
      def levels(declaration)
        variants = declaration[:variants]
        fault("claims", "need the variants of #{STUDY} to be listed, without a matrix") \
          if variants.nil? || declaration[:matrix]

        verify_names(variants.map(&:last))
        variants.to_h { |_, notation| [notation.label || notation.to_s, notation] }
      end

      # Names of variants appear in the store, in documents and on screens, so they must not contain
      # secrets.
      def verify_names(notations)
        fault("claims", "name variants, and one of #{STUDY} without a name has a secret in it: " \
                        "write NAME:: before it") if
          notations.any? { |notation| notation.label.nil? && notation.secret? }
      end

      def source
        given = @document["source"] or fault("source", "is missing")
        missing = %w[authors year title].find { |key| !given.key?(key) }
        fault("source/#{missing}", "is missing") if missing

        Source.new(authors: [given["authors"]].flatten.map { |name| line(name) },
                   year: given["year"], title: line(given["title"]),
                   address: given["address"]&.then { |address| line(address) })
      end

      def sizes
        @document.fetch("sizes", {}).to_h do |size, given|
          entry = Study::Entry.new(given, servers: @servers, path: "sizes/#{size}")
          [size, { rounds: entry.whole(:rounds), budget_s: entry.budget_s,
                   warm_up_s: entry.warm_up_s, cold_start: entry.cold_start,
                   served: entry.served, without: given["without"] }.compact]
        end
      end

      def instead(map)
        map.to_h do |name, others|
          [name.to_s, [others].flatten.map { |other| interpreter("instead/#{name}", other.to_s) }]
        end
      end

      # A Ruby with its flags, without other parts of a variant: those stay as they are.
      def interpreter(path, text)
        given = at(path) { Study::Notation.parse(text, servers: @servers) }
        alone = Study::Notation.new(ruby: given.ruby, flags: given.flags)
        fault(path, "should be Rubies with their flags, not #{text.inspect}") \
          unless given.ruby && given == alone
        text
      end

      def figures
        found = entries("figures").map { |entry, path| figure(entry, path) }
        verify_unique("figures", found)
        found.to_h { |figure| [figure.id, figure] }
      end

      def figure(entry, path)
        missing = Figure.members.find { |key| !entry.key?(key.to_s) }
        fault("#{path}/#{missing}", "is missing") if missing

        texts = %i[id place unit level metric].to_h { |key| [key, entry[key.to_s].to_s] }
        Figure.new(**texts, value: entry["value"].to_f)
      end

      def claims(statements, figures)
        found = entries("claims").map { |entry, path| claim(entry, path, statements, figures) }
        fault("claims", "is missing: what does the source claim?") if found.empty?

        verify_unique("claims", found)
        found
      end

      def verify_unique(key, found)
        twice = found.map(&:id).tally.find { |_, count| count > 1 }
        fault(key, "has #{twice.first.inspect} twice: ids are unique") if twice
      end

      def claim(entry, path, statements, figures)
        missing = %w[id text place].find { |key| !entry.key?(key) }
        fault("#{path}/#{missing}", "is missing") if missing

        Claim.new(id: line(entry["id"]), text: line(entry["text"]), place: line(entry["place"]),
                  table: line(entry.fetch("table", TABLE)),
                  headline: entry.fetch("headline", false), cores: entry.dig("needs", "cores"),
                  source_cores: entry.dig("source_had", "cores"),
                  **below(path) { { instead: instead(entry["instead"]),
                                    statement: statements.call(entry) } },
                  figures: figures.values_at(*figures_of(entry)).compact,
                  ours: entry.fetch("ours", false))
      end

      # Ids of the figures that the claim's statement is about.
      def figures_of(entry)
        statement = entry[(entry.keys & Statements::KINDS).first]
        [*(statement["figures"] if statement.is_a?(Hash))].map(&:to_s)
      end

      def entries(key)
        [@document.fetch(key, [])].flatten.each_with_index.map do |entry, index|
          [entry, "#{key}/#{index + 1}"]
        end
      end

      def text(key) = line(@document.fetch(key) { fault(key, "is missing") })

      # The text as one line, for logs and tables.
      def line(value) = value.to_s.split.join(" ")

      def text_map(map) = map.to_h { |key, value| [key.to_s, value.to_s] }

      def at(path)
        yield
      rescue UsageError => error
        fault(path, error.message)
      end

      # Adds the key path of a part to its faults.
      def below(path)
        yield
      rescue StudyError => error
        way = [path, error.key_path].reject(&:empty?).join("/")
        fault(way, error.detail)
      end

      def at_file
        yield
      rescue StudyError => error
        raise StudyError.new("#{NAME}: #{error.key_path}", "#{error.detail} (#{MANUAL})")
      end

      def fault(path, message) = raise(StudyError.new(path, message))
    end
  end
end
