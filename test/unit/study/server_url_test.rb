# frozen_string_literal: true

require "test_helper"

class ServerUrlTest < Mohs::TestCase
  GOOD = {
    "http://127.0.0.1:3000" => ["127.0.0.1", 3000], "http://localhost:3000/" => ["127.0.0.1", 3000],
    "http://127.1.2.3" => ["127.1.2.3", 80], "http://[::1]:3000" => ["::1", 3000],
    "HTTP://127.0.0.1:3000" => ["127.0.0.1", 3000],
  }.freeze

  BAD = {
    "http://example.org" => "not this machine", "http://10.0.0.1:80" => "not this machine",
    "http://127.0.0.1.example.org" => "not this machine",
    "http://xlocalhost" => "not this machine", "http://1.127.0.0.1" => "not this machine",
    "http://localhost.example.org" => "not this machine", "http://" => "",
    "https://127.0.0.1" => "behind the TLS proxy", "ftp://127.0.0.1" => "only http://",
    "http://127.0.0.1/posts" => "Did you mean http://127.0.0.1 with --get /posts?",
    "http://127.0.0.1:80/?a=1" => "Did you mean http://127.0.0.1 with --get /?a=1?",
    "http://localhost:3000/a#b" => "Did you mean http://localhost:3000 with --get /a?",
    "http://me:pw@127.0.0.1" => "no place here", "http://127.0.0.1:x" => "invalid address",
    "http://127.0.0.1:99999" => "99999 is not", "http://127.0.0.1:0" => "0 is not",
  }.freeze

  GOOD.each_with_index do |(text, parts), index|
    test "reads address #{index + 1}, #{text}" do
      url = Mohs::Study::ServerUrl.parse(text)

      assert_equal parts, url.to_a
      assert_equal url, Mohs::Study::ServerUrl.parse(url.to_s)
    end
  end

  BAD.each_with_index do |(text, message), index|
    test "refuses address #{index + 1}, #{text}" do
      error = assert_raises(Mohs::UsageError) { Mohs::Study::ServerUrl.parse(text) }

      assert_includes error.message, message
      assert_operator error.message, :start_with?, text
    end
  end
end
