# frozen_string_literal: true

require "test_helper"

# Applications that answer correctly at first and wrongly under load, on a real Puma.
class WrongAnswersTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Served

  APPS = File.join(Mohs.root, "test/fixtures/apps")
  ENVIRONMENT = { "XDG_CACHE_HOME" => Mohs::AppProcess::CACHE }.freeze
  SHARED = /\Athe\ application\ shares\ state\ .*:\ .*\ wrong\ with\ \d\ conn
            .*,\ none\ of\ \d+\ one\ at\ a\ time;\ GET\ \/\ differs\ at\ byte\ \d+:\ "/x

  test "threads that share state are named as the reason, and processes as the way out" do
    document = run_of("unsafe", ["threads::#{RUBY_VERSION}, puma:1x5",
                                 "processes::#{RUBY_VERSION}, puma:2x1"])
    rows = document[:rows]
    threads, processes = %w[threads processes].map do |name|
      rows.find { |row| row[:variant] == name }
    end

    assert_equal %w[invalid measured], [threads[:state], processes[:state]]
    assert_match SHARED, threads[:reason]
    assert_match(/: puma:2x1\z/, threads[:reason])
    assert_equal 0, processes[:errors][:total]
    assert(document[:notes].any? { |note| note[:text].start_with?("only threads answers wrongly") })
  end

  slow_test "a comparison ends with that reason" do
    verdict = run_of("unsafe", ["#{RUBY_VERSION}, puma:1x5", "#{RUBY_VERSION}, puma:2x1"],
                     command: "compare")[:verdict]

    assert_equal "invalid", verdict[:outcome]
    assert_match(/shares state .*threads/, verdict[:reasons].first)
  end

  slow_test "a worker that alone answers wrongly is told from the others" do
    with_files do |dir|
      variant = "#{RUBY_VERSION}, puma:2x1, CLAIM=#{dir}/claim"
      row = run_of("one_worker", [variant])[:rows].first

      assert_equal "invalid", row[:state]
      assert_match(/\A1 of 2 workers answers wrong \(pid \d+\), .*"Hullo" instead of "Hello"/,
                   row[:reason])
    end
  end

  test "a load of a server that is not ours says what it saw" do
    lines = []
    answer = lambda do |_|
      lines = []
      2.times { |number| lines.push(number) && sleep(0.001) }
      body = lines.join(" ")
      "HTTP/1.1 200 OK\r\nContent-Length: #{body.size}\r\n\r\n#{body}"
    end
    served(answer) do |port|
      result = load("http://127.0.0.1:#{port}/", "-c", "4", "-n", "200", "--json")
      check = result.json[:checks].find { |one| one[:name] == "answers" }

      assert_equal [1, "answers.at_once", 4, 0],
                   [result.status, check[:code],
                    *check[:values].values_at(:connections, :alone_wrong)]
      assert_match(/\Aright .*, wrong at once: /, check[:detail])
    end
  end

  private

  def run_of(app, variants, command: "run")
    with_files do |dir|
      named = command == "run" ? variants.flat_map { |one| ["--variant", one] } : variants
      rounds = ["--rounds", "1"] if command == "run"
      arguments = [*named, *rounds, "--app", File.join(APPS, app), "--json"]
      return Mohs::MohsCommand.new(dir, env: ENVIRONMENT).call(command, *arguments).json
    end
  end
end
