# frozen_string_literal: true

require_relative "../../../benchmark/synthetic_records"

module Mohs
  module StoreContract
    # A run as a file, out of one store and into another.
    module Archives
      def self.define(base) = base.class_eval(&TESTS)

      TESTS = proc do
        test "a run that was exported is the same in this store after it was deleted" do
          store = open_store
          run = exported_run(store)
          before = store.result(run.id)
          with_archive(store, run) do |file|
            raw { |database| database[:runs].delete }
            import = store.import_run(Store::ArchiveReader.new(file))
            after = store.result(import.run.id)

            assert_equal [true, run.key], [import.added, import.run.key]
            assert_predicate after, :imported?
            refute_predicate before, :imported?
            assert_equal comparable(before), comparable(after)
            trial = after.trials.first.id
            assert_equal 300, Load::Recording.decode(store.observations(trial)).size
            assert_equal "wait", Profile.load(store.profile(trial)).stacks.keys.first.first
          end
        end

        test "a run that another database recorded is shown as it was there" do
          to = open_store
          %w[6bf5 8853].each do |key|
            with_recorded do |from|
              run = from.result(from.run(key).id)
              with_archive(from, run) do |file|
                import = to.import_run(Store::ArchiveReader.new(file))
                shown = [run, to.result(import.run.id)].map do |one|
                  JSON.generate(Report::Model.build(Analysis::Run.new(one)))
                end
                assert_equal(*shown)
              end
            end
          end
        end

        test "what an imported run took is no estimate for runs here" do
          store = open_store
          run = exported_run(store)
          refute_empty store.costs(run.app, **run.study.kind)
          with_archive(store, run) do |file|
            raw { |database| database[:runs].delete }
            store.import_run(Store::ArchiveReader.new(file))
            assert_empty store.costs(run.app, **run.study.kind)
          end
        end

        test "the same run is found again, and another with its key gets a new one" do
          store = open_store
          run = exported_run(store)
          with_archive(store, run) do |file|
            again = store.import_run(Store::ArchiveReader.new(file))
            assert_equal [false, run.key, 1], [again.added, again.run.key, store.runs.size]

            raw { |database| database[:runs].update(created_ms: 7) }
            other = store.import_run(Store::ArchiveReader.new(file))
            assert_equal [true, run.key, 2], [other.added, other.key, store.runs.size]
            refute_equal run.key, other.run.key
          end
        end

        test "of two that import the same file at once, one adds it and the other finds it" do
          store = open_store
          other = open_store
          with_archive(store, exported_run(store)) do |file|
            raw { |database| database[:runs].delete }
            reader = -> { Store::ArchiveReader.new(file) }
            inside = Thread::Queue.new
            first = Thread.new do
              store.import_run(reader.call) { (inside << true) && sleep(0.2) }
            end
            inside.pop
            second = other.import_run(reader.call)

            assert_equal [true, false], [first.value.added, second.added]
            assert_equal [first.value.run.id] * 2, [second.run.id, *store.listed.map(&:id)]
          end
        end

        test "what is refused at its end leaves no trace" do
          store = open_store
          run = exported_run(store)
          with_archive(store, run) do |file|
            raw { |database| database[:runs].delete }
            reader = Store::ArchiveReader.new(file)
            assert_raises(KeyError) { store.import_run(reader) { raise KeyError } }
            assert_raises(StoreError) { store.import_run(reader) { reader.wrong("no") } }
            tables = %i[runs cohorts trials slices observations profiles]
            assert_equal [0] * 6, raw { |database| tables.map { |name| database[name].count } }
          end
        end

        test "a file whose rows contradict each other is refused" do
          store = open_store
          run = exported_run(store)
          lines = with_archive(store, run) { |file| Zlib.gunzip(File.binread(file)).lines }
          twice = lines.insert(2, lines.find { |line| line.start_with?('{"cohort"') })
          raw { |database| database[:runs].delete }
          with_files do |folder|
            file = File.join(folder, "x.mohs")
            File.binwrite(file, Archived.pack(twice))
            error = assert_raises(StoreError) { store.import_run(Store::ArchiveReader.new(file)) }
            assert_match(/rows contradict/, error.message)
          end
          assert_empty store.runs
        end

        private

        def with_recorded(&) = Object.new.extend(RecordedDocuments).with_store(&)

        # With all that a store can have of one.
        def exported_run(store)
          run_id, cohort_id = claimed(store)
          trial = store.start_trial(cohort_id, "a, \u{1f600}")
          store.add_slices(trial, [{ block: nil, position: 0, good: 5, errors: { reset: 1 } },
                                   { block: 0, position: 1, good: 7, cpu_ns: 9, pulse: { a: 1 } }])
          encoded = Core::Codec.encode(SyntheticRecords.new.take(300))
          store.add_observations(trial, encoded, 300)
          store.add_profile(trial, Profile.new(profiler: "stackprof", sampler_us: 1,
                                               frames: [Profile::Frame.new("a", "b.rb", 1)],
                                               stacks: { ["wait", [0]] => 5 }).dump)
          store.finish_trial(trial, { state: "measured", log_tail: "line\n", boot_ns: 2**40,
                                      latency: { count: 300, p50_ns: 1.5 } })
          store.finish_trial(store.start_trial(cohort_id, "b"), { state: "failed", reason: "why" })
          store.finish_cohort(cohort_id, :done, host: { steal_share: 0.01 })
          store.finish_run(run_id, :finished)
          store.run(run_id)
        end

        def with_archive(store, run, **options)
          with_files do |folder|
            file = File.join(folder, "x.mohs")
            File.open(file, "wb") do |io|
              writer = Store::ArchiveWriter.new(io, **options)
              store.export_run(run, writer, state: run.state)
              writer.finish
            end
            yield file
          end
        end

        # Everything but numbers of rows, claims, and how it came here.
        def comparable(value)
          case value
          when Struct, Hash
            value.to_h.except(:id, :run_id, :cohort_id, :trial_id, :token, :heartbeat_ms, :imported)
                 .transform_values { |item| comparable(item) }
          when Array then value.map { |item| comparable(item) }
          else value
          end
        end
      end
    end
  end
end
