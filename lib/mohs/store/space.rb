# frozen_string_literal: true

module Mohs
  class Store
    # The part of Store that measures its size, deletes runs and gives the space back.
    # Experiment::Retention decides which runs may be deleted.
    module Space
      # The whole store: `bytes` of the database, number of `runs`, number of runs with observations
      # (`recorded`), and the bytes and requests of these observations.
      Size = Struct.new(:bytes, :runs, :recorded, :recordings_bytes, :requests,
                        keyword_init: true) do
        include Value
      end

      # One run: bytes of its observations, and of its observations and long texts together.
      Content = Struct.new(:recordings_bytes, :bytes, :requests, keyword_init: true) do
        include Value
      end

      # Columns with long values, by table.
      LONG = {
        runs: %i[study plan fingerprint provenance], cohorts: %i[spec host look],
        trials: %i[reason log_tail facts], slices: %i[errors facts], profiles: %i[data],
      }.freeze

      # Runs deleted in one transaction: another mohs waits for it about as long as for a cohort's
      # results.
      RUNS_AT_ONCE = 50

      # Why space is not given back, by the names of the driver's exceptions.
      HINDRANCES = { /Busy|Locked|LockNotAvailable/ => :busy, /Full/ => :disk_full }.freeze

      #: () -> Store::Space::Size
      def size
        watch do
          recorded = observed.values
          Size.new(bytes: database_bytes, runs: run_rows.count, recorded: recorded.size,
                   recordings_bytes: recorded.sum(&:first), requests: recorded.sum(&:last))
        end
      end

      # { id => the Content of that run }.
      #: (Array[Integer]) -> Hash[Integer, Store::Space::Content]
      def contents(run_ids)
        watch do
          recorded = observed(run_ids)
          texts = LONG.keys.map { |table| texts(table, run_ids) }
          run_ids.to_h do |id|
            bytes, requests = recorded.fetch(id, [0, 0])
            text = texts.sum { |sums| sums.fetch(id, 0) }
            [id, Content.new(recordings_bytes: bytes, bytes: bytes + text, requests:)]
          end
        end
      end

      # Deletes these runs and everything that belongs to them except points of histories; skips
      # runs that are being measured again. Returns the ids of the deleted runs.
      #: (Array[Integer]) -> Array[Integer]
      def delete_runs(run_ids)
        in_batches(run_ids) { |idle| run_rows.where(id: idle).delete }.tap { forget_packs }
      end

      # Deletes the observations of these runs in the same way.
      #: (Array[Integer]) -> Array[Integer]
      def delete_observations(run_ids)
        in_batches(run_ids) do |idle|
          trials = trial_rows.where(cohort_id: cohort_rows.where(run_id: idle).select(:id))
          observation_rows.where(trial_id: trials.select(:id)).delete
        end
      end

      # Gives the space of deleted rows back to the file system: SQLite rewrites the whole file;
      # PostgreSQL keeps most of the space for future rows. Returns nil, or why the space was not
      # given back: :busy (another process uses the store), :disk_full (SQLite needs the same space
      # again), :reused.
      #: () -> Symbol?
      def give_back
        @database.run("VACUUM")
        return :reused if postgres?

        @database.fetch("PRAGMA wal_checkpoint(TRUNCATE)").all
        nil
      rescue Sequel::DatabaseError => error
        names = [error, error.cause].compact.map { |link| link.class.name }
        _, why = HINDRANCES.find { |pattern, _| names.any?(pattern) }
        why or raise StoreError, "the space of deleted runs can't be given back: #{error.message}"
      end

      private

      def postgres? = @database.database_type == :postgres

      # { id => [bytes, requests] } of the observations of each run that has any.
      def observed(run_ids = nil)
        rows = of_runs(:observations).group(:run_id)
        rows = rows.where(run_id: run_ids) if run_ids
        sums = { bytes: Sequel.function(:length, :data), requests: :count }.map do |name, one|
          Sequel.function(:sum, one).as(name)
        end
        rows.select_map([:run_id, *sums]).to_h { |id, *found| [id, found.map(&:to_i)] }
      end

      # { id of a run => total length of its long columns in a table }.
      def texts(table, run_ids)
        length = LONG.fetch(table).map do |column|
          Sequel.function(:coalesce, Sequel.function(:length, Sequel[table][column]), 0)
        end
        id = table == :runs ? Sequel[:runs][:id] : :run_id
        rows = of_runs(table).where(id => run_ids).group(id)
        rows.select_map([id, Sequel.function(:sum, length.inject(:+)).as(:bytes)])
            .to_h.transform_values(&:to_i)
      end

      def of_runs(table)
        rows = @database[table]
        return rows if %i[runs cohorts].include?(table)

        rows = rows.join(:trials, id: :trial_id) unless table == :trials
        rows.join(:cohorts, id: Sequel[:trials][:cohort_id])
      end

      def in_batches(run_ids)
        run_ids.each_slice(RUNS_AT_ONCE).flat_map do |some|
          transaction do
            # A mohs that resumes one of these runs meanwhile waits: PostgreSQL would let both
            # proceed.
            held = cohort_rows.where(run_id: some).for_update.select_map(%i[run_id state])
            busy = held.filter_map { |id, state| id if state == "running" }
            (some - busy).tap { |idle| yield idle }
          end
        end
      end

      def database_bytes
        return @database.get(Sequel.lit(POSTGRES_BYTES)).to_i if postgres?

        pages, size = %w[page_count page_size].map { |name| @database.fetch("PRAGMA #{name}").get }
        pages * size
      end

      POSTGRES_BYTES = "(SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c " \
                       "WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace)"
      private_constant :POSTGRES_BYTES
    end
  end
end
