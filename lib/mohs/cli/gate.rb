# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs gate`: does a change stay within the limits of each page, compared with the revision
    # that it is to be merged into?
    class Gate < Base
      SUMMARY = "Fails in CI if a change makes pages slower or larger."
      USAGE = "mohs gate [study.yml] [options]"
      ARGUMENTS = (0..1)

      HEAD = "HEAD"

      EXAMPLES = <<~'TEXT'

        Compares this folder, page by page, with the commit at which it branched off
        the default branch, or off the target of the pull request (GitHub, GitLab,
        Buildkite). A gate fails only if chance can't explain a change beyond its
        limit: on average at most one push in --pushes fails falsely. Exit status 10:
        a gate fails, 11: a gate is inconclusive, 1: neither revision serves a page.

          mohs gate --get /products --get /cart
          mohs gate --get /products --gate "p50 < +3%" --gate "memory < +5%"
          mohs gate --base v1.2 --head v1.3
          mohs gate                      pages and limits of study.yml (mohs docs gates)
          mohs gate --init github        writes the workflow for this project

      TEXT
      private_constant :EXAMPLES

      private

      def banner = "#{super}\n#{EXAMPLES}"

      def options(parser)
        @limits = []
        revisions(parser)
        parser.about("extent") { limits(parser) }
        parser.about("output") { outputs(parser) }
        @measurement = MeasurementOptions.new(context, tell: method(:tell))
        # --head is a revision; HEAD requests are for the study file.
        @measurement.define(parser, variants: false, without: %w[head])
      end

      def limits(parser)
        parser.on("--gate \"M < +N%\"", "a limit for every page; repeatable (default:",
                  "#{Mohs::Gate::PageGates::LIMITS.join(', ')})") do |text|
          @limits << Mohs::Compare::Condition.parse(text)
        end
        parser.on("--pushes N", "pushes a month; on average at most one fails falsely",
                  "(default: #{Mohs::Gate::FalseAlarms::PUSHES})") do |text|
          @pushes = Options.whole(text, option: "--pushes")
        end
      end

      def revisions(parser)
        parser.about("revisions") do
          parser.on("--base REV", "the older revision (default: where the change began)") do |name|
            @base = name
          end
          parser.on("--head REV", "the newer revision (default: this folder as it is)") do |name|
            @head = name
          end
        end
        parser.about("variants") do
          parser.on("--on V", "measure both on this variant: \"3.4.5 --yjit, puma:2x5\"") do |text|
            @on = text
          end
        end
      end

      def outputs(parser)
        parser.on("--comment FILE", "write a comment for the pull request, in Markdown") do |path|
          @comment = File.expand_path(path, context.dir)
        end
        parser.on("--name NAME", "name of the comment, if a repository has several gates",
                  "(default: the application's folder)") { |name| @comment_name = name }
        parser.on("--init [CI]", "write the CI file for github, gitlab or buildkite") do |name|
          @init = name || true
        end
        reports(parser)
        parser.on("--dry-run", "print what would be compared") { @dry_run = true }
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      # Decides what is compared before a file of --report is in the folder, where it would count as
      # a change.
      def reporting
        raise UsageError, "--init writes a file, --dry-run nothing: leave one of them out." if
          @init && @dry_run

        declaration = declaration()
        @declared = declaration.shared
        @app = App::Folder.load(@declared.fetch(:app))
        unless @init
          @pages = declaration.pages(@limits) { @app.default_requests }
          @from = Mohs::Gate::BaseRevision.new(repository, outputs: written, env: context.env)
                                      .call(@base, head: @head)
          head
        end
        super
      end

      def execute
        return init if @init

        pages, base = @pages, @from
        return rehearse(pages, base) if @dry_run

        outputs = GateOutputs.new(context, tell: method(:tell), comment: @comment, gates: @file)
        signals = StopSignals.new
        signals.during { finish(gated(pages, base), base, outputs, signals) }
      end

      # Measures and writes nothing.
      def rehearse(pages, base)
        gating = Mohs::Gate::Gating.new(pages:, measure: nil, **given)
        document = Mohs::Gate::Document.plan(gating, base:, head:)
        answer("gate", document) { |whole| screen.call(whole) }
      end

      def init
        setup = CiSetup.new(@app, repository:, service: (@init unless @init == true),
                                  words: InitWords.call(arguments, parser.given))
        setup.write
        answer("gate", setup.to_h) { setup.to_s }
      end

      def declaration
        given = @measurement.declaration
        raise UsageError, "a scenario has no pages of its own: leave out --scenario." if
          given[:scenario]

        @file = file
        declared = @file ? Study::File.load(@file, servers: context.servers) : {}
        Mohs::Gate::Declaration.new(given, dir: context.dir, file: declared)
      end

      def file
        path = File.expand_path(arguments.first || Run::STUDY_FILE, context.dir)
        return path if File.file?(path)

        refuse_revision if arguments.any?
        path if arguments.any?
      end

      def refuse_revision
        name = arguments.first
        known = context.repository.call(App::Folder.load(context.dir).dir).commit?(name)
        meant = Report::Proposal.to("gate", base: name)
        raise UsageError, "#{name} is a revision: #{meant}" if known
      rescue EnvironmentError
        nil # there is no repository
      end

      def repository = @repository ||= context.repository.call(@app.dir)

      def gated(pages, base)
        progress = progress()
        @measured = measurement(base, context.shown_by(progress))
        Mohs::Gate::Gating.new(pages:, measure: @measured, on_event: progress, **given).call
      ensure
        progress&.close
      end

      def given = { pushes: @pushes, budget_s: @declared[:budget_s] }.compact

      def measurement(base, on_event)
        revisions = [base.commit, head&.fetch(:commit)].map { |id| id && "@#{id}" }
        Mohs::Gate::Measurement.new(experiment:, revisions:, on:, on_event:, invocation:,
                                    declaration: @declared.except(:budget_s))
      end

      # nil for the folder as it is. If that equals a commit, the commit is checked out, as the base
      # is: other content of the folder (caches, a database that grew) would be a difference of its
      # own.
      def head
        return @newer if defined?(@newer)

        name = @head&.delete_prefix("@")
        name ||= HEAD if repository.changes(besides: written).zero?
        @newer = name && { name:, commit: repository.commit(name) }
      end

      # Files that this gate writes, or an earlier one wrote.
      def written = [*@comment, *@reports.paths]

      def progress = super.extend(Mohs::Gate::PageProgress)

      def on
        notation = @on ? Study::Notation.parse(@on, servers: context.servers) : Study::Notation.new
        taken = notation.revision || notation.url or return notation
        raise UsageError, "--on #{@on.inspect}: #{taken} has no revisions to compare."
      end

      # Writes the document wherever it is wanted; returns the exit status.
      def finish(result, base, outputs, signals)
        name = @comment_name || File.basename(@app.dir)
        document = Mohs::Gate::Document.document(result, name:, base:, head:, invocation:,
                                                         study: @measured.study)
        print_document(document)
        to_reader { context.out.flush }
        outputs.call(document)
        return signals.status if result.state == "interrupted"

        STATUSES.fetch(Mohs::Gate::Document.outcome(document))
      end
    end
  end
end
