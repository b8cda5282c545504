# frozen_string_literal: true

module Mohs
  class Store
    # Runs that leave the store as a file, and come into one: that part of a store.
    module Archives
      # What became of an import: the Store::Run, the `key` that the file has for it, and whether it
      # is new here (`added`).
      Import = Struct.new(:run, :key, :added, keyword_init: true) do
        include Value
      end

      # What a mohs that was killed leaves: as `resume` would put it right. A finished run has none.
      SETTLED = { cohort: { "running" => "queued" }, trial: { "started" => "lost" } }.freeze

      # Writes all that the store has of a run, trial by trial. state: the run's real one, which a
      # mohs that was killed could not store.
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

      # Reads a run from a file, all or nothing: under its own key or, if that is another run's
      # here, under a new one. The block gets it as it will be stored, and may refuse it by raising.
      #: (ArchiveReader) ?{ (Store::Run) -> void } -> Store::Archives::Import
      def import_run(archive, &)
        head = archive.verify
        attempts = 0
        begin
          attempts += 1
          add(archive, head, &)
        rescue StoreError => error
          raise unless error.cause.is_a?(Sequel::ConstraintViolation)

          # Somebody who imports the same file was quicker.
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

      # Whoever exports it need not know how it came here.
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

      # Begun at the same millisecond, with the same study, on the same machine.
      def same_run(head)
        rows = run_rows.where(created_ms: head[:created_ms]).all
        found = rows.find do |row|
          %i[study fingerprint].all? do |name|
            JSON.parse(row[name], symbolize_names: true) == head[name]
          end
        end
        found && Run.of(Runs::ROW.unpack(found))
      end

      # The number of the run.
      def insert_all(archive, key)
        ids = {}
        archive.each do |kind, row|
          row = row.to_h { |name, value| [name, stored(value)] }
          case kind
          when :run then ids[:run] = run_rows.insert(**row, key:, provenance: marked(row))
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

      # What came from elsewhere is never run here (Laboratory#resume).
      def marked(row)
        provenance = JSON.parse(row[:provenance])
        JSON.generate({ **provenance, imported: { key: row[:key], at_ms: now_ms } })
      end

      # A study or plan that can't be read would stand in the way of every `mohs list`.
      def loaded(archive, id)
        result(id)
      rescue *MALFORMED => error
        archive.wrong("it can't be read (#{error.class})")
      end
    end
  end
end
