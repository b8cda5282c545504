# frozen_string_literal: true

require "test_helper"

module Mohs
  # The process of a worker that measures a run's cohorts; a shell plays it.
  class FleetCohortRunnerProcessTest < TestCase
    include Leftovers

    def with_process(script)
      with_files do |folder|
        process = Fleet::RunProcess.new(7, host: "a", folder:, argv: ["sh", "-c", script])
        yield process
      ensure
        process&.close
      end
    end

    test "one process answers for each cohort" do
      with_process("while read -r id; do echo \"$id by-$$\"; done") do |process|
        said = [3, 4].map { |id| process.measure(id) }

        assert_match(/\Aby-\d+\z/, said.first)
        assert_equal 1, said.uniq.size
        assert_equal [7, true], [process.run_id, process.alive?]
      end
    end

    test "one that has ended is an error with its last lines, and so is the next cohort" do
      with_process("read -r id; echo 3 half; echo 'no space' >&2; read -r id; exit 3") do |process|
        assert_equal "half", process.measure(3)
        2.times do
          error = assert_raises(Error) { process.measure(4) }
          assert_equal "cohort 4: exit 3: no space\n", error.message
        end
        refute_predicate process, :alive?
      end
    end

    test "a line that is no answer is an error, and never taken for that of another cohort" do
      with_process("read -r id; echo a line of some library; echo $id done; " \
                   "while read -r id; do echo $id done; done") do |process|
        error = assert_raises(Error) { process.measure(3) }
        assert_equal 'cohort 3: mohs run-cohort answered a line of some library, not "3 OUTCOME"',
                     error.message
        assert_raises(Error) { process.measure(4) }
      end
    end

    # What the shell leaves in its folder at its end.
    CLEANS_UP = "trap 'rm database' EXIT; touch database; while read -r id; do echo $id done; done"

    test "one without work removes its files before it is ended" do
      with_files do |dir|
        with_process("cd #{dir}; #{CLEANS_UP}") do |process|
          process.measure(3)
          assert_path_exists File.join(dir, "database")
          2.times { process.close }

          refute_path_exists File.join(dir, "database")
          refute_predicate process, :alive?
        end
      end
    end

    test "one that has not answered is not waited for" do
      with_files do |dir|
        script = "cd #{dir}; read -r id; echo other; read -r id; sleep 1; touch waited"
        with_process(script) do |process|
          assert_raises(Error) { process.measure(3) }
          process.close

          refute_path_exists File.join(dir, "waited")
        end
      end
    end

    test "who waits no longer ends it" do
      with_process("read -r id; sleep 600") do |process|
        error = assert_raises(Error) { process.measure(3) { true } }

        assert_equal "cohort 3: killed by SIGKILL: ", error.message
      end
    end

    test "it gives back what is under way when it is told to" do
      with_process("trap 'echo given back >&2; exit 143' TERM; echo 3 ready; read -r id; " \
                   "while :; do sleep 0.1; done") do |process|
        process.measure(3)
        error = assert_raises(Error) { process.measure(4) { process.give_back && false } }

        assert_equal "cohort 4: exit 143: given back\n", error.message
      end
    end
  end
end
