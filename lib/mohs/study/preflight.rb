# frozen_string_literal: true

module Mohs
  class Study
    # Checks what was typed before anything is planned, installed or booted: whether each variant's
    # Ruby starts with its flags and reads its variables, whether external servers already run, and
    # whether the worker and config/database.yml (DatabaseCheck) exist.
    class Preflight
      CONNECT_S = 5
      # Connects to a server that should already run; raises SystemCallError if nothing listens.
      REACH = lambda do |url|
        address = ServerUrl.parse(url)
        Http::Client.new(host: address.host, port: address.port, timeout_s: CONNECT_S).reach
      end

      # Some engines have these methods, but the methods do nothing.
      COMPACTED = "GC.stat[:compact_count].to_i > 0 or abort 'the heap is not compacted'"

      # env: that of the user's shell. rubies: finds a Ruby by `find(name)`. flags: a
      # Rubies::FlagTrial. ignored: finds ignored variables as Rubies::IgnoredVariables does.
      # preload: verifies libraries.
      #: (?env: Hash[String, String], ?rubies: Module, ?flags: Rubies::FlagTrial, ?ignored: _Call, ?preload: _Call, ?reach: _Call) -> void
      def initialize(env: ENV.to_h, rubies: Rubies, flags: Rubies::FlagTrial.new(env:),
                     ignored: Rubies::IgnoredVariables.new(env:),
                     preload: Process::Allocators.method(:verify), reach: REACH)
        @rubies = rubies
        @flags = flags
        @ignored = ignored
        @preload = preload
        @reach = reach
        @database = DatabaseCheck.new(env:)
      end

      # Returns the study. A variant is refused if its Ruby does not accept flags or variables that
      # another Ruby of the study accepts. Raises UsageError if no Ruby accepts them,
      # EnvironmentError if a server, an allocator or a library is missing, UsageError if the
      # worker's file or config/database.yml is missing or won't do.
      #: (Study) -> Study
      def call(study)
        study.variants.filter_map(&:url).uniq.each { |url| reach(url) }
        study.variants.each { |variant| preloadable(study, variant) }
        worker(study)
        @database.call(study)
        refusals = study.variants.to_h { |variant| [variant, refusal(study, variant)] }
        mistaken(study, refusals)
        return study if refusals.values.none?

        variants = refusals.map { |variant, reason| reason ? variant.refused(reason) : variant }
        Study.new(**study.each_pair.to_h, variants:)
      end

      private

      def reach(url)
        @reach.call(url)
      rescue SystemCallError
        raise EnvironmentError.silent(url)
      end

      # Servers run in the application's folder; the folder of a commit does not exist yet.
      def preloadable(study, variant)
        libraries = env(study, variant).fetch("LD_PRELOAD", "")
        @preload.call(libraries, dir: variant.revision ? nil : study.app)
      end

      # The file of a commit does not exist yet; an executable is looked up once there is a bundle.
      def worker(study)
        file = study.jobs&.file
        return if file.nil? || study.variants.all?(&:revision)
        return if ::File.file?(::File.expand_path(file, study.app))

        raise UsageError, "worker #{study.jobs.worker.inspect}: there is no #{file} in #{study.app}"
      end

      def refusal(study, variant)
        return if variant.url || variant.refusal

        not_started(study, variant) || ignoring(study, variant) || unable(variant)
      end

      def env(study, variant) = { **study.env, **variant.env }

      def ruby(variant) = @rubies.find(variant.ruby)

      # Raises UsageError for the first refused variant that no Ruby of the study accepts, or that
      # is the baseline, which a study needs. Other variants are no mistake if the user has not
      # chosen them.
      def mistaken(study, refusals)
        variant, reason = refusals.find do |one, found|
          taken = !study.procedure.strict? ||
                  refusals.any? { |other, no| no.nil? && asked(other) == asked(one) }
          found && (!taken || one.name == study.baseline)
        end
        raise UsageError, mistake(variant, reason) if variant
      end

      def asked(variant) = [variant.flags, variant.env, variant.preparations]

      def mistake(variant, reason)
        ["#{reason.summary}.", meant(variant), "(mohs rubies #{variant.ruby})"].compact.join(" ")
      end

      def not_started(study, variant)
        env = env(study, variant)
        return if variant.flags.empty? && env.empty?

        complaint = @flags.call(ruby(variant), flags: variant.flags, env:, dir: study.app) or return
        variables = Rubies::Engines.named(variant.engine)::VARIABLES
        read = env.select { |name, _| name.match?(variables) }
        given = [*variant.flags, *written(read)]
        summary = "#{variant.ruby} does not start with #{given.join(' ')}: #{complaint}"
        Reason.new(summary:, code: "flags_refused", values: { with: given, complaint: })
      end

      # A variant that doesn't get what it asks for would be measured under a wrong name.
      def ignoring(study, variant)
        env = env(study, variant)
        ignored = env.empty? ? {} : @ignored.call(ruby(variant), env)
        return if ignored.empty?

        given = written(env.slice(*ignored.keys))
        why = ignored.values.compact.uniq
        summary = ["#{variant.ruby} ignores #{given.join(' ')}", *why].join(": ")
        Reason.new(summary:, code: "variables_ignored", values: { names: ignored.keys })
      end

      # The reason if the Ruby lacks what the variant's processes have to do before load starts.
      def unable(variant)
        calls = variant.preparations.map { |name| Variant::PREPARATIONS.fetch(name) }
        found = calls.to_h { |call| [call, @flags.code(ruby(variant), "#{call}; #{COMPACTED}")] }
        call, complaint = found.compact.first
        call && Reason.new(summary: "#{variant.ruby} has no #{call}: #{complaint}",
                           code: "call_unknown", values: { call: })
      end

      def written(env) = env.map { |name, value| "#{name}=#{Secrets.mask(name, value)}" }

      # Suggests the corrected variant or, if a user gave it its name, the corrected flag.
      def meant(variant)
        known = ruby(variant).flags
        wrong = (variant.flags - known).find { |flag| Suggest.nearest(flag, known) } or return
        right = Suggest.nearest(wrong, known)
        return "Did you mean #{right}?" if variant.labelled

        "Did you mean #{variant.name.sub(wrong, right).inspect}?"
      end
    end
  end
end
