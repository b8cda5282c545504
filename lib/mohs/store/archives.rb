# frozen_string_literal: true

module Mohs
  class Store
    # The part of Store that exports runs to files and imports them.
    module Archives
      # The result of an import: the Store::Run, the `key` that the run has in the file, and whether
      # the run is new here (`added`).
      Import = Struct.new(:run, :key, :added, keyword_init: true) do
        include Value
      end

      # States that a killed mohs leaves behind, and what `resume` would make of them. A finished
      # run has none of these states.
      SETTLED = { cohort: { "running" => "queued" }, trial: { "started" => "lost" } }.freeze

      # Writes everything that the store has of a run, trial by trial. state: the run's real state,
      # which a mohs that was killed could not store.
      #: (Store::Run, ArchiveWriter, state: String) -> void
      def export_run(run, writer, state:)
        row = watch { run_rows.first(id: run.id) }
        writer.add(:run, { **row, state:, provenance: JSON.generate(exported(run.provenance)) })
        watch { cohorts_of(run.id).all }.each do |cohort|
          writer.add(:cohort, settled(:cohort, cohort))
          watch { trial_rows.where(cohort_id: cohort[:id]).order(:ordinal).all }.each do |trial|
            writer.add(:trial, settled(:trial, trial))
            export_trial(trial[:id], writer)
          end
        end
      end

      # Imports a run from a file, all or nothing: under its own key or, if another run here has
      # that key, under a new one. Yields the run as it will be stored; the block may reject it by
      # raising.
      #: (ArchiveReader) ?{ (Store::Run) -> void } -> Store::Archives::Import
      def import_run(archive, &)
        head = archive.verify
        attempts = 0
        begin
          attempts += 1
          add(archive, head, &)
        rescue StoreError => error
          raise unless error.cause.is_a?(Sequel::ConstraintViolation)

          # Another process was quicker to import the same file.
          retry if attempts == 1 && watch { !run_rows.where(key: head[:key].downcase).empty? }

          archive.wrong("its rows contradict each other")
        end
      end

      private

      def add(archive, head)
        key = head[:key].downcase
        transaction do
          there = same_run(head)
          next Import.new(run: there, key:, added: false) if there

          id = insert_all(archive, run_rows.where(key:).empty? ? key : free_key)
          run = loaded(archive, id)
          yield run if block_given?
          Import.new(run:, key:, added: true)
        end
      end

      # An exported file does not say that the run was itself imported.
      def exported(provenance) = provenance.except(:imported)

      def settled(kind, row)
        { **row, state: SETTLED.fetch(kind).fetch(row[:state], row[:state]) }
      end

      def export_trial(trial_id, writer)
        slices = watch { slice_rows.where(trial_id:).order(:id).all }
        slices.each { |slice| writer.add(:slice, slice) }
        parts = watch { observation_rows.where(trial_id:).order(:part).select_map(:part) }
        parts.each do |part|
          writer.add(:observations, watch { observation_rows.first(trial_id:, part:) })
        end
        profile = profile(trial_id)
        writer.add(:profile, { data: profile }) if profile
      end

      # Returns the stored run that began in the same millisecond, with the same study, on the same
      # machine; nil if there is none.
      def same_run(head)
        rows = run_rows.where(created_ms: head[:created_ms]).all
        found = rows.find do |row|
          %i[study fingerprint].all? do |name|
            JSON.parse(row[name], symbolize_names: true) == head[name]
          end
        end
        found && Run.of(Runs::ROW.unpack(found))
      end

      # Returns the id of the run.
      def insert_all(archive, key)
        ids = {}
        archive.each do |kind, row|
          row = row.to_h { |name, value| [name, stored(value)] }
          case kind
          when :run then ids[:run] = run_rows.insert(**row, key:, **derived(row))
          when :cohort then ids[:cohort] = cohort_rows.insert(**row, run_id: ids[:run])
          when :trial then ids[:trial] = trial_rows.insert(**row, cohort_id: ids[:cohort])
          when :slice then slice_rows.insert(**row, trial_id: ids[:trial])
          when :observations then insert(ids[:trial], row[:part], row[:count], row[:data])
          when :profile then add_profile(ids[:trial], row[:data])
          end
        end
        ids.fetch(:run)
      end

      def stored(value) = value.is_a?(Hash) ? JSON.generate(value) : value

      # Marks a run as imported: imported runs are never resumed (Experiment#resume).
      def derived(row)
        provenance = JSON.parse(row[:provenance])
        { provenance: JSON.generate({ **provenance, imported: { key: row[:key], at_ms: now_ms } }),
          procedure: Procedure.kind(JSON.parse(row[:study], symbolize_names: true))::NAME }
      end

      # Rejects a study or plan that can't be read: it would break every `mohs list`.
      def loaded(archive, id)
        result(id)
      rescue *MALFORMED => error
        archive.wrong("it can't be read (#{error.class})")
      end
    end
  end
end
