# frozen_string_literal: true

require "test_helper"

# mohs repro, of a study with profiles, on real servers whose work is known.
class SharesOfServersTest < Mohs::TestCase
  APP = File.join(Mohs.root, "test/fixtures/apps/costs")
  STUDY = <<~YAML
    app: #{APP}
    profile: true
    variants:
      - "line::#{RUBY_VERSION}, puma:1x1, COST=line"
      - "objects::#{RUBY_VERSION}, puma:1x1, COST=objects"
    connections: 1
    rounds: 3
  YAML
  PUBLISHED = <<~YAML
    title: Servers whose work is known
    source: {authors: [A. Author], year: 2023, title: A post}
    claims:
      - {text: Most of it is the line, place: p. 1, share: {of: line, category: application, above: 50 %}}
      - {text: Objects are collected, place: p. 2, order: {more: objects, than: line, category: GC}}
      - {text: The line takes more than the server, place: p. 3, order: {more: application, than: server, in: line}}
  YAML
  FILES = { "mine/study.yml" => STUDY, "mine/published.yml" => PUBLISHED,
            "mine/notes.md" => "" }.freeze

  test "shares of the CPU time are where it is known to go, and mohs explain has the methods" do
    with_files(FILES) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      found = mohs.call("repro", "./mine", "--json", limit_s: 900)
      document = found.json

      assert_equal %w[agrees agrees agrees], document[:claims].map { |one| one[:judgement] },
                   found.err
      assert_equal [["line", 3], ["objects", 3]],
                   document[:shares].map { |one| one.values_at(:variant, :trials) }
      sums = document[:shares].map { |one| one[:categories].sum { |part| part[:share] } }
      assert(sums.all? { |sum| sum.between?(0.9, 1.1) })
      again = mohs.call("repro", "./mine", "--resume", "--json").json
      assert_equal document[:shares], again[:shares]
      assert_match(/^profile +samples of the servers' stacks were taken/,
                   mohs.call("show", document[:run]).out)
      explained = mohs.call("explain", document[:run], "--json").json
      assert_includes explained[:profile][:categories].map { |one| one[:name] }, "GC"
    end
  end
end
