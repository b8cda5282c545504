# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The plan, printed before the run. A procedure's subclass (Procedure#plan_text) defines
      # `shape`, what is measured and how long it takes, and `rows`, the plan as a table.
      class PlanText
        # The text of a study's procedure; arguments as for `new`.
        #: (Study, Plan, **untyped) -> Report::Terminal::PlanText
        def self.of(study, ...) = study.procedure.plan_text.new(study, ...)

        # hosts: how many of a fleet share its cohorts. open: its time is announced later, when the
        # first cohort shows it. guessed: its variants were never measured, so the plan's time is
        # that of a usual application.
        #: (Study, Plan, style: Terminal::Style, ?hosts: Integer, ?open: bool, ?guessed: bool) -> void
        def initialize(study, plan, style:, hosts: 1, open: false, guessed: false)
          @study = study
          @plan = plan
          @style = style
          @hosts = hosts
          @open = open
          @guessed = guessed
        end

        # The lines above the progress: the subject and the shape of the run, then, as far as they
        # apply, what `yours` is, cold starts, the warm-up, profiles, the process that runs jobs,
        # private services, connections that have to wait, each thing that was dropped, what mohs
        # did not choose, and each restriction of the application that is ignored.
        #: () -> String
        def head
          lines = [subject, shape, *yours, *how, *cold_start, *warm_up, *profile, *worker,
                   *services, *crowding, *dropped, *omitted, *forbidden]
          lines.map { |line| "#{@style.wrap(line, indent: 2)}\n" }.join
        end

        # The whole plan, cohort by cohort, with the reason for each refused variant.
        #: () -> String
        def to_s = "#{head}\n#{Columns.new(rows)}#{refused}"

        private

        def subject
          subject = Subject.of(app: File.basename(@study.app), requested: Subject.requested(@study),
                               connections: @study.shared_connections)
          ["mohs #{VERSION}", subject, "seed #{@plan.seed}"].join(" · ")
        end

        # What `yours` is, unless another line says it.
        def yours
          variant = @study.variants.find { |one| one.ruby && yours?(one) }
          "#{Study::Notation::YOURS.inspect}: #{ruby_of(variant)}" if variant
        end

        # Names of variants begin with the Ruby as it was typed. A label may be any word.
        def yours?(variant)
          !variant.labelled && variant.name[/\A[^\s,]+/] == Study::Notation::YOURS
        end

        # With its JIT, if that is known: "4.0.5 with YJIT".
        def ruby_of(variant)
          jit = variant.jit_of_app
          [variant.ruby, *("with #{jit.upcase}" if jit)].join(" ")
        end

        # How a procedure spends its time, where that needs a line.
        def how = nil

        def estimate
          shared = " on #{@hosts} hosts" if @hosts > 1
          "#{Numbers.duration(@plan.estimate_s)}#{shared}"
        end

        def warm_up
          most_s = @study.warm_up_s
          after = " after its batches" if @study.cold_start
          given = "each server warms up for at most #{Numbers.duration(most_s)}#{after}" if most_s
          said = [*given, *compiling(most_s)]
          said.join("; ") if said.any?
        end

        # How long variants take that compile in the background: minutes, for each boot.
        def compiling(most_s)
          slow = able.select { |one| engine(one)::SLOW }
          return if slow.empty?

          short, enough = slow.partition { |one| most_s && most_s < cost_s(one) }
          [*until_warm(enough, most_s), *too_short(short)]
        end

        def until_warm(variants, most_s)
          return if variants.empty?

          times = variants.map do |one|
            "#{about(one)}, at most #{Numbers.duration(most_s || rule(one)[:cap_s])})"
          end
          "#{Numbers.list(times)}: each boot is loaded until its compilers are idle and its rate " \
            "is level"
        end

        def too_short(variants)
          return if variants.empty?

          "too short for #{Numbers.list(variants.map { |one| "#{about(one)})" })}: without " \
            "figures while the rate still rises"
        end

        def about(variant) = "#{variant.name} (about #{Numbers.rough_duration(cost_s(variant))}"

        def able = @study.variants.reject(&:refusal).select { |one| planned?(one) }

        def planned?(variant) = @plan.cohorts.any? { |one| one.variants.include?(variant.name) }

        def rule(variant) = engine(variant).warm_up(nil)

        def cost_s(variant) = engine(variant).cost(variant.flags, variant.ruby.to_s)[:warm_up_s]

        def engine(variant) = Rubies::Engines.named(variant.engine)

        def cold_start
          batches, requests = @study.cold_start&.to_a
          return unless batches

          "each server is recorded from its first request on: " \
            "#{Numbers.counted(batches, 'batch', 'batches')} of #{Numbers.whole(requests)}"
        end

        def profile
          "samples of the servers' stacks are taken, which makes them slower" if @study.profile
        end

        def worker
          command = @study.jobs&.worker
          "jobs are run by a process beside each server: #{command}" if command
        end

        def services
          asked = @study.services.to_a.map do |one|
            name = Services.fetch(one[:name])::TITLE
            one[:by] ? "#{name} (#{one[:by]} asks for it, and none is there)" : name
          end
          "each server has a private #{Numbers.list(asked)}" if asked.any?
        end

        # With the application's own configuration, its slots are known only after it has booted.
        # Streams need no thread each (Analysis::Run#crowding).
        def crowding
          return if @study.own_config || @study.streams

          able = @study.variants.reject { |one| one.refusal || one.rate }
          found = Analysis::ConnectionsExceedThreads.call(able.to_h do |one|
            [one.name, [@study.connections_of(one), one.slots]]
          end)
          found && Render.call(found)
        end

        def refused
          texts = @study.variants.filter_map(&:refusal_text)
          texts.map { |text| "#{@style.wrap("refused: #{text}", indent: 2)}\n" }.join
        end

        def dropped
          cuts = Render.dropped(@plan, @study.procedure)
          Render.left_out(cuts).map { |text| "left out: #{text}" }
        end

        # The variants that mohs left out where it chose them itself; nil: it did not.
        def omitted = nil

        def forbidden
          Array(@study.forbidden).group_by { |one| one[:why] }.map do |why, all|
            "measured anyway: #{names(all)}, although #{why} does not allow " \
              "#{all.one? ? 'it' : 'them'}"
          end
        end

        def names(omitted) = Wording.names(omitted.map { |one| one[:name] })

        # The rows of cohorts, below one of the columns' names: each with what it is part of, as the
        # block says.
        def cohorts
          @plan.cohorts.select(&:baseline).map do |cohort|
            [yield(cohort).to_s, Numbers.duration(cohort.estimate_s), cohort.variants.join(" · ")]
          end
        end
      end
    end
  end
end
