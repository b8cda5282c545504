# frozen_string_literal: true

module Mohs
  class Study
    # Tries what was typed before anything is planned, installed or booted: whether each variant's
    # Ruby starts with its flags, and whether the servers that are to run already do.
    class Preflight
      CONNECT_S = 5
      # Of a server that runs already: raises SystemCallError if nothing listens.
      REACH = lambda do |url|
        address = ServerUrl.parse(url)
        Http::Client.new(host: address.host, port: address.port, timeout_s: CONNECT_S).reach
      end

      # `rubies` finds a Ruby by `find(name)`; `flags` tries them as Rubies::FlagTrial does.
      #: (?rubies: Module, ?flags: _Call, ?reach: _Call) -> void
      def initialize(rubies: Rubies, flags: Rubies::FlagTrial.new, reach: REACH)
        @rubies = rubies
        @flags = flags
        @reach = reach
      end

      # The study, with a variant refused whose Ruby does not take flags that another Ruby of the
      # study takes. Flags that none takes are a mistake: raises UsageError; EnvironmentError if a
      # server is not there.
      #: (Study) -> Study
      def call(study)
        study.variants.filter_map(&:url).uniq.each { |url| reach(url) }
        complaints = study.variants.to_h { |variant| [variant, complaint(study, variant)] }
        mistaken(study, complaints)
        return study if complaints.values.none?

        variants = complaints.map do |variant, complaint|
          complaint ? variant.refused(refusal(study, variant, complaint)) : variant
        end
        Study.new(**study.each_pair.to_h, variants:)
      end

      private

      def reach(url)
        @reach.call(url)
      rescue SystemCallError
        raise EnvironmentError.silent(url)
      end

      def complaint(study, variant)
        env = env(study, variant)
        return if variant.url || variant.refusal || (variant.flags.empty? && env.empty?)

        @flags.call(ruby(variant), flags: variant.flags, env:, dir: study.app)
      end

      def env(study, variant) = { **study.env, **variant.env }

      def ruby(variant) = @rubies.find(variant.ruby)

      # The first that no Ruby of the study takes; without its baseline a study is nothing.
      def mistaken(study, complaints)
        variant, complaint = complaints.find do |one, found|
          taken = complaints.any? { |other, no| no.nil? && asked(other) == asked(one) }
          found && (!taken || one.name == study.baseline)
        end
        raise UsageError, mistake(study, variant, complaint) if variant
      end

      def asked(variant) = [variant.flags, variant.env]

      def mistake(study, variant, complaint)
        text = refusal(study, variant, complaint).summary.delete_suffix(".")
        ["#{text}.", meant(variant), "(mohs rubies #{variant.ruby})"].compact.join(" ")
      end

      def refusal(study, variant, complaint)
        variables = Rubies::Engines.named(variant.engine)::VARIABLES
        read = env(study, variant).select { |name, _| name.match?(variables) }
        given = [*variant.flags, *read.map { |name, value| "#{name}=#{Secrets.mask(name, value)}" }]
        summary = "#{variant.ruby} does not start with #{given.join(' ')}: #{complaint}"
        Reason.new(summary:, code: "flags_refused", values: { with: given, complaint: })
      end

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
