# frozen_string_literal: true

require "test_helper"

# A real application with a history, and one commit in it that made it much slower.
class BisectSlowTest < Mohs::TestCase
  APP = <<~RUBY
    # %<commit>d
    run lambda { |_env|
      i = 0
      i += 1 while i < %<turns>d
      [200, { "content-type" => "text/plain" }, ["ok"]]
    }
  RUBY

  test "the commit that doubled a request's cost is found around one that does not boot" do
    with_files do |dir|
      theirs = Mohs::GitRepository.new("#{dir}/app")
      ids = (0..5).map do |commit|
        text = format(APP, commit:, turns: commit >= 4 ? 20_000 : 0)
        theirs.commit("config.ru" => commit == 2 ? "raise 'broken'\n" : text)
      end
      output = Mohs::MohsCommand.new(dir).call("bisect", ids.first, "main", "--app", theirs.dir,
                                             "--json", limit_s: 300)

      assert_predicate output.status, :success?, output.err
      found, steps = output.json.values_at(:found, :steps)
      assert_equal ids[4], found[:id]
      assert_includes steps.map { |step| step[:verdict] }, "skipped"
      assert_equal steps.size, steps.map { |step| step[:run] }.uniq.size
    end
  end
end
