# frozen_string_literal: true

require "test_helper"

# A history as its user makes it, on servers that do as they are told.
class TrackTest < Mohs::TestCase
  include Mohs::Leftovers

  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  MOCK = "#{RUBY_VERSION}, mock".freeze
  POINT = ["track", "hello", MOCK, "--app", "shop", "--budget", "12s", "--seed", "3"].freeze

  slow_test "points are added, each against the same commit, and drawn" do
    with_files do |dir|
      theirs = Mohs::GitRepository.new(File.join(dir, "shop"))
      theirs.commit(APP)
      theirs.git("tag", "v1")
      mohs = Mohs::MohsCommand.new(dir)
      first = mohs.call(*POINT, "--against", "@v1, #{MOCK}", "--json")
      assert_ran first.status, first.err
      theirs.commit("later" => "1")
      theirs.git("tag", "--force", "v1") # it moves; the reference does not
      second = mohs.call(*POINT, "--json")

      assert_ran second.status, second.err
      contract = Mohs::JSONContract.new("In every document", "`run`", "`compare`")
      assert_empty contract.faults({ **second.json, rows: [], history: nil })
      assert_history mohs, [first, second].map { |one| one.json[:run] }
      assert_empty leftovers(dir, 5)
    end
  end

  private

  def assert_history(mohs, runs)
    history = mohs.call("history", "hello", "--json").json
    points = history[:points]

    assert_equal runs, points.map { |point| point[:run] }
    assert_equal 2, points.map { |point| point[:commit][:id] }.uniq.size
    assert_equal [0, 0], points.map { |point| point[:commit][:changes] }
    assert(points.all? { |point| point[:effect]&.positive? || point[:reason] })
    assert_equal [{ name: "hello", points: 2 }], mohs.call("history", "--json").json[:tracks]
  end
end
