# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs repro`: lists the published studies; with a study's name or folder, measures it and
    # prints its claims beside what was found here; with --all, measures all studies in turn.
    class Repro < Measuring
      SUMMARY = "Repeats a published study: its claims beside your own figures."
      USAGE = "mohs repro [NAME|FOLDER] [options]  or  mohs repro --all [FOLDER]"
      ARGUMENTS = (0..1)
      # Options of --all that no study gets as they are.
      OF_ALL = %w[--all --budget --resume].freeze

      EXAMPLES = <<~TEXT

        Without a name it lists the studies. A study of your own is a folder with a
        study.yml and a published.yml (mohs docs published).

          mohs repro --all --quick             each in turn, then a summary
          mohs repro gc-compact --quick        some minutes; --full: up to hours
          mohs repro gc-compact --only memory  only the claims about that
          mohs repro kazakov-2023 --from-raw thesis/measurements
                                               judge its claims from the source's data
          mohs repro gc-compact --instead trunk-c09e35d7=/opt/before/bin/ruby
                                               your own build in place of one it names

      TEXT
      private_constant :EXAMPLES

      private

      def banner = "#{super}\n#{EXAMPLES}"

      def options(parser)
        @given = {}
        @instead = {}
        parser.about("extent") { studies(parser) }
        super
      end

      def studies(parser)
        parser.on("--list", "list all studies, with how long --quick takes;",
                  "the default without a name") do
          @list = true
        end
        parser.on("--all", "every study in turn, or every one in FOLDER") { @all = true }
        sizes(parser)
        parser.on("--only WORD", "only claims, tables, variants with this word") do |word|
          @only = word
        end
        parser.on("--from-raw FOLDER", "judge from the source's own data; " \
                                       "measures nothing") do |path|
          @raw = File.expand_path(path, context.dir)
        end
        parser.on("--instead NAME=RUBY", "measure this Ruby (or path) in place of the " \
                                         "study's; repeatable") { |text| take_instead(text) }
        parser.on("--resume", "continue its last run, or show it again if it has ended") do
          @resume = true
        end
        parser.on("--seed N", "random seed of the order") do |text|
          @given[:seed] = Options.whole(text, option: "--seed", least: Study::Entry::LEAST[:seed])
        end
        parser.on("--rounds N", "number of rounds, in place of the size's") do |text|
          @given[:rounds] = Options.whole(text, option: "--rounds",
                                                least: Study::Entry::LEAST[:rounds])
        end
        parser.on("--budget TIME", "time limit: 90s, 2m, 1h; for --all together") do |text|
          @given[:budget_s] = Study::Duration.parse(text)
        end
        parser.on("--warm-up TIME", "longest warm-up of a server: 10s, 10m") do |text|
          @given[:warm_up_s] = Study::Duration.parse(text)
        end
      end

      def sizes(parser)
        @sizes = []
        { quick: "a few minutes", full: "up to hours, nearer the source" }.each do |size, text|
          parser.on("--#{size}", "#{text}, as the study declares it") { @sizes << size.to_s }
        end
      end

      def take_instead(text)
        name, ruby = text.split("=", 2)
        raise UsageError, "--instead needs NAME=RUBY, not #{text.inspect}" if ruby.to_s.empty?

        @instead[name] = ruby.include?("/") ? File.expand_path(ruby, context.dir) : ruby
      end

      def check_arguments
        super
        raise UsageError, "--quick and --full can't be combined." if @sizes.uniq.size > 1
        raise UsageError, "--resume continues on this machine: leave out the fleet's options." \
          if @resume && @fleet
        return check_all if @all

        raise UsageError, "--instead is of a run that begins: mohs repro NAME --instead ..." \
          if @instead.any? && (@resume || @raw || arguments.empty?)

        of_run = [*@sizes, *@given.keys, *@dry_run].any?
        begins = (@given.keys - [:budget_s]).any? || @dry_run || @raw
        raise UsageError, "--resume continues a run as it was begun: leave out all but its size, " \
                          "--only and --budget." if @resume && begins
        raise UsageError, "--from-raw measures nothing: of the others it goes with --only." \
          if @raw && (of_run || @fleet)
        raise UsageError, "name a study: mohs repro NAME. Known: #{library.names.join(', ')}. " \
                          "Or take all: mohs repro --all." \
          if arguments.empty? && (of_run || @only || @raw || @resume || @fleet || @reports.any?)
      end

      def document_kind = @all ? "repro --all" : "repro"

      def check_all
        raise UsageError, "--list, --only, --instead and --from-raw don't go with --all." \
          if @list || @only || @raw || @instead.any?
        raise UsageError, "--resume shows or continues runs: leave out --dry-run." \
          if @dry_run && @resume
      end

      def execute
        return all if @all
        return list if @list || arguments.empty?
        return resume if @resume
        return print_source if @raw

        Mohs::Repro::Order.size(publication, @sizes.first) # reports mistakes first
        detect_rubies
        return print_unmeasured if choice.variants.empty?

        super
      end

      # Without the Rubies that turn out not to be measurable before anything is installed.
      def prepared(experiment, declaration)
        study = replaced(experiment, super)
        announce(study)
        study
      end

      # Progress says what could not be installed, a dry run has none.
      def instead(experiment)
        { instead: ->(study) { replaced(experiment, study, say: @dry_run) } }
      end

      # say: whether to report what can't be measured.
      def replaced(experiment, study, say: true)
        report = lambda do |lost|
          tell(lost.map { |name, reason| "#{name} can't be measured: #{reason.summary}" }) if say
        end
        reproduction.with_stand_ins(study, given: @given, report:) do |declaration|
          experiment.prepare(declaration)
        end
      end

      # The library of the checkout, or of `folder`.
      def library(folder = Mohs::Repro::Library::FOLDER)
        Mohs::Repro::Library.new(folder:, servers: context.servers)
      end

      def app_from = publication.file

      def publication = @publication ||= library.find(arguments.first, dir: context.dir)

      def reproduction
        @reproduction ||= Mohs::Repro::Reproduction.new(publication, **here, size: @sizes.first,
                                                                     only: @only, instead: @instead)
      end

      def choice = reproduction.choice

      def here = { rubies: context.rubies, cores: Mohs::Process::CpuSet.available.size }

      def list
        raise UsageError, "--list takes no name." if arguments.any?

        detect_rubies
        document = Mohs::Repro::Listing.new(library, **here, estimate: method(:estimate)).document
        answer("repro", document) do
          Mohs::Repro::ListScreen.new(document, style: context.style(context.out)).to_s
        end
      end

      # nil without a store that can be read: the list needs none.
      def estimate(declaration)
        return unless experiment_if_any

        @experiment.estimate(@experiment.declared(declaration))
      rescue StoreError
        @experiment = nil
      end

      def experiment_if_any
        return @experiment if defined?(@experiment)

        @experiment = nil
        @experiment = context.experiment.call
      rescue EnvironmentError, StoreError
        nil
      end

      def all
        folder = arguments.first
        whole = folder && File.expand_path(folder, context.dir)
        library = library(*whole)
        names = library.names
        raise UsageError, "no folder with a #{Mohs::Repro::File::NAME} in #{folder}" if names.empty?

        detect_rubies
        tell_mistakes(library)
        every = ReproAll.new(context, library, **for_each, folder:, resume: (begun if @resume),
                                               budget_s: @given[:budget_s], shown: exporter.nil?,
                                               dry_run: @dry_run, quiet: @quiet)
        ended = every.call do |name, position|
          tell(["", "#{name} (#{position} of #{names.size})"]) unless @dry_run
        end
        print_all(Mohs::Repro::AllDocument.new(ended, of: names.size, folder: whole,
                                                   size: @sizes.first))
      end

      # Reports files with mistakes before the other studies take their time.
      def tell_mistakes(library)
        library.names.each do |name|
          library.own(name)
        rescue UsageError, StudyError => error
          tell("#{name} can't be measured: #{error.message}")
        end
      end

      # What each study gets: the values, and the options as they would be typed for it.
      def for_each
        options = parser.given.map(&:masked).reject do |one|
          one.about == "output" || OF_ALL.include?(one.name)
        end
        { given: @given.except(:budget_s), sizes: @sizes, fleet: @fleet, options: }
      end

      def print_all(model)
        document = model.document
        answer("repro", document) do |whole|
          @dry_run ? planned(document) : "\n#{screen.call(whole)}"
        end
        model.status
      end

      def planned(document)
        Mohs::Repro::PlanScreen.new(document, style: context.style(context.out)).to_s
      end

      # Printed before the measurement: how many claims can be tested, and which versions stand in.
      def announce(study)
        testable = choice.testable_in(study)
        stand_ins = testable.flat_map(&:stand_ins).uniq { |one| [one.used, one.asked] }
        tell(["#{publication.name}: #{testable.size} of #{choice.tests.size} claims can be " \
              "tested here",
              *stand_ins.map { |one| "  #{one.used} in place of #{one.asked}" }])
      end

      def declaration = reproduction.declaration(@given)

      def print_source
        print_document(reproduction.of_source(@raw, invocation:))
      end

      def print_unmeasured
        print_document(reproduction.unmeasured(invocation:))
      end

      # The document of the run's claims.
      def document(run)
        profiles = -> { Experiment::Profiles.of(context.store.call, run) }
        Mohs::Repro::Document.of(run, publication, profiles:)
      end

      def resume
        store = context.store.call
        run = last_run(store)
        stored = store.result(run.id)
        return print_document(document(Analysis::Run.new(stored))) if stored.finished?

        measured { |on_event| experiment.resume(run.key, on_event:, **budget) }
      end

      def budget = @given.slice(:budget_s)

      def last_run(store)
        Mohs::Repro::Order.newest(store.runs, publication, **begun) || raise(UsageError, no_run)
      end

      # The options with which a run to be resumed must have been begun. --all only takes whole
      # studies; without a size and a word, any last run of the study will do.
      def begun
        size = { size: @sizes.first }.compact
        @all || @only || size.any? ? { **size, only: @only } : size
      end

      def no_run
        kind = "such " if begun.any?
        sized = Mohs::Repro::CommandLine.sized(@sizes.first)
        "#{publication.name} has no #{kind}run yet: " \
          "#{Report::Proposal.to('repro', *arguments, **sized, only: @only)}"
      end
    end
  end
end
