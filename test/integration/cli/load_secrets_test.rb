# frozen_string_literal: true

require "test_helper"

# `mohs load` of a server whose wrong answers quote the request.
class CLILoadSecretsTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Served

  SECRETS = %w[s3cr3t-auth s3cr3t-query s3cr3t-body].freeze
  QUOTE = "denied: POST /x?token=s3cr3t-query&a=1 Authorization: Bearer s3cr3t-auth " \
          "{\"password\":\"s3cr3t-body\"}"
  MASKED = "denied: POST /x?token=[secret]&a=1 Authorization: [secret] {\"password\":\"[secret]\"}"

  # Right answers until mohs has learned them.
  def quoting(good)
    count = 0
    answer = lambda do |_|
      right = (count += 1) <= good
      body = right ? "hello" : QUOTE
      "HTTP/1.1 #{right ? '200 OK' : '401 No'}\r\nContent-Length: #{body.bytesize}\r\n" \
        "Content-Type: text/plain\r\n\r\n#{body}"
    end
    with_files("b.json" => JSON.generate(user: "bob", password: "s3cr3t-body")) do |dir|
      served(answer) { |port| yield "http://127.0.0.1:#{port}", dir }
    end
  end

  def load_in(dir, url, *options)
    load(url, "-H", "Authorization: Bearer s3cr3t-auth", "--post", "/x?token=s3cr3t-query&a=1",
         "--body", "#{dir}/b.json", "-n", "30", "-c", "2", *options, dir:)
  end

  def assert_masked(text)
    SECRETS.each { |secret| refute_includes text, secret }
    assert_includes text, "[secret]"
  end

  test "the table and progress show no secret of a request" do
    quoting(6) do |url, dir|
      output = load_in(dir, url)

      assert_masked(output.out + output.err)
      assert_includes output.out.split.join(" "), "and began #{MASKED.inspect[0, 40]}"
    end
  end

  test "the document and the recording keep none" do
    quoting(6) do |url, dir|
      output = load_in(dir, url, "--json", "--raw", "#{dir}/out.mohs", "--quiet")

      assert_equal MASKED.inspect, output.json.dig(:errors, :first_wrong, :bytes)
      assert_masked(output.out)
      assert_masked(File.binread("#{dir}/out.mohs"))
    end
  end

  test "where they are because of a difference, too" do
    count = 0
    answer = lambda do |_|
      body = (count += 1) <= 6 ? "hello" : QUOTE
      "HTTP/1.1 200 OK\r\nContent-Length: #{body.bytesize}\r\n\r\n#{body}"
    end
    served(answer) do |port|
      json = load("http://127.0.0.1:#{port}", "-H", "Cookie: id=denied:", "-n", "30", "--json",
                  "--quiet").json
      check = json[:checks].find { |one| one[:name] == "answers" }

      assert_match(/differs at byte 0: "\[secret\]/, check[:detail])
    end
  end

  test "a refusal shows none" do
    quoting(0) do |url, dir|
      output = load_in(dir, url)

      assert_equal 1, output.status
      assert_masked(output.err)
      assert_includes output.err, "returned 401 No, \"denied: POST /x?token=[secret]&a=1"
    end
  end
end
