# frozen_string_literal: true

require "test_helper"

class ServerUrlTest < Mohs::TestCase
  include Mohs::Screens

  GOOD = {
    "http://127.0.0.1:3000" => ["127.0.0.1", 3000], "http://localhost:3000/" => ["127.0.0.1", 3000],
    "http://127.1.2.3" => ["127.1.2.3", 80], "http://[::1]:3000" => ["::1", 3000],
    "HTTP://127.0.0.1:3000" => ["127.0.0.1", 3000],
  }.freeze

  BAD = [
    "http://example.org", "http://10.0.0.1:80", "http://127.0.0.1.example.org",
    "http://xlocalhost", "http://1.127.0.0.1", "http://localhost.example.org", "http://",
    "https://127.0.0.1", "ftp://127.0.0.1", "http://127.0.0.1/posts", "http://127.0.0.1:80/?a=1",
    "http://localhost:3000/a#b", "http://me:pw@127.0.0.1", "http://127.0.0.1:x",
    "http://127.0.0.1:99999", "http://127.0.0.1:0",
  ].freeze

  GOOD.each_with_index do |(text, parts), index|
    test "reads address #{index + 1}, #{text}" do
      url = Mohs::Study::ServerUrl.parse(text)

      assert_equal parts, url.to_a
      assert_equal url, Mohs::Study::ServerUrl.parse(url.to_s)
    end
  end

  test "any other address is refused with what is wrong" do
    told = BAD.to_h do |text|
      error = assert_raises(Mohs::UsageError) { Mohs::Study::ServerUrl.parse(text) }
      assert_operator error.message, :start_with?, text
      [text, error.message]
    end
    assert_told "mistakes-addresses", told
  end
end
