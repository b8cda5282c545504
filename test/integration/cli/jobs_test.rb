# frozen_string_literal: true

require "test_helper"

# mohs jobs as its user sees it: queues of Active Job, one of which runs a job twice.
class JobsCommandTest < Mohs::TestCase
  VARIANTS = { "right" => "async", "double" => "doubling" }.flat_map { |name, adapter|
    ["--variant", "#{name}::#{RUBY_VERSION}, puma:1x2, ADAPTER=#{adapter}"]
  }.freeze
  LIMIT_S = 600 # with the installation, and waiting for another mohs

  test "a queue is measured, one that runs jobs twice is invalid, and both are shown again" do
    with_files do |dir|
      mohs = Mohs::MohsCommand.new(dir, env: { "XDG_CACHE_HOME" => Mohs::AppProcess::CACHE })
      argv = ["jobs", Mohs::JobTrial::APP, *VARIANTS, "--count", "20", "--rounds", "1"]
      found = mohs.call(*argv, "--json", limit_s: LIMIT_S)
      document = found.json
      right, double = document[:rows]

      assert_equal 1, found.status.exitstatus, found.err
      assert_empty Mohs::JSONContract.new("In every document", "`run`").faults(document)
      assert_equal({ count: 20, worker: nil, api: nil, limit_s: 60 }, document[:jobs])
      assert_equal [["batches of 20 jobs"], 1], document.values_at(:requested, :connections)
      assert_equal %w[measured invalid], [right, double].map { |row| row[:state] }
      assert_match(/\A1 of 20 jobs .*more than once/, double[:reason])
      assert_operator right[:throughput_per_s][:value], :>, 0
      notes = document[:notes].map { |note| note[:text] }
      assert(notes.any? { |text| text.start_with?("Active Job (async): ") })

      shown = mohs.call("show", document[:run]).out
      rate = Mohs::Report::Numbers.figure(right[:throughput_per_s][:value] * 20)
      assert_match(/^variant +boot ms +jobs\/s/, shown)
      assert_match(/^right .* #{rate}/, shown)
    end
  end
end
