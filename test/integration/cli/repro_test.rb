# frozen_string_literal: true

require "test_helper"

# mohs repro as its user sees it, on servers that do as they are told.
class ReproTest < Mohs::TestCase
  CLAIMS = <<~YAML
    title: Servers that do as they are told
    source: {authors: [A. Author], year: 2023, title: A post}
    sizes: {quick: {rounds: 1}, full: {rounds: 9}}
    claims:
      - {text: Both are alike, place: p. 1, equal: {of: one, to: other, margin: 50 %}}
      - {text: Refusing is slow, place: p. 2, order: {less: refusing, than: one}}
      - {text: It scales, place: p. 3, needs: {cores: 100000}, bound: {of: one, to: other, above: 2}}
      - {text: Old Rubies are slow, place: p. 4, order: {less: old, than: one}}
  YAML
  STUDY = <<~YAML
    variants:
      - "one::#{RUBY_VERSION}, mock"
      - "other::#{RUBY_VERSION}, mock"
      - "refusing::#{RUBY_VERSION}, mock, MOHS_MOCK_FAULT=refuse, MOHS_MOCK_AFTER=1"
      - "old::1.8.7, mock"
  YAML
  FILES = { "mine/config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n", "mine/study.yml" => STUDY,
            "mine/published.yml" => CLAIMS }.freeze

  test "a study of one's own is measured, judged, and shown again" do
    with_files(FILES) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      found = mohs.call("repro", "./mine", "--quick", "--json").json
      claims = found[:claims].to_h { |claim| [claim[:text], claim] }

      assert_equal %w[undecided not_testable not_testable not_testable],
                   claims.values.map { |claim| claim[:judgement] }
      assert_operator claims["Both are alike"][:value], :>, 0
      assert_match(/1 round, an interval needs 3/, claims["Both are alike"][:reason])
      assert_match(/refusing can't run here: /, claims["Refusing is slow"][:reason])
      assert_equal "1.8.7 is not installed", claims["Old Rubies are slow"][:reason]
      assert_equal({ published: 4, measured: 2 }, found[:levels])

      again = mohs.call("repro", "./mine", "--resume", "--json").json
      assert_equal found.slice(:run, :claims), again.slice(:run, :claims)
      assert_includes mohs.call("show", found[:run]).out, "refusing"
    end
  end
end
