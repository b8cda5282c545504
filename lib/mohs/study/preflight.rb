# frozen_string_literal: true

module Mohs
  class Study
    # Tries what was typed before anything is planned, installed or booted: whether each variant's
    # Ruby starts with its flags and reads its variables, whether the servers that are to run
    # already do, and whether the worker is there.
    class Preflight
      CONNECT_S = 5
      # Of a server that runs already: raises SystemCallError if nothing listens.
      REACH = lambda do |url|
        address = ServerUrl.parse(url)
        Http::Client.new(host: address.host, port: address.port, timeout_s: CONNECT_S).reach
      end

      # Some engines have the methods, and do nothing in them.
      COMPACTED = "GC.stat[:compact_count].to_i > 0 or abort 'the heap is not compacted'"

      # `rubies` finds a Ruby by `find(name)`; `flags` is a Rubies::FlagTrial; `ignored`
      # finds variables as Rubies::IgnoredVariables does; `preload` verifies libraries.
      #: (?rubies: Module, ?flags: Rubies::FlagTrial, ?ignored: _Call, ?preload: _Call, ?reach: _Call) -> void
      def initialize(rubies: Rubies, flags: Rubies::FlagTrial.new,
                     ignored: Rubies::IgnoredVariables.new,
                     preload: Process::Allocators.method(:verify), reach: REACH)
        @rubies = rubies
        @flags = flags
        @ignored = ignored
        @preload = preload
        @reach = reach
      end

      # The study, with a variant refused whose Ruby does not take flags or variables that another
      # Ruby of the study takes. What none takes is a mistake: raises UsageError; EnvironmentError
      # if a server, an allocator or a library is not there, UsageError if the worker's file isn't.
      #: (Study) -> Study
      def call(study)
        study.variants.filter_map(&:url).uniq.each { |url| reach(url) }
        study.variants.each { |variant| preloadable(study, variant) }
        worker(study)
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

      # Servers run in the application's folder; that of a commit is not there yet.
      def preloadable(study, variant)
        libraries = env(study, variant).fetch("LD_PRELOAD", "")
        @preload.call(libraries, dir: variant.revision ? nil : study.app)
      end

      # That of a commit is not there yet, and an executable is looked for once there is a bundle.
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

      # The first that no Ruby of the study takes; without its baseline a study is nothing. What a
      # published study names is no mistake: here it can't be tested.
      def mistaken(study, refusals)
        variant, reason = refusals.find do |one, found|
          taken = study.published ||
                  refusals.any? { |other, no| no.nil? && asked(other) == asked(one) }
          found && (!taken || one.name == study.baseline)
        end
        raise UsageError, mistake(variant, reason) if variant
      end

      def asked(variant) = [variant.flags, variant.env, variant.preparations]

      def mistake(variant, reason)
        text = "#{reason.summary.delete_suffix('.')}."
        [text, meant(variant), "(mohs rubies #{variant.ruby})"].compact.join(" ")
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

      # Of what its processes have to do before they are loaded.
      def unable(variant)
        calls = variant.preparations.map { |name| Variant::PREPARATIONS.fetch(name) }
        found = calls.to_h { |call| [call, @flags.code(ruby(variant), "#{call}; #{COMPACTED}")] }
        call, complaint = found.compact.first
        call && Reason.new(summary: "#{variant.ruby} has no #{call}: #{complaint}",
                           code: "call_unknown", values: { call: })
      end

      def written(env) = env.map { |name, value| "#{name}=#{Secrets.mask(name, value)}" }

      # The variant as it would be right; under a name of its own, the flag.
      def meant(variant)
        known = ruby(variant).flags
        wrong = (variant.flags - known).find { |flag| Suggest.nearest(flag, known) } or return
        right = Suggest.nearest(wrong, known)
        return "Did you mean #{right}?" unless variant.name.include?(wrong)

        "Did you mean #{variant.name.sub(wrong, right).inspect}?"
      end
    end
  end
end
