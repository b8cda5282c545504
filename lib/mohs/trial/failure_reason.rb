# frozen_string_literal: true

module Mohs
  class Trial
    # The reason for a trial's end, in one sentence: pure.
    module FailureReason
      # An address in a crash or an object's name, which differs each time.
      ADDRESS = /0x\h{6,}/

      # Attested facts that a variant can ask for, and their usual names.
      SETTINGS = { jit: "JIT", mn_threads: "M:N threads", invokedynamic: "invokedynamic" }.freeze

      # A line of a backtrace that leads through the application's seeds.
      SEEDS = %r{\bdb/seeds(?:/[\w./-]{1,200})?\.rb:\d+:in\b}
      # What seeds need that production lacks, as a rule (faker): it does not belong in its Gemfile.
      OF_BUNDLE = %w[gem_missing library_missing].freeze
      # Seeds fail more often than schemas: Fat Free CRM's name a column that its schema lacks.
      UNSEEDED = "Fill the database in another way, for example without its seeds: " \
                 "--prepare \"bin/rails db:schema:load\", or by #{App::KnownErrors::OWN_SCRIPT}"

      module_function

      # Why the server did not boot: its crash or the explanation of a known log, else the log's
      # last words if the server has ended. A server that is still running may write more, unless
      # it starts its workers again and again.
      #: (Reason, log: String, alive: bool?) -> Reason
      def unbooted(reason, log:, alive:)
        known = App::KnownErrors.explain(log:) unless log.match?(LogExcerpt::CRASH)
        last = alive ? LogExcerpt.of_workers(log) : LogExcerpt.reason(log) unless known
        same = last&.gsub(ADDRESS, "0x")
        more = known ? ". #{Wording.capital(known.summary)}" : last&.then { ": #{last}" }
        cause = known || reason
        Reason.new(summary: "#{reason.summary}#{more}", remedy: reason.remedy || known&.remedy,
                   code: cause.code, values: { **cause.values, **{ last: same }.compact })
      end

      # Why private databases could not be filled. known: the explanation of the log, nil if none is
      # known; own: whether the task is a command of the user's.
      #: (String, String, status: _ToS, known: Reason?, own: bool) -> Reason
      def unprepared(task, log, status:, known:, own:)
        # Its remedy is what has failed.
        known = nil if App::KnownErrors.unprepared?(known)
        why = known&.summary || LogExcerpt.reason(log)
        seeds = log.match?(SEEDS) && (known.nil? || OF_BUNDLE.include?(known.code))
        remedy = seeds || (known.nil? && !own) ? UNSEEDED : known&.remedy
        Reason.new(summary: ["#{task} failed (#{status})", *why].join(": "), remedy:,
                   code: "prepare_failed", values: { task:, why: }.compact)
      end

      # Why the setting `name` is not what was asked for.
      #: (Symbol, Hash[Symbol, untyped], Trial::Setup) -> Reason
      def unmet(name, attested, setup)
        found = { true => "on", false => "off" }.fetch(attested[name], attested[name])
        asked = setup.asked_by
        asked = asked.empty? ? "no #{SETTINGS.fetch(name)}" : asked
        summary = "#{asked} was asked for, but the server says its #{SETTINGS.fetch(name)} is " \
                  "#{found}"
        as_it_runs = "--own-jit measures it as it runs." if name == :jit && setup.asked_by.empty?
        Reason.new(summary:, remedy: as_it_runs,
                   code: "#{name}_differs", values: { flags: setup.variant.flags, name => found })
      end

      # Why two variants that differ in their JIT only are not compared. flags: those with which the
      # Ruby has one.
      #: (Hash[Symbol, untyped], Study::Variant, Study::Variant, Array[String]) -> Reason
      def same_jit(attested, variant, other, flags)
        jit, where = attested[:jit], attested.dig(:jit_by_app, :where)
        what = "#{jit.upcase}: the application turns it on#{" (#{where})" if where}"
        what = "without a JIT: the application turns none on" if
          jit == Rubies::Engines::Base::NO_JIT
        Reason.new(summary: "#{other.name} and #{variant.name} both run #{what}",
                   code: Store::Trial::SAME_JIT, values: { jit:, where:, flag: flags.first })
      end

      # "no correct responses any more: 3 wrong body, 1 timeout", from steps of load. Only the error
      # classes identify the cause, not the number of errors in each.
      #: (Array[Load::StepResult]) -> Reason
      def unanswered(results)
        counts = results.flat_map { |result| result.errors.to_a }.group_by(&:first)
        totals = counts.map { |name, each| "#{each.sum(&:last)} #{name.tr('_', ' ')}" }
        how = totals.any? ? totals.join(", ") : "no response"
        Reason.new(summary: "no correct responses any more: #{how}", code: "no_right_answers",
                   values: { errors: counts.keys.sort })
      end
    end
  end
end
