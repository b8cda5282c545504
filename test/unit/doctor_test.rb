# frozen_string_literal: true

require "test_helper"

# The doctor on this very machine, however busy it is.
class DoctorTest < Mohs::TestCase
  test "all checks are made, with what the sentinel saw" do
    results = Mohs::Doctor.examine(seconds: 0.2, lock: Mohs::FreeMachine.new)

    assert_equal Mohs::Analysis::Host.names, results.map(&:member)
    results.first(3).each { |result| refute_equal :unknown, result.severity, result }
  end

  test "noise for a cohort's record is plain data, without a sentinel" do
    record = Mohs::Doctor.record(Mohs::Doctor::Watch.new)

    assert_equal record, JSON.parse(JSON.generate(record), symbolize_names: true)
    assert_empty record[:against].map { |row| row[:level] } - %w[warn bad]
    refute_includes Mohs::Doctor.noise(Mohs::Doctor::Watch.new).map(&:member), "gaps"
  end

  test "what is changed is kept in the folder for state" do
    with_files do |home|
      env = { "XDG_STATE_HOME" => "#{home}/state" }
      FileUtils.mkdir_p("#{home}/state/mohs")
      File.write("#{home}/state/mohs/doctor.json", "[]")
      assert_empty Mohs::Doctor.fixes(env:).undo
    end
  end
end
