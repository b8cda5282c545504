# frozen_string_literal: true

require "json"

module Mohs
  # Everything declared, planned and measured, in an SQLite file or in PostgreSQL: the only part of
  # mohs that outlives a process. Methods take Hashes with Symbol keys (docs/store.md lists the
  # keys) and return frozen structs: Store::Run, Cohort, Trial and Slice. A database error is raised
  # as StoreError.
  class Store
    # Turns what other parts of mohs pass (Structs, Symbols, logs with invalid bytes) into what JSON
    # and both databases can store: Hashes with Symbol keys, Arrays, Strings in valid UTF-8 without
    # NUL, numbers, booleans and nil.
    module Plain
      module_function

      #: (untyped) -> untyped
      def call(value)
        case value
        when nil, true, false, Integer, Float then value
        when String, Symbol, Reason then text(value.to_s)
        when Array then value.map { |item| call(item) }
        when Hash, Struct then value.to_h { |key, item| [key.to_sym, call(item)] }
        else raise ArgumentError, "a #{value.class} cannot be stored: #{value.inspect}"
        end
      end

      # PostgreSQL rejects NUL, JSON rejects anything but UTF-8; a server's log may contain both.
      #: (String) -> String
      def text(string)
        utf8 = string.dup.force_encoding(Encoding::UTF_8)
        return utf8 if utf8.valid_encoding? && !utf8.include?("\0")

        utf8.scrub("\u{FFFD}").delete("\0")
      end
    end

    # How a table's rows map to the Hashes that Store's methods take and return: which columns hold
    # JSON, and whether keys without a column of their own are stored as JSON in the column `facts`,
    # so that a new fact needs no migration. Those keys come back below :facts.
    class Row
      #: (columns: Array[Symbol], ?json: Array[Symbol], ?facts: bool) -> void
      def initialize(columns:, json: [], facts: false)
        @columns = columns
        @json = json
        @facts = facts
      end

      # Hash (or Struct) to row. The row has only the keys given, so this serves updates too.
      #: (untyped) -> Hash[Symbol, untyped]
      def pack(values)
        values = Plain.call(values)
        row = values.slice(*@columns, *@json)
        @json.each { |column| row[column] &&= JSON.generate(row[column]) }
        others = values.except(*@columns, *@json)
        return row if others.empty?
        raise ArgumentError, "no column for #{others.keys.join(', ')}" unless @facts

        facts = (others.delete(:facts) || {}).merge(others)
        row.merge(facts: JSON.generate(facts))
      end

      # Row to Hash.
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def unpack(row)
        @json.each { |column| row[column] &&= parse(row[column]) }
        row[:facts] = row[:facts] ? parse(row[:facts]) : {} if @facts
        row
      end

      private

      def parse(text) = JSON.parse(text, symbolize_names: true)
    end

    include Runs
    include Listings
    include Cohorts
    include Trials
    include Observations
    include Points
    include Fleet
    include Packs
    include Archives
    include Space

    # A runner sends a heartbeat every few seconds; one silent for this long is considered dead.
    STALE_S = 30

    # Opens the store at `url` (postgres://..., sqlite://FILE or a path), else at MOHS_DATABASE_URL,
    # else in the user's data folder. Creates or migrates it if needed.
    #: (?String?, ?env: Hash[String, String], ?clock: untyped, ?busy_s: Numeric) -> Store
    def self.open(url = nil, env: ENV.to_h, clock: nil, busy_s: Watch::BUSY_S)
      location = Location.new(url, env)
      watch = Watch.new(location, busy_s: busy_s)
      database = watch.watch { Connection.new(location).open }
      new(database, watch: watch, clock: clock)
    end

    # clock: its real_ms gives the times of all rows. nil: the database's clock if several hosts
    # share the database, since their clocks may differ, else this machine's.
    #: (Sequel::Database, watch: Watch, clock: untyped) -> void
    def initialize(database, watch:, clock:)
      @database = database
      @watch = watch
      @clock = clock
    end

    # Seconds that earlier trials of this application took, by variant, for estimating the plan of a
    # study of the same kind (Study#kind).
    #: (String, **untyped) -> Hash[String, Hash[Symbol, Float]]
    def costs(app, **kind)
      watch { Costs.new(@database).of(app, **kind) }
    end

    # The whole run except its observations: its cohorts, their trials and the trials' slices, in
    # four queries. known: the result of an earlier call, from which the trials of cohorts that were
    # done then are taken: they stay as they are. (Cohorts are read before trials: those of a cohort
    # that is done are all written.)
    #: (Integer, ?known: Store::Run?) -> Store::Run
    def result(run_id, known: nil)
      had = known ? known.cohorts.select(&:done?).to_h { |one| [one.id, one.trials] } : {}
      watch do
        cohorts = cohorts(run_id)
        trials = loaded_trials(run_id, except: had.keys).group_by(&:cohort_id).merge(had)
        cohorts = cohorts.map { |one| one.with(trials: trials.fetch(one.id, [])) }
        run(run_id).with(cohorts:)
      end
    end

    # Writes all of the block's rows or none. A cohort's trials are written in one transaction,
    # after load has stopped: a report sees the whole cohort or none of it, and a killed mohs leaves
    # trials that are started, never half-written ones.
    #: [T] () { (Object) -> T } -> T
    def transaction(&block) = watch { @database.transaction(&block) }

    #: () -> void
    def close = @database.disconnect

    # Is it shared by several hosts?
    #: () -> bool
    def shared? = @database.database_type == :postgres

    # Milliseconds since 1970.
    #: () -> Integer
    def now_ms
      return (@clock || Clock).real_ms if @clock || !shared?

      @database.get(Sequel.lit("(extract(epoch FROM clock_timestamp()) * 1000)::bigint"))
    end

    # Yields the database to a job engine that keeps its own tables beside ours.
    #: [T] () { (Sequel::Database) -> T } -> T
    def beside = watch { yield @database }

    private


    def watch(&block) = @watch.watch(&block)

    # A row as a frozen struct: shared by Store::Run, Cohort, Trial and Slice. `Members` builds one
    # from a row's Hash; a key without a member is left out.
    module Record
      include Value

      # A copy with some members replaced.
      #: (**untyped) -> Store::Record
      def with(**changes)
        copy = dup
        changes.each { |name, value| copy[name] = value }
        copy.freeze
      end

      # The class methods of a record.
      module Members
        # row: its keys below :facts count as keys of the row. others: override the row's values.
        #: (Hash[Symbol, untyped], **untyped) -> Store::Record
        def of(row, **others)
          known = { **row[:facts].to_h, **row }.slice(*members).compact
          new(**self::EMPTY, **known, **others)
        end
      end
    end

    # One execution of a study, as stored: `key` is what people type ("7c1a"); `state` planned,
    # running, finished, interrupted or failed; `study` a Study; `plan` a Plan; `fingerprint` of the
    # host; `provenance` { seed:, argv:, invocation:, versions: }; `label` the user's name for the
    # run (nil: none); `answer` the run's result in one sentence (nil: none yet); `cohorts`
    # [Store::Cohort] if Store#result loaded it, else empty.
    class Run < Struct.new(:id, :key, :state, :app, :created_ms, :finished_ms, :study, :plan,
                           :fingerprint, :provenance, :label, :answer, :cohorts,
                           keyword_init: true)
      include Record
      extend Record::Members

      EMPTY = { fingerprint: {}.freeze, provenance: {}.freeze, cohorts: [].freeze }.freeze

      #: (Hash[Symbol, untyped], **untyped) -> Store::Run
      def self.of(row, **others)
        super(row, study: Study.from_h(row[:study]), plan: Plan.from_h(row[:plan]), **others)
      end

      #: () -> bool
      def running? = state == "running"

      #: () -> bool
      def finished? = state == "finished"

      # Was it imported from a file of another store?
      #: () -> bool
      def imported? = provenance.key?(:imported)

      # Seconds from its start to its end; nil while it runs.
      #: () -> Float?
      def seconds = finished_ms && ((finished_ms - created_ms) / 1000.0)

      # The trials of all cohorts.
      #: () -> Array[Store::Trial]
      def trials = cohorts.flat_map(&:trials)
    end

    # A run as it appears in a list; `variants` are names.
    Listing = Struct.new(:id, :key, :state, :app, :created_ms, :finished_ms, :label, :answer,
                         :variants, keyword_init: true) do
      include Value

      #: () -> bool
      def running? = state == "running"

      #: () -> bool
      def finished? = state == "finished"
    end

    # One cohort of a run: `spec` is its Plan::CohortSpec; `state` queued, running, done or failed;
    # `host` the state of the host during the cohort; `look` what the procedure decided after it, as
    # plain data that stays (Procedure#looks; nil: nothing); `trials` [Store::Trial] if Store#result
    # loaded it.
    class Cohort < Struct.new(:id, :run_id, :position, :round, :state, :token, :heartbeat_ms,
                              :started_ms, :finished_ms, :spec, :host, :look, :trials,
                              keyword_init: true)
      include Record
      extend Record::Members

      EMPTY = { host: {}.freeze, trials: [].freeze }.freeze

      #: (Hash[Symbol, untyped], **untyped) -> Store::Cohort
      def self.of(row, **others) = super(row, spec: Plan::CohortSpec.new(**row[:spec]), **others)

      #: () -> bool
      def queued? = state == "queued"

      #: () -> bool
      def running? = state == "running"

      #: () -> bool
      def done? = state == "done"

      # Seconds from its first server's start to its end, without the wait for another mohs; nil
      # until it has ended.
      #: () -> Float?
      def seconds
        began_ms = trials.map(&:started_ms).compact.min || started_ms
        finished_ms && began_ms && (((finished_ms - began_ms) / 1000.0) - host.to_h[:waited_s].to_f)
      end

      # Seconds for which it waited for other mohs, before it began and within it.
      #: () -> Float
      def waiting_s = host.to_h.dig(:queued, :seconds).to_f + host.to_h[:waited_s].to_f

      # CPU time shares and other numbers recorded about the host, by name.
      #: () -> Hash[Symbol, Numeric]
      def noise = host.select { |_, value| value.is_a?(Numeric) }

      # The fleet's host that measured it; nil without a fleet.
      #: () -> String?
      def host_name = host[:name]

      # The doctor's objections to the host (Doctor.record); nil if it was not checked.
      #: () -> Array[Hash[Symbol, untyped]]?
      def against = host[:against]

      # Did the driver have a core of its own? nil: not recorded.
      #: () -> bool?
      def apart = host[:apart]

      # What changed in the application's folder since the run was started or resumed
      # (App::FolderChanges#call); [] if nothing changed or it was not checked.
      #: () -> Array[{ path: String, change: String, bytes: Integer }]
      def written = host[:written].to_a

      # Files outside the application's folder that its servers had open for writing
      # (Probes::OpenFiles); [] if there were none.
      #: () -> Array[String]
      def outside = host[:outside].to_a

      # The machine that load came from (Agent::Link#facts), with the network delay between it and
      # this machine; nil: load came from this machine.
      #: () -> Hash[Symbol, untyped]?
      def load_from = host[:load_from]

      # What the shield did (Process::Shield#to_h); nil if none was requested.
      #: () -> Hash[Symbol, untyped]?
      def shield = host[:shield]

      # The variants whose servers failed in a warm-up with others beside them, and were warmed up
      # again alone, with what had failed (Cohort::Session::Disturbed) and whether that went without
      # a fault; [] if there were none.
      #: () -> Array[{ variant: String, errors: Hash[Symbol, Integer], reason: String?, flawless: bool }]
      def warmed_alone = host.to_h[:warmed_alone].to_a
    end

    # A host that measures for others: its `name`; its `fingerprint`; the `queues` that it works on;
    # the id of the `cohort` that it is measuring (nil: none); the `version` of its mohs; the
    # Cohort::Token of its worker; and how long it has been silent.
    class Host < Struct.new(:name, :fingerprint, :queues, :cohort, :version, :token, :silent_s,
                            keyword_init: true)
      include Record
      extend Record::Members

      EMPTY = { fingerprint: {}.freeze, queues: [].freeze }.freeze

      # A worker reports every SEEN_S seconds. If it is silent for SILENT_S, it or its network is
      # gone.
      SEEN_S = 2.0
      SILENT_S = 10.0

      #: () -> bool
      def silent? = silent_s > SILENT_S

      # Does its mohs read and write what this one does?
      #: () -> bool
      def same_version? = version == VERSION
    end

    # Who holds a cohort (`state`, `token`, `heartbeat_ms`: see Store::Cohort) of which run, and the
    # state of that: what a mohs can read of a row that another version has written.
    Claim = Struct.new(:run_id, :run_state, :state, :token, :heartbeat_ms, keyword_init: true) do
      include Value

      # Does anything remain to be measured?
      #: () -> bool
      def open? = %w[queued running].include?(state)

      # Does its run wait for it?
      #: () -> bool
      def wanted? = %w[planned running].include?(run_state)
    end

    # An attempt to measure a cohort on a host: its start and end by the database's clock; `outcome`
    # done, given_back or failed (nil: in progress, or its process is gone); `reason` of a failure.
    class Attempt < Struct.new(:id, :cohort_id, :host, :token, :started_ms, :ended_ms, :outcome,
                               :reason, keyword_init: true)
      include Record
      extend Record::Members

      EMPTY = {}.freeze

      # Has it not ended?
      #: () -> bool
      def open? = outcome.nil?

      # Did it bring no result, since it failed or died? One that is under way counts, too.
      #: () -> bool
      def spent? = open? || outcome == "failed"
    end

    # One trial of a server. `state` is started, measured, refused, failed, invalid or lost, with
    # its Reason and `log_tail`; `boot_ns` the time to the first correct response. A server that
    # served also has: `attested` (Probes::Attestation), `memory` { at_end: { rss_bytes:, .. }, ..,
    # peak_rss_bytes: }, `checks` (Checks.call), `latency` { count:, p50_ns:, .., max_ns: },
    # `connections` { asked:, opened:, lost:, served: }, `answers` [App::Answer], `notes` [Hash],
    # `cores` that it had, `worker` the number of the driver thread that loaded it, `warm_up`,
    # `versions`, `front` { cpu_ns:, requests:, memory_bytes: } of whatever stands in front of the
    # server, `readings` [Store::Reading], `found` the result of the procedure's last
    # load (Loading#last_load); each nil or empty if not recorded. `slices` [Store::Slice].
    class Trial < Struct.new(:id, :cohort_id, :ordinal, :variant, :state, :reason, :log_tail,
                             :started_ms, :boot_ns, :requests, :attested, :memory, :checks,
                             :latency, :connections, :answers, :notes, :cores, :worker,
                             :warm_up, :specimen, :versions, :front, :readings, :services, :found,
                             :slices, keyword_init: true)
      include Record
      extend Record::Members

      # States after which a variant is not tried again in the run.
      GIVEN_UP = %w[refused invalid].freeze

      # Checks that are invalid by what happened to the load generator: the next boot may be right.
      BY_CHANCE = %w[little_law].freeze

      # The code of a check of a server whose rate still rose.
      RISING = "steady.rising"

      # One server in a hundred only seems to get faster. Seconds of a warm-up that is not too long
      # to be repeated for that; in what share of boots it may have been chance, and in one.
      ONCE_MORE_S = 60
      BY_CHANCE_SHARE = 0.1

      # States of a server that was tried but gave no figures, the worst first.
      WITHOUT_FIGURES = %w[invalid failed refused].freeze

      # Codes of the reasons why a setting that the study is about is not what was asked for: the
      # next boot would be no different, and the other variants would have nothing to be compared
      # with.
      SAME_JIT = "same_jit"
      UNMET = [SAME_JIT, *%w[jit_differs mn_threads_differs invokedynamic_differs]].freeze

      EMPTY = { attested: {}.freeze, memory: {}.freeze, connections: {}.freeze, checks: [].freeze,
                notes: [].freeze, services: [].freeze, slices: [].freeze }.freeze

      #: (Hash[Symbol, untyped], **untyped) -> Store::Trial
      def self.of(row, **others)
        answers = row.dig(:facts, :answers)&.map do |answer|
          App::Answer.new(**answer.slice(*App::Answer.members), kind: answer[:kind]&.to_sym)
        end
        readings = row.dig(:facts, :readings).to_a.map { |reading| Reading.of(reading) }.freeze
        reason = Reason.restore(row.dig(:facts, :reason_parts), row[:reason])
        super(row, answers:, readings:, reason:, **others)
      end

      # Is it chance that the rates of so many boots of a variant still rose?
      #: (Integer, Integer) -> bool
      def self.rise_by_chance?(rose, boots) = rose <= [1, BY_CHANCE_SHARE * boots].max

      #: () -> bool
      def measured? = state == "measured"

      #: () -> bool
      def refused? = state == "refused"

      # Did it end because mohs ended, or because another trial of its cohort failed?
      #: () -> bool
      def lost? = state == "lost"

      # Did it end by itself, without figures, after load had begun?
      #: () -> bool
      def ended_under_load? = WITHOUT_FIGURES.include?(state) && slices.any?

      # Did it end because a setting is not what was asked for?
      #: () -> bool
      def unmet? = UNMET.include?(reason&.code)

      # Would the variant end the same way again? Not if the load generator was stopped, and nothing
      # else spoiled its figures.
      #: () -> bool
      def given_up? = GIVEN_UP.include?(state) && !by_chance?

      # Is all that is wrong with it that its rate still rose?
      #: () -> bool
      def still_rose? = spoiled_by? { |check| check[:code] == RISING }

      # Did it perhaps only seem to, and is its warm-up short enough to be repeated?
      #: () -> bool
      def once_more? = still_rose? && warm_up.to_h.fetch(:seconds, 0) <= ONCE_MORE_S

      # Did chance spoil its figures?
      #: () -> bool
      def by_chance? = spoiled_by? { |check| BY_CHANCE.include?(check[:name]) }

      # The slices that figures are computed from.
      #: () -> Array[Store::Slice]
      def measured_slices = Slice.measured(slices)

      private

      # Is each check that made it invalid one for which the block holds?
      def spoiled_by?(&)
        spoiling = checks.select { |check| check[:level] == state }
        spoiling.any? && spoiling.all?(&)
      end
    end

    # What the kernel and the server's own processes report at one moment of rest, summed over the
    # processes that serve: before the first block (`block` nil) and after each block (its number).
    # `sent` and `good` count the measured requests so far. `kernel` and `inside` { name => number }
    # hold the figures of Analysis::Measures, without those that are unknown; `inside` is nil if a
    # process did not answer.
    Reading = Struct.new(:block, :sent, :good, :kernel, :inside, keyword_init: true) do
      include Value

      #: (Hash[Symbol, untyped]) -> Store::Reading
      def self.of(row) = new(**row.slice(*members))

      # How much a counter of the kernel's figures rose from the first of these to the last; nil:
      # unknown.
      #: (Array[Store::Reading], Symbol) -> Integer?
      def self.rise(readings, name)
        first, last = readings.values_at(0, -1).map { |one| one&.kernel.to_h[name] }
        last - first if first && last
      end
    end

    # A stretch of load on one trial (Load::StepResult explains most members). `block` is nil if
    # nothing was measured; `half` is the half of the machine that the server ran on; `pulse` what
    # the driver's threads measured about themselves. `at_pace` { metric => log } is not stored:
    # Analysis::SpeedAdjustment sets the terms to add to the logarithms of the slice's metrics.
    class Slice < Struct.new(:id, :trial_id, :block, :position, :started_ns, :wall_ns, :span_ns,
                             :sent, :completed, :good, :bytes, :latency_sum_ns, :p50_ns, :max_ns,
                             :cpu_ns, :driver_cpu_ns, :errors, :half, :pulse, :connections,
                             :streams, :at_pace, keyword_init: true)
      include Record
      extend Record::Members

      EMPTY = {}.freeze

      # Returns the measured slices, which are those of a block. Slices that warmed the servers up
      # or equalized them have no block. Accepts anything with :block: stored slices, a trial's
      # samples, hashes.
      #: (Array[untyped]) -> Array[untyped]
      def self.measured(slices) = slices.select { |slice| slice[:block] }

      # Error classes are Strings; parsing the column's JSON turned them into Symbols.
      #: (Hash[Symbol, untyped], **untyped) -> Store::Slice
      def self.of(row, **others)
        super(row, errors: row[:errors].to_h.transform_keys(&:to_s), **others)
      end
    end
  end
end
