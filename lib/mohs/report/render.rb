# frozen_string_literal: true

module Mohs
  module Report
    # Puts a finding into words: fills the template of its code with its values. A family's member
    # has its templates beside its logic, as WORDS; templates of other findings are in
    # Report::Templates. A template is
    #   text    "took %{growth|percent} longer": a value's name and one of Numbers::FORMATS
    #   lambda  ->(values, numbers) { text }: where a sentence has more than one form
    module Render
      FIELD = /%\{(\w+)(?:\|(\w+))?\}/

      # Families whose members make findings with codes "member.case".
      FAMILIES = [Analysis::Checks, Analysis::Host].freeze

      # For a failure without a reason: mohs itself was ended, or is still running.
      LOST = "mohs ended while it ran"

      module_function

      # Raises KeyError if a code has no template, or if its template names a value that the finding
      # lacks.
      #: (Analysis::Finding) -> String
      def call(finding) = fill(template(finding.code), finding)

      # A self-check's finding, as in docs/json.md.
      #: (Analysis::Finding) -> Hash[Symbol, untyped]
      def check(finding) = { **Analysis::Checks.dump(finding), detail: call(finding) }

      # The remedy for a finding about the host; nil if none is needed.
      #: (Analysis::Finding) -> String?
      def remedy(finding)
        return unless finding.against?

        remedies = Analysis::Host.member(finding.member).remedies
        fill(remedies.fetch(finding.code.split(".").last.to_sym), finding)
      end

      # What to try against the reason that a finding has among its values; nil if it has none, or
      # nothing is known to help.
      #: (Analysis::Finding?) -> String?
      def cure(finding) = finding&.values&.[](:reason)&.then { |one| reason(one).remedy }

      # The text of a code with these values, for sentences that are not findings.
      #: (String, **untyped) -> String
      def text(code, **values) = call(Analysis::Finding.note(code, **values))

      # A finding in a document: what programs read, and its text.
      #: (Analysis::Finding) -> Hash[Symbol, untyped]
      def document(finding)
        { **finding.to_h, severity: finding.severity.to_s, values: values(finding),
                          text: call(finding) }
      end

      # A verdict as in docs/json.md, with its text.
      #: (Analysis::Verdict) -> Hash[Symbol, untyped]
      def verdict(verdict)
        { outcome: verdict.outcome.to_s, against: verdict.against, metric: verdict.metric.to_s,
          effect: verdict.effect, interval: verdict.low && [verdict.low, verdict.high],
          equal_interval: verdict.equal, margin: verdict.margin, text: Numbers.verdict(verdict),
          reasons: verdict.findings.map { |finding| call(finding) },
          findings: verdict.findings.map { |finding| document(finding) } }
      end

      # What a plan's budget cut, as in docs/json.md. procedure: of the plan's study, which may have
      # a command of its own that measures all.
      #: (Plan, ?Procedure?) -> Array[Hash[Symbol, untyped]]
      def dropped(plan, procedure = nil) = cuts(plan.dropped, procedure)

      # The same for the given ones.
      #: (Array[Hash[Symbol, untyped]]?, ?Procedure?) -> Array[Hash[Symbol, untyped]]
      def cuts(dropped, procedure = nil)
        dropped.to_a.map do |cut|
          more = procedure ? procedure.beside_cut(cut[:values]) : {}
          said = Analysis::Finding.note(cut[:code], **cut[:values], **more)
          { variant: cut.fetch(:name) { "#{cut[:rounds]} of #{cut[:of]} rounds" },
            state: "dropped", reason: call(said), **cut.slice(:code, :values) }
        end
      end

      # What the budget cut, in one line for each reason. cuts: as in docs/json.md.
      #: (Array[Hash[Symbol, untyped]]) -> Array[String]
      def left_out(cuts)
        cuts.group_by { |cut| cut.values_at(:code, :values) }.values.map do |same|
          "#{Wording.names(same.map { |cut| cut[:variant] })}: #{same.first[:reason]}"
        end
      end

      # A plan as `run --dry-run` prints it.
      #: (Plan, ?Procedure?) -> Hash[Symbol, untyped]
      def plan(plan, procedure = nil)
        cuts = dropped(plan, procedure).map do |cut|
          { name: cut[:variant], why: cut[:reason], **cut.slice(:code, :values) }
        end
        plan.document.merge(dropped: cuts)
      end

      # The worst finding of a variant's trials: "2 of 3 trials: ..." if the trials disagree.
      #: (Analysis::Row::Worst) -> String
      def worst(worst)
        detail = call(worst.finding)
        worst.disputed? ? "#{worst.as_bad} of #{worst.trials} trials: #{detail}" : detail
      end

      # A reason with a text: its own, else the text of its code.
      #: (Reason) -> Reason
      def reason(reason)
        return reason if reason.summary

        code, values = reason.code, reason.values
        Reason.new(summary: text(code, **values), code:, values:,
                   remedy: Templates::Refusals::REMEDIES[code]&.call(values))
      end

      #: (Analysis::Row::Failure) -> Reason
      def failure(failure)
        spoiled = failure.spoiled
        return reason(failure.reason) if failure.reason

        Reason.new(summary: unexplained(spoiled), code: spoiled ? spoiled.code : "lost",
                   values: spoiled ? spoiled.values : {})
      end

      # Why a trial without a reason of its own failed: the check that spoiled it, if any.
      #: (Analysis::Finding?) -> String
      def unexplained(spoiled) = spoiled ? call(spoiled) : LOST

      #: (String) -> (String | Proc)
      def template(code)
        words = member?(code) ? family_words(code) : Templates::TEXTS
        key = member?(code) ? code.split(".").last.to_sym : code
        words.fetch(key) { raise KeyError, "no template says #{code.inspect}" }
      end

      # A finding's values as plain data; its `reason`, if it has that key, with the reason's parts.
      def values(finding)
        return finding.values unless finding.values.key?(:reason)

        worded = finding.values[:reason]&.then { |one| reason(one) }
        { **finding.values, reason: worded&.to_s, summary: worded&.summary, remedy: worded&.remedy }
      end

      def member?(code) = code.include?(".")

      def family_words(code)
        member = code.split(".").first
        family = FAMILIES.find { |one| one.known?(member) }
        family ? family.words(member) : {}
      end

      # A template with the values of a finding in it.
      #: (String | Proc, Analysis::Finding) -> String
      def fill(template, finding)
        return template.call(finding.values, Numbers) if template.is_a?(Proc)

        template.gsub(FIELD) do
          name, format = Regexp.last_match.captures
          formatted(value(finding, name), format)
        end
      end

      def value(finding, name)
        finding.values.fetch(name.to_sym) do
          raise KeyError, "#{finding.code} needs a value #{name.inspect} to be put into words"
        end
      end

      def formatted(value, format)
        format ? Numbers.public_send(Numbers::FORMATS.fetch(format), value) : value.to_s
      end

      private_class_method :values, :member?, :family_words, :value, :formatted
    end
  end
end
