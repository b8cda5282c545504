# frozen_string_literal: true

require "test_helper"

# What a server says to the terminal of who measures it, by every way that it has.
class CLIHostileTextTest < Mohs::TestCase
  include Mohs::CLIHelper

  NAMED = ->(name: "native", **options) { Mohs::Drivers.fetch(name).new(**options) }
  # Without ends of lines, which would end a header.
  TEXT = Mohs::HostileText::TEXT.delete("\r\n\v\f\0\u0085\u2028\u2029").b.freeze

  def self.response(status: "200 OK", head: "", body: "ok")
    "HTTP/1.1 #{status}\r\n#{head}Content-Length: #{body.bytesize}\r\n\r\n".b + body.b
  end

  RESPONSES = {
    "its reason phrase" => response(status: "503 Gone#{TEXT}"),
    "a Location" => response(status: "302 Found", head: "Location: /login#{TEXT}\r\n"),
    "a type" => response(head: "Content-Type: text/html#{TEXT}\r\n"),
    "a cookie" => response(status: "500 No", head: "Set-Cookie: a#{TEXT}=1; path=/#{TEXT}\r\n"),
    "a title" => response(status: "500 No", body: "<title>Oh#{TEXT}</title>"),
    "a status line" => "HTTP/1.1 2x#{TEXT}\r\n\r\n".b,
    "what is no HTTP" => "SSH-2.0 #{TEXT}\r\n".b,
  }.freeze

  RESPONSES.each do |name, response|
    test "#{name} does not act upon the terminal" do
      Mohs::FakeServer.open(->(_) { [response, :close] }) do |server|
        output = mohs("load", "http://127.0.0.1:#{server.port}/", "-n", "4", driver: NAMED)

        refute_empty output.err
        refute_match Mohs::HostileText::FORBIDDEN, output.out + output.err
      end
    end
  end

  test "what only some responses have under load doesn't either" do
    wrong = self.class.response(status: "200 OK", body: "no#{TEXT}")
    script = ->(number) { number < 20 ? self.class.response : wrong }
    Mohs::FakeServer.open(script) do |server|
      output = mohs("load", "http://127.0.0.1:#{server.port}/", "-n", "40", driver: NAMED)

      assert_match(/wrong/, output.out)
      refute_match Mohs::HostileText::FORBIDDEN, output.out + output.err
    end
  end
end
