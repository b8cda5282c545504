# frozen_string_literal: true

module Mohs
  module Report
    # The document of `mohs explain`, from a run's analysis: why pairs of its variants differ. Pure.
    class ExplainModel < Model
      COMMAND = "explain"

      # pairs: names [A, B] of each pair to explain. profiles: those that the run took, by trial.
      # files: written from the profiles.
      #: (Analysis::Run, Array[[String, String]], ?profiles: Hash[Integer, Profile], ?files: Array[String]) -> Hash[Symbol, untyped]
      def self.document(run, pairs, profiles: {}, files: [])
        new(run, pairs, profiles, files).document
      end

      #: (Analysis::Run, Array[[String, String]], Hash[Integer, Profile], Array[String]) -> void
      def initialize(run, pairs, profiles, files)
        super(run)
        @pairs = pairs
        @profiles = profiles
        @files = files
      end

      # The first pair's keys are in the document itself.
      #: () -> Hash[Symbol, untyped]
      def document
        first, *others = @pairs.map { |a, b| pair(@run.explanation(b, against: a)) }
        frame.merge(state: @run.state, app: @stored.app && File.basename(@stored.app),
                    requested: Subject.requested(@stored.study), reproduces: procedure.repeats,
                    connections: @run.connections, **first, others:)
      end

      private

      def pair(explanation)
        verdict = verdict(explanation)
        rest = explanation.unexplained
        { a: explanation.a, b: explanation.b, verdict: verdict && Render.verdict(verdict),
          why: Templates::Causes.sentence(explanation.why(verdict)), cohorts: explanation.count,
          tested: explanation.tested?, cpu: cause(explanation.cpu),
          cpu_compared: compared(explanation),
          cores_share: explanation.cores_share, parts_whole: explanation.whole?,
          causes: explanation.causes.map { |one| cause(one) },
          unexplained_share: rest&.value,
          unexplained_interval: rest&.low && [rest.low, rest.high],
          profile: profile(explanation) }
      end

      def profile(explanation)
        difference = @run.profile_difference(explanation.b, against: explanation.a,
                                                            profiles: @profiles,
                                                            category: @run.frame_category)
        return unless difference

        { waits: difference.waits?,
          categories: difference.categories.map { |part| part(part).except(:path, :line) },
          methods: difference.methods.map { |part| part(part) }, files: @files }
      end

      def part(part)
        { kind: part.kind, category: part.category, name: part.name, path: place(part.path),
          line: part.line.to_i.zero? ? nil : part.line, unit: "us_per_request",
          a: part.a, b: part.b, change: part.change, interval: part.low && [part.low, part.high],
          significant: part.significant }
      end

      # The shortest path that can still be found: relative to the application's folder, or from the
      # gem's name on.
      def place(path)
        path&.delete_prefix("#{@stored.study.app}/")&.sub(%r{\A.*/gems/(?=[^/]+-\d[^/]*/)}, "")
      end

      # nil between two candidates.
      def verdict(explanation)
        return unless explanation.a == @run.baseline

        row = @run.rows.find { |one| one.name == explanation.b }
        @run.verdict(row) if row
      end

      # nil if the verdict's table has no ratio of CPU time.
      def compared(explanation)
        ratio = explanation.compared or return
        { ratio: ratio.value, interval: ratio.low && [ratio.low, ratio.high],
          significant: explanation.differs? }
      end

      def cause(cause)
        { name: cause.name.to_s, title: Templates::Causes::TITLES.fetch(cause.name.to_s),
          unit: cause.unit, a: cause.a, b: cause.b, change: cause.change,
          interval: cause.low && [cause.low, cause.high], ratio: cause.ratio,
          significant: cause.significant, share_of_difference: cause.share }
      end
    end
  end
end
