# frozen_string_literal: true

require "fileutils"
require "io/wait"

module Mohs
  module Cohort
    # Runs one cohort from its stored row, by its id, and only once at a time: claims the row, runs
    # the session, writes the results. No transaction is open while load runs.
    class Execution
      # How often the claim is renewed: a tenth of the silence after which the store considers a
      # runner dead.
      HEARTBEAT_S = Store::STALE_S / 10.0

      # setups: turn a study's variant into a Trial::Setup. blocks, emit, late: as for Session.
      # left_s: seconds that the run has left for the cohort, aim_s: those that it should take
      # (Procedure#aim_s); nil: no limit.
      # headroom, changes (nil: the application has no folder), data (of services; nil: there are
      # none): shared by the run. host: the name of this host in a fleet (nil: not in a fleet).
      # agents: opens an Agent::Link by Study#load_from.
      #: (store: Store, cohort_id: Integer, ?blocks: Integer?, ?left_s: Numeric?, ?aim_s: Numeric?, ?setups: Trial::Setups, ?emit: Proc, ?session: Class, ?lock: Process::MachineLock, ?headroom: Cohort::HeadroomProbe, ?changes: App::FolderChanges?, ?data: Trial::ServiceData?, ?late: ^(Array[String]) -> Array[String], ?host: String?, ?agents: ^(Study::LoadFrom) -> Agent::Link) -> void
      def initialize(store:, cohort_id:, blocks: nil, left_s: nil, aim_s: nil,
                     setups: Trial::Setups.new, emit: ->(**) {}, session: Session,
                     lock: Process::MachineLock.new, headroom: HeadroomProbe.new, changes: nil,
                     data: nil, late: ->(_cold) { [] }, host: nil,
                     agents: Agent::Link.method(:open))
        @store = store
        @host = host
        @agents = agents
        @cohort_id = cohort_id
        @blocks = blocks
        @left_s = left_s
        @aim_s = aim_s
        @setups = setups
        @emit = emit
        @session = session
        @lock = lock
        @headroom = headroom
        @changes = changes
        @data = data
        @late = late
        @token = Token.own
        @waited_s = 0.0
        @machine_lost = false
      end

      # False if another runner has the cohort. Whatever ends it early (an interrupt, too) queues
      # the cohort again; its trials stay as lost.
      #: () -> bool
      def call = Interruption.held { claimed? && execute }

      private

      def claimed? = @store.claim(@cohort_id, @token)

      def execute
        load_row
        with_heartbeat do
          measures? ? on_bench { with_agent { measure } } : measure
        end
        true
      ensure
        @store.release_stale(@run.id) { |token| token == @token } if @run
      end

      # Nobody has to wait for a cohort that only records refusals, nor does it wait for anybody.
      def measures? = still_tried.any? { |name| @study.variant(name).refusal.nil? }

      def measure = Process::ScratchFolder.with { |folder| run(folder) }

      # What it waits for its turn is told at the end of the run: announced times don't count it.
      def on_bench
        asked_ns = nil
        @lock.hold(**waiting { asked_ns = Clock.mono_ns }) do
          @queued_s = seconds_since(asked_ns)
          yield
        end
      end

      # What the lock calls while it is another one's. Yields once, when that begins.
      def waiting
        told = lambda do |holder|
          @emit.call(stage: :wait, holder: holder&.pid, user: holder&.user)
        end
        wait = lambda do |holder|
          yield
          told.call(holder)
        end
        { wait:, still: told }
      end

      # nil: it has not begun.
      def seconds_since(began_ns) = ((Clock.mono_ns - began_ns) / 1e9 if began_ns)

      # Gives those that wait for the machine their turn, while the servers are idle. What another
      # mohs does meanwhile is no disturbance, and the wait does not count (Store::Cohort#seconds).
      # With a machine that load comes from the turn is kept: who goes first here might wait for
      # that machine, which is reserved.
      def pass(watch)
        return if @agent

        asked_ns = nil
        mine = waiting { asked_ns = Clock.mono_ns }
        watch.except { Interruption.held { @lock.pass(**mine) } }
      rescue EnvironmentError
        @machine_lost = true
        raise
      ensure
        @waited_s += seconds_since(asked_ns).to_f
      end

      # One link per cohort: a machine that did not respond is asked again for the next cohort.
      def with_agent
        @agent = @study.load_from && Interruption.heard { @agents.call(@study.load_from) }
        Interruption.heard { reserve } if @agent
        yield
      ensure
        @agent&.close
      end

      # The machine that load comes from measures nothing else meanwhile.
      def reserve
        @agent.reserve do |holder|
          @emit.call(stage: :wait, holder: holder[:pid], user: holder[:user],
                     machine: holder[:machine])
        end
      end

      def load_row
        cohort = @store.cohort(@cohort_id)
        @run = @store.run(cohort.run_id)
        @study = @run.study
        @spec = against_stand_in(cohort.spec)
        @seed = @run.plan.seed + @spec.position
      end

      def run(folder)
        refused, fit = installed.partition(&:refusal)
        @deadline_ns, @aim_ns = [@left_s, @aim_s].map { |time_s| time_s && Clock.deadline(time_s) }
        watch = Doctor::Watch.new
        shield = Process::Shield.new if @study.shield
        trials, layout = measured_or_alone(fit, folder, shield:, pass: -> { pass(watch) })
        host = { **host(watch, layout, shield, trials), **load_from(trials, layout) }
        # Whoever has the machine now measures.
        empty_per_s = @headroom.call(trials, layout, agent: @agent) unless
          @machine_lost || @study.streams
        Writer.new(@store, apart: layout.apart?, empty_per_s:).call(trials) do
          refused.each { |variant| refuse(variant) }
          @store.finish_cohort(@cohort_id, "done", token: @token, host:)
        end
      end

      # Where a server failed in the warm-up of a wave, only what it does alone counts:
      # the cohort's servers are booted again, and warmed up one at a time.
      def measured_or_alone(variants, folder, **session)
        measure_trials(variants, folder, wave_size: wave_size(variants), **session)
      rescue Session::Disturbed => disturbed
        @emit.call(stage: :alone, variants: disturbed.variants)
        measure_trials(variants, folder, wave_size: 1, **session).tap do |trials, _|
          @warmed_alone = disturbed.failures.map do |name, failure|
            flawless = trials.any? { |one| one.name == name && flawless?(one) }
            { variant: name, errors: failure[:errors], reason: failure[:reason]&.to_s, flawless: }
          end
        end
      end

      def measure_trials(variants, folder, wave_size:, **session)
        able = variants.map(&:name)
        layout = Layout.for(@spec.scheme, able, cores: @study.cores, servers: servers(able),
                                                elsewhere: !@agent.nil?, wave_size:)
        trials = layout.places.each_with_index.map { |place, index| trial(place, index, folder) }
        @session.new(trials:, layout:, spec: @spec, seed: @seed, blocks: @blocks, emit: @emit,
                     late: @late, cold_start: @study.cold_start, recorded:,
                     last_load: last_load(layout), rates: @study.rates,
                     warm_up_s: @study.warm_up_s, requests: loading.requests,
                     slice_s: loading.slice_s, streams: @study.streams,
                     deadline_ns: @deadline_ns, aim_ns: @aim_ns,
                     cut_warm_ups: @study.procedure.cuts_warm_ups?(@spec), **session, **driver).call
        [trials, layout]
      end

      # Was it warmed up without a fault?
      def flawless?(trial)
        !trial.over? &&
          trial.samples.select { |one| one.block.nil? }.all? { |one| one.result.faults.empty? }
      end

      def last_load(layout)
        loading.last_load(@spec, seed: @seed, cpus: layout.driver_cpus, **driver)
      end

      def loading = @study.procedure.loading

      # Replaces the local driver.
      def driver
        streams = @study.streams
        return { driver: ->(**options) { StreamDriver.new(streams:, **options) } } if streams

        @agent ? { driver: @agent.driver } : {}
      end

      # The machine that load came from, and the network's round trip.
      def load_from(trials, layout)
        return {} unless @agent

        { load_from: { **@agent.facts,
                       round_trip: @headroom.round_trip(trials, layout, agent: @agent) } }
      end

      # The variants to measure, with their bundles installed: most of them were installed before
      # the run.
      def installed
        on_event = ->(stage, facts) { @emit.call(stage:, **facts) }
        installation = Trial::Installation.new(setups: @setups, on_event:)
        Interruption.heard do
          still_tried.map { |name| installation.of(@study, @study.variant(name)) }
        end
      end

      # The baseline is in each cohort of a round: its cold start is recorded in the first of them.
      def recorded
        return [] unless @study.cold_start

        same = @store.result(@run.id).cohorts.select { |cohort| cohort.round == @spec.round }
        same.flat_map(&:trials).select { |one| Analysis::ColdStart.recorded?(one) }
            .map(&:variant).uniq
      end

      # Servers of each variant in a duet, from the variants' boot times in this run or an earlier
      # one.
      def servers(names)
        took = @store.costs(@run.app, **@study.kind)
        took = took.slice(*names) if took.keys.intersect?(names)
        Plan::Scheme.servers(took.values.map { |cost| cost.slice(:boot_s, :warm_up_s).values.sum })
      end

      # How many warm up at once: one, once mohs's own load has made a server fail in this run, or
      # while one is still tried that failed alone, too: else each of its cohorts would be repeated.
      def wave_size(variants)
        names = variants.map(&:name)
        before = @store.cohorts(@run.id).flat_map(&:warmed_alone)
        return 1 if before.any? { |one| one[:flawless] || names.include?(one[:variant]) }

        Plan::Scheme.wave_size(@study, variants, scheme: @spec.scheme,
                                                 quota_cores: Doctor.allowance[:cores])
      end

      # The state of the host during the cohort: needed to interpret the figures.
      def host(watch, layout, shield, trials)
        outside = trials.flat_map { |trial| trial.outside.to_a }.uniq
        outside = nil if outside.empty?
        { **Doctor.record(watch), name: @host, apart: layout.apart?, shield: shield&.to_h,
          written: @changes&.call, outside:, warmed_alone: @warmed_alone,
          queued: (@queued_s && { seconds: @queued_s.round(3) }),
          waited_s: (@waited_s.round(3) if @waited_s.positive?) }.compact
      end

      # Only trials measured together are compared: so if the baseline turns out not to run, its
      # stand-in joins each cohort that has any variant to compare with it.
      def against_stand_in(spec)
        return spec if spec.baseline.nil? || (spec.variants - given_up).empty?

        name = Analysis::StandIn.call(@study, @store.outcomes(@run.id))
        name ? spec.against(name) : spec
      end

      # A variant whose server could not be run in an earlier cohort of this run is not tried again.
      def still_tried = @spec.variants - given_up

      def given_up = @store.given_up(@run.id)

      def trial(place, index, folder)
        name = place.variant
        random = Random.new(@seed + name.sum + index)
        setup = @setups.for(@study, @study.variant(name), random:)
        id = (@ids ||= {})[index] ||= @store.start_trial(@cohort_id, name)
        own = File.join(folder, id.to_s)
        FileUtils.rm_rf(own) # of a server that was disturbed
        FileUtils.mkdir_p(own)
        setup.trial_class.new(id:, setup:, folder: own, place:, spawner:, data: @data,
                              host: @agent&.listen)
      end

      def spawner = @spawner ||= Process::Spawner.new

      def refuse(variant)
        id = @store.start_trial(@cohort_id, variant.name)
        redact = Secrets::Redaction.new(@study.secrets)
        outcome = { state: "refused", reason: variant.refusal.map { |text| redact.call(text) },
                    log_tail: variant.refusal_log && redact.call(variant.refusal_log) }
        @store.finish_trial(id, outcome)
      end

      def with_heartbeat
        stop, over = IO.pipe
        beating = Thread.new { beat until wait(stop) }
        beating.name = "heartbeat"
        yield
      ensure
        over&.close
        beating&.join
        stop&.close
      end

      # If the store refuses one heartbeat, the next makes up for it; whether the claim still holds
      # is checked again when the results are written.
      def beat
        @store.heartbeat(@cohort_id, @token)
      rescue StoreError
        nil
      end

      # Waits until the next heartbeat is due; true at once if the other end of this pipe is closed.
      # (Queue#pop has no timeout before Ruby 3.2.)
      def wait(stop) = !stop.wait_readable(HEARTBEAT_S).nil?
    end
  end
end
