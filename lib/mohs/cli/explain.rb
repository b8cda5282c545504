# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs explain [RUN [A B]]`: why two variants of a run differ, judging by the readings of their
    # servers; with --profile it first measures both again and samples their stacks.
    class Explain < Measuring
      SUMMARY = "Explains why variants of a run differ: which figures moved."
      USAGE = "mohs explain [RUN [A B]] [--profile]"
      ARGUMENTS = (0..3)

      # Rounds of a run that is measured for its profile: the fewest that give intervals.
      ROUNDS = Mohs::Stats::Interval::FEWEST

      EXAMPLES = <<~TEXT

        RUN is the key of a run (mohs list); without it, the newest that has figures of
        two variants. A and B are names of two of its variants, or parts that no other
        name has; without them every measured variant is explained against the baseline.

      TEXT
      private_constant :EXAMPLES

      private

      def banner = "#{super}\n#{EXAMPLES}"

      def options(parser)
        parser.about("extent") { profiling(parser) }
        parser.about("output") do
          parser.on("--quiet", "with --profile: no progress") { @quiet = true }
        end
      end

      def profiling(parser)
        parser.on("--profile", "measure both again and sample their stacks: where " \
                               "the time goes, and a speedscope file of each") { @profile = true }
        parser.on("--rounds N", "with --profile: boots of each (default: #{ROUNDS})") do |text|
          @rounds = Options.whole(text, option: "--rounds", least: 1)
        end
      end

      def execute
        raise UsageError, "--rounds belongs to --profile." if @rounds && !@profile

        store = context.store.call
        run = arguments.empty? ? newest(store) : read(store, arguments.first)
        streams = run.stored.study.streams
        raise UsageError, "run #{run.stored.key} measured #{streams.title}: explain is about " \
                          "what a request costs." if streams
        return profile(store, run) if @profile

        show(store, run, pairs(run))
      end

      def read(store, key) = Analysis::Run.new(Runner.result(store, key))

      # The newest run that has two variants with figures; if there is none, the newest run.
      def newest(store)
        runs = store.listed.lazy.map { |run| read(store, run.key) }
        runs.find { |run| run.measured_rows.size > 1 } || read(store, nil)
      end

      def show(store, run, pairs, files: [])
        profiles = Experiment::Profiles.of(store, run)
        print_document(Report::ExplainModel.document(run, pairs, profiles:, files:))
      end

      # Measures the pair again as before, except for the number of rounds: in a run of its own,
      # since sampling costs time.
      def profile(store, run)
        pair = pair(run)
        rules = Mohs::Rounds::Rules.new(rounds: @rounds || ROUNDS)
        study = run.stored.study.profiled(pair, rules:)
        signals = StopSignals.new
        signals.during do
          status = sampled(store, sample(study), pair)
          signals.first ? signals.status : status
        end
      end

      # If a variant has failed meanwhile, the run's table gives the reason.
      def sampled(store, run, pair)
        if (pair - run.measured_rows.map(&:name)).any?
          print_document(context.document.call(run))
          return 1
        end
        profiles = Experiment::Profiles.of(store, run)
        files = Experiment::Profiles.write(profiles, run, dir: context.dir)
        show(store, run, [pair], files:)
      end

      def sample(study)
        experiment = experiment()
        with_progress do |on_event|
          experiment.measure(study, experiment.plan(study), on_event:, invocation:)
        end
      end

      # Two variants with figures.
      def pair(run)
        names = arguments.drop(1)
        names = [run.baseline, *run.measured_rows.map(&:name)].uniq if names.empty?
        raise UsageError, "--profile is about two variants: name them. Usage: #{USAGE}" \
          unless names.size == 2

        names.map { |name| known(run, name) }
      end

      def pairs(run)
        return named(run) if arguments.size > 1

        baseline, others = run.measured_rows.map(&:name).partition { |name| name == run.baseline }
        raise UsageError, few(run) if baseline.empty? || others.empty?

        pairs = baseline.product(others).select { |a, b| run.explanation(b, against: a).known? }
        pairs.empty? ? raise(UsageError, unread(run)) : pairs
      end

      def named(run)
        a, b = arguments.drop(1)
        raise UsageError, "B is missing. Usage: #{USAGE}" unless b

        a, b = [a, b].map { |name| known(run, name) }
        raise UsageError, "#{a.inspect} and #{b.inspect} are the same variant." if a == b

        explanation = run.explanation(b, against: a)
        raise UsageError, never_together(a, b) if explanation.count.zero?
        raise UsageError, unread(run) unless explanation.known?

        [[a, b]]
      end

      # The name of the variant that has this name, or that alone has it as a part of its name.
      def known(run, name)
        names = run.measured_rows.map(&:name)
        return name if names.include?(name)

        meant = meant(name, names)
        return meant.first if meant.one?

        raise UsageError, several(name, meant) if meant.any?

        otherwise = "It has: #{names.map(&:inspect).join(', ')}."
        raise UsageError, "run #{run.stored.key} has no figures of #{name.inspect}. " \
                          "#{Suggest.hint(name, names, otherwise:, &:inspect)}"
      end

      # Names that have the part between commas; if there are none, names that contain it anywhere.
      def meant(part, names)
        whole = names.select { |name| name.split(", ").include?(part) }
        whole.empty? ? names.select { |name| name.include?(part) } : whole
      end

      def several(name, meant) = "#{name.inspect} may be #{meant.map(&:inspect).join(' or ')}."

      def few(run) = "run #{run.stored.key} has no two variants with figures."

      def never_together(a, b)
        "#{a.inspect} and #{b.inspect} were in no cohort together: measure them with " \
          "mohs #{Procedure.comparing}."
      end

      def unread(run)
        "run #{run.stored.key} has no readings of its servers, so there is nothing to explain it " \
          "by: its servers were running already. Let mohs start them, to measure it again."
      end
    end
  end
end
