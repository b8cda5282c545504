# frozen_string_literal: true

module Mohs
  module Tune
    # The document of `mohs tune`: that of a run, with its settings, the setting to use and the
    # reasons. Pure; also for a tuning that is under way.
    class Document < Report::Model
      COMMAND = "tune"

      # With --check, whether the present setting is among the best; also in a resumed run.
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document)
        return document[:recommendation] ? :ok : :failed unless document[:check]

        { true => :ok, false => :regression, nil => :inconclusive }
          .fetch(document[:present_is_best])
      end

      # The processes and threads that the name of a setting in the document doesn't say: that of
      # the application's own file, "1x5". nil for other settings, and if the file sets none.
      #: (Hash[Symbol, untyped]) -> String?
      def self.unnamed_shape(setting)
        shape = setting.values_at(:processes, :threads).compact
        shape.join("x") if setting[:config] && shape.any?
      end

      # What a new file gets from the document (Procedure#contents): the lines of the setting.
      #: (Hash[Symbol, untyped]) -> Mohs::Procedure::Contents
      def self.contents(document)
        picked = document[:recommendation]
        use = picked && picked[:to_use]
        if use && use[:file]
          return Mohs::Procedure::Contents.new(text: use[:text], sure: picked[:sure])
        end

        lack = if picked.nil? then "no setting is recommended"
               elsif use then "this server takes its settings on the command line"
               else "the application's file already has this setting"
               end
        Mohs::Procedure::Contents.new(lack:)
      end

      #: (Analysis::Run) -> void
      def initialize(run)
        super
        @tuning = run.result
        @advice = @tuning.recommendation
        @names = @stored.study.variants.to_h { |variant| [variant.name, variant] }
      end

      #: () -> Hash[Symbol, untyped]
      def document = super.merge(dropped: [])

      private

      def subject
        limit = @tuning.limit
        super.merge(limit: { figure: limit.figure, below_ms: limit.ns / 1e6, text: limit.to_s,
                             margin: @tuning.rules.margin },
                    wanted_per_s: @tuning.rules.wanted_per_s, check: @tuning.rules.check,
                    present: @tuning.present, opening:, race: race, settings: settings,
                    frontier: @advice.frontier,
                    beyond: Result::BEYOND,
                    recommendation: recommendation, present_is_best: @advice.present_is_best?,
                    present_unknown:, steps:, waiting: @tuning.waiting&.to_h, scaling:,
                    binding: bounds, left_out:, cgroup:, warnings:, model:)
      end

      def present_unknown = @advice.present_unknown&.then { |why| Report::Render.reason(why).to_s }

      def sentence(document) = Headline.new(document)

      def suggestions(document)
        further = @advice.further
        setting = further && @tuning.shapes.typed(further.name)
        [Suggestion.new(document, @stored.study, further, setting:).to_h].compact
      end

      # The table has no latencies of a closed loop. A pool that is too small binds, and other
      # processes are a warning.
      def notes
        without = ["latency", Analysis::Notes::POOL, *(Report::Notes::OTHERS if busy_host)]
        Report::Notes.new(@run, without:).to_a
      end

      # Settings have groups, by their highest rates: groups of rows, by other rates, would be
      # mistaken for these.
      def judgement(row) = super.merge(group: nil)

      def groups = []

      def race
        race = @tuning.race
        { rounds: race.rounds, left: race.alive, leader: race.leader,
          ended: @tuning.race_ended&.to_s }
      end

      def opening
        found = @tuning.opening or return
        { leader: found.leader, gain: found.gain&.value, interval: found.gain && ends(found.gain),
          follow: found.follow }
      end

      def settings = @tuning.settings.map { |one| setting(one) }

      def setting(one)
        variant = @names.fetch(one.name)
        processes, threads = @tuning.shapes.of(one.name)
        { name: one.name, processes:, threads:, server: variant.server,
          env: variant.env.to_h { |name, value| [name.to_s, Secrets.mask(name.to_s, value)] },
          config: variant.config, present: one.name == @tuning.present, state: one.state,
          group: one.mark,
          rate_per_s: estimate(one.rate), busy_per_s: estimate(one.busy),
          busy_on_boots_per_s: @tuning.race.busy_on_boots_per_s(one.name), at_least: one.bound,
          figure_ms: estimate(one.figure_ms), memory_bytes: estimate(one.memory),
          boot_ms: estimate(one.boot_ms), beyond: one.beyond,
          cost_per_million: estimate(one.cost_per_million), boots: one.boots,
          fits: @tuning.fits?(one), enough: @advice.enough?(one),
          seems_enough: @advice.seems_enough?(one), searched: one.searched, short: one.short,
          share_of_busy: one.share&.to_h, checked_per_s: checked(one), reason: reason_of(one),
          cause: cause(one.reason) }
      end

      # What a single search found, beside the rate of the model.
      def checked(one)
        found = @tuning.checks(one.name).find { |check| check[:outcome] == "found" } or return
        { value: found[:rate_per_s], low: found[:low], high: found[:high] }
      end

      # Where the rates are those of the queue's model: what a search would have needed.
      def model = ({ needed_s: @tuning.needed_s } if @tuning.modelled?)

      def estimate(interval) = interval && interval.to_h.slice(:value, :low, :high)

      def reason_of(one)
        return Report::Render.reason(one.reason).to_s if one.reason
        return unless one.drop

        lead = one.drop.interval.exp
        Report::Render.text("tune_dropped", rounds: one.drop.round, leader: one.drop.leader,
                                            change: Report::Change.of(lead.value).amount)
      end

      # What the settings with this reason have in common; nil if only its sentence is known.
      def cause(reason) = (%i[code values].zip(reason.cause).to_h if reason&.code)

      def steps
        @advice.steps.map do |one|
          processes, threads = @tuning.shapes.of(one.name)
          ratio = one.ratio
          { name: one.name, processes:, threads:, by: one.by, ratio: ratio.value,
            interval: ratio.low && [ratio.low, ratio.high] }
        end
      end

      # The rate by threads per process, as measured and as predicted.
      def scaling
        found = @tuning.scaling or return
        levels = found.levels.map do |one|
          { threads: one.threads, measured_per_s: estimate(one.rate),
            predicted_per_s: one.predicted_per_s }
        end
        { processes: found.processes, levels: }
      end

      def cgroup
        found = @tuning.rules.cgroup or return
        given = found.slice(:cores, :processes)
        text = Report::Render.text("tune_cgroup", **given) if given[:processes]
        { **found.slice(:cores, :memory_bytes, :processes), text: }
      end

      # What to write for the setting; nil if a file of the user's has it already.
      def to_use(pick)
        variant = @names.fetch(pick.name)
        return if variant.config

        own = Servers.fetch(variant.server).own_settings(
          **variant.to_h.slice(:processes, :threads, :preload, :refork),
          env: env_of(variant), version: version(variant),
        )
        rate = Bounds.at_least(pick.rate.value, pick.bound)
        remark = Report::Render.text(measured_code, limit: @tuning.limit.to_s, run: @stored.key,
                                                    rate:)
        file = own.file && (@names.fetch(@tuning.present).config || own.file)
        env = own.env.to_h { |name, value| [name.to_s, Secrets.mask(name.to_s, value.to_s)] }
        short = Report::Render.text("tune_measured_short") if pick.short
        server = variant.server
        preloading = Report::Render.text("tune_not_preloaded", server:) if plain?(variant)
        set = "environment: #{env.map { |pair| pair.join('=') }.join(' ')}" if env.any?
        comments = [remark, *short, *preloading, *set].map { |text| own.comment(text) }
        { file:, lines: own.lines, argv: own.argv, flags: variant.flags, env:, preloading:,
          text: [*comments, own.text].join }
      end

      # What the file says about the rate.
      def measured_code
        return "tune_measured_model" if @tuning.modelled?
        return "tune_measured" if sure? || @advice.setting.name == @tuning.present
        return "tune_measured_early" if @tuning.rates.boots_so_far

        @tuning.rules.wanted_per_s ? "tune_measured_open" : "tune_measured_unsure"
      end

      # Could it be preloaded, and was no setting measured that way?
      def plain?(variant)
        can = Servers.fetch(variant.server).capabilities
        can[:preload] && variant.processes.to_i > 1 && @names.each_value.none?(&:preload)
      end

      # Where a rate is wanted: whether the recommended setting surely serves it. Else whether it
      # differs from the present one beyond chance, or serves as much with less memory, or that one
      # serves nothing within the limit; of the present one, whether it is the best.
      def sure?
        return false if @tuning.rates.boots_so_far
        return @advice.enough?(@advice.setting) == true if @tuning.rules.wanted_per_s
        return false if @advice.few_boots

        gain = @advice.gain
        return gain.excludes?(1) || @advice.spares_memory? if gain

        best = @advice.present_is_best?
        @advice.setting.name == @tuning.present ? best == true : best == false
      end

      def ends(interval) = interval&.low && [interval.low, interval.high]

      def recommendation
        pick = @advice.setting or return
        processes, threads = @tuning.shapes.of(pick.name)
        gain = @advice.gain
        { name: pick.name, processes:, threads:, gain: gain&.value,
          interval: ends(gain), reason: faster(pick), sure: sure?,
          keep_present: @advice.keep_present? && !sure?, few_boots: @advice.few_boots,
          boots_so_far: @tuning.rates.boots_so_far,
          memory_difference_bytes: difference(pick), connections: held_to(pick),
          to_use: to_use(pick) }
      end

      # Connections that searches keep to it: it has a thread for each. nil if its threads are
      # unknown, or if the user gave the number for all settings.
      def held_to(pick)
        slots = @tuning.shapes.slots(pick.name)
        slots if @stored.study.connections.nil? && slots.finite?
      end

      # Why it is recommended although another setting serves more; nil if none does, or if a rate
      # is wanted.
      def faster(pick)
        found = @advice.faster or return
        memory = @tuning.setting(found[:name]).memory
        bytes = memory.value - pick.memory.value if memory && pick.memory
        change = Report::Change.new({ effect: found[:ratio].value, interval: ends(found[:ratio]) })
        Report::Render.text("tune_faster_#{found[:reason]}",
                            most: found[:name], change: change.directed("more", "less"),
                            interval: [nil, *(change.interval if found[:ratio].low)].join(" "),
                            megabytes: bytes&./(Report::Numbers::MEGABYTE))
      end

      # A Rails application takes the size of its database pool from this variable, too.
      def env_of(variant)
        rails = attested(variant)[:rails] && variant.threads
        rails ? { **variant.env, "RAILS_MAX_THREADS" => variant.threads.to_s } : variant.env
      end

      def version(variant) = attested(variant)[:gems].to_h[variant.server.to_sym]

      def attested(variant) = @run.rows.find { |row| row.name == variant.name }.attested

      def difference(pick)
        sizes = [pick, @tuning.setting(@tuning.present)].map { |one| one.memory&.value }
        sizes.reduce(:-).round if sizes.all?
      end

      # A finding if other processes took so much of the CPU that rates are lower, and vary more;
      # else nil.
      def busy_host
        share = @run.noise[:foreign_cpu_share] or return
        severity = Analysis::Host.member("other_processes").limits.severity(share)
        Analysis::Finding.new(code: "busy_host", severity:, values: { share: }) \
          unless severity == :ok
      end

      def warnings
        [busy_host, *@tuning.cautions].compact.map { |one| Report::Render.document(one) }
      end

      def bounds = @tuning.bounds.map { |finding| Report::Render.document(finding) }

      def left_out
        Array(@tuning.rules.left_out).map do |one|
          { name: one[:name], code: one[:code], values: one[:values],
            reason: Report::Render.text(one[:code], **one[:values]) }
        end
      end
    end
  end
end
