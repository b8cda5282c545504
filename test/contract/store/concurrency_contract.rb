# frozen_string_literal: true

require_relative "../../../benchmark/synthetic_records"

module Mohs
  module StoreContract
    # Several at once, and deaths at any moment.
    module Concurrency
      def self.define(base)
        base.include(self)
        base.class_eval(&TESTS)
      end

      TESTS = proc do
        test "a transaction keeps all or nothing, and who reads meanwhile does not wait" do
          store = open_store
          reader = open_store(busy_s: 0.01)
          run_id, id = claimed(store)
          assert_raises(RuntimeError) do
            store.transaction do
              store.start_trial(id, "a")
              assert_empty trials(reader, run_id)
              raise "we die here"
            end
          end
          assert_raises(Errno::ENOENT) { store.transaction { File.read("/no/such/file") } }

          assert_empty trials(store, run_id)
        end

        test "threads of one process wait for each other's transactions" do
          store = open_store
          _, id = claimed(store)
          entered = Thread::Queue.new
          writer = Thread.new do
            store.transaction do
              entered << store.start_trial(id, "a")
              sleep 0.1
            end
          end
          entered.pop

          assert store.heartbeat(id, "me")
          writer.join
        end

        test "several processes open a new store at once" do
          await(Array.new(6) { in_child { Store.open(@url).close } })

          assert_empty open_store.runs
        end

        test "several processes want the same cohorts: each has one holder" do
          store = open_store
          run_id = create_run(store, cohorts: 25)[:id]
          ids = store.cohorts(run_id).map { |cohort| cohort[:id] }
          close_stores
          with_files do |folder|
            files = Array.new(4) { |number| File.join(folder, "holder-#{number}") }
            await(files.map { |file| in_child { claim_all(ids, file) } })
            won = files.to_h { |file| [File.basename(file), File.readlines(file).map(&:to_i)] }

            assert_equal ids, won.values.flatten.sort
            holders = open_store.cohorts(run_id).group_by { |cohort| cohort[:token] }
            holders.each { |token, rows| assert_equal(won[token], rows.map { |row| row[:id] }) }
          end
        end

        test "killed while it writes, it leaves whole trials and started ones, never half ones" do
          store = open_store
          run_id, id = claimed(store)
          close_stores
          encoded = Core::Codec.encode(SyntheticRecords.new.take(2_000) * 20)
          4.times { |round| kill_while_writing(id, encoded, round) }
          store = open_store

          refute_empty trials(store, run_id)
          trials(store, run_id).each do |trial|
            records = Core::Codec.decode(store.observations(trial[:id])).bytesize / 32
            whole = trial[:state] == "measured"

            assert_equal [whole ? 3 : 0, whole ? 40_000 : 0], [trial[:slices].size, records]
          end
          assert_equal [id], store.release_stale(run_id, older_than_s: -1)
        end
      end

      private

      # Tries to claim all; notes the numbers of those it got in a file.
      def claim_all(ids, file)
        store = Store.open(@url)
        won = ids.select { |id| store.claim(id, File.basename(file)) }
        File.write(file, won.map { |id| "#{id}\n" }.join)
      end

      # The child says when it has begun; then it has some milliseconds more, each time others.
      def kill_while_writing(cohort_id, encoded, round)
        read, write = IO.pipe
        pid = in_child { write_for_ever(Store.open(@url), cohort_id, encoded, write) }
        write.close
        assert_equal "x", read.read(1)
        sleep 0.013 * round
        ::Process.kill(:KILL, pid)
        ::Process.wait(pid)
      ensure
        read.close
      end

      def write_for_ever(store, cohort_id, encoded, begun)
        loop do
          trial = store.start_trial(cohort_id, "a")
          begun.write("x")
          store.transaction do
            store.add_slices(trial, Array.new(3) { |index| { position: index } })
            store.add_observations(trial, encoded, 40_000)
            store.finish_trial(trial, state: "measured")
          end
        end
      end
    end
  end
end
