# frozen_string_literal: true

require "test_helper"

class GateStudyFileTest < Mohs::TestCase
  def pages(text)
    with_files("study.yml" => text) do |folder|
      return Mohs::Study::File.load(File.join(folder, "study.yml"))[:gates]
    end
  end

  test "the pages of gates are requests with limits" do
    text = "gates:\n  - get: /a\n    limits: cpu < 2%\n  - post: /b\n    name: order\n" \
           "    limits: [p50 < 3%, memory < 5%]\n    headers: {Accept: text/html}\n"
    one, two = pages(text)

    assert_equal ["GET /a", ["cpu < +2%"]], [one.name, one.limits.map(&:to_s)]
    assert_equal ["order", "POST", { "Accept" => "text/html" }, ["p50 < +3%", "memory < +5%"]],
                 [two.name, two.request.method, two.request.headers, two.limits.map(&:to_s)]
    assert_equal ["GET /a"], pages("gates: {get: /a}").map(&:name)
  end

  test "a study file without gates declares no pages" do
    assert_nil pages("rounds: 3")
  end
end
