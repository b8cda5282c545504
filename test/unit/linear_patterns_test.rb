# frozen_string_literal: true

require "test_helper"
require "timeout"

# Text of servers, applications, gems and access logs is read by patterns. Whoever writes that text
# must not decide how long this takes: a pattern that tries each place of a text anew from each of
# its places needs minutes for what is below, one that reads it once a moment.
class LinearPatternsTest < Mohs::TestCase
  RUBY = Struct.new(:name, :engine).new("3.4.5", "ruby")

  GUARD_S = 60
  BYTES = 1_000_000
  FORMATS = Mohs::App::Traffic::Formats

  def self.page(body) = Mohs::Http::Reply.new(status: 200, reason: "", headers: {}, body: body.b)

  def self.redirect(to)
    Mohs::Http::Reply.new(status: 302, reason: "", headers: { "location" => [to] }, body: "")
  end

  # Of a Rails log: the patterns see a line cut to what is read at once.
  def self.rails(text)
    FORMATS::Rails.new.read(Mohs::App::Traffic::Lines.new(StringIO.new(text.b))) { nil }
  end

  # What a load generator has printed, perhaps as a file of somebody else's.
  def self.printed(tool, text)
    output = Mohs::Drivers::Peer::Output.new(tool:, stdout: text)
    Mohs::Drivers.fetch(tool).new(targets: [Mohs::Importers::Shared::Summary::TARGET])
                 .figures(output)
  rescue Mohs::Error
    nil # it is no output of the tool
  end

  PRINTED = %w[ab wrk h2load].to_h do |tool|
    [tool, File.read(File.expand_path("../fixtures/drivers/#{tool}.txt", __dir__))]
  end

  ROOT = Mohs::App::Request.build(path: "/")

  # What reads a text => the text's beginning, what is repeated in it, its end.
  READERS = {
    "a title that never ends, for a terminal" =>
      [->(text) { Mohs::Printable.call(text) }, ["", "\u009d", ""]],
    "ends of lines, for a terminal" => [->(text) { Mohs::Printable.call(text) }, ["", "\r", "x\n"]],
    "signs in Markdown" =>
      [->(text) { Mohs::Report::Markdown.escape(text) }, ["", "_]#1:a", "("]],
    "backticks of code in Markdown" =>
      [->(text) { Mohs::Report::Markdown.code(text) }, ["", "` ", ""]],
    "tags in a page's title" => [->(text) { page(text).title }, ["", "<title", "></h1>"]],
    "titles in a page" => [->(text) { page(text).title }, ["", "<title>", "</h1>"]],
    "spaces in a page's title" => [->(text) { page(text).title }, ["<title>", " ", "x</h1>"]],
    "the fields of a page" =>
      [->(text) { Mohs::App::LoginPageCheck.of(ROOT, page(text)) }, ["", "<input ", "type=x"]],
    "a field's attributes" =>
      [->(text) { Mohs::App::LoginPageCheck.of(ROOT, page(text)) }, ["<input", " type ", "="]],
    "a Location" =>
      [->(text) { Mohs::App::Redirect.path(ROOT, redirect(text)) }, ["/", "a", "/##.jpg"]],
    "a line of a backtrace" =>
      [->(text) { Mohs::LogExcerpt.of(text) }, ["", "/gems/a", ":1:on\n"]],
    "the message of a log" =>
      [->(text) { Mohs::LogExcerpt.reason(text) }, ["", "a:1:in x: (A::", ")\n"]],
    "a log with a known trouble" =>
      [->(text) { Mohs::App::KnownErrors.explain(log: text) },
       ["", "ConnectionNotEstablished (", " fail"]],
    "a log of services that are away" =>
      [->(text) { Mohs::App::KnownErrors.explain(log: text) },
       ["", "Trilogy::A (Mysql2::Error::ConnectionError (Can't ECONNREFUSED ", "Redis"]],
    "a log of gems in C" =>
      [->(text) { Mohs::App::KnownErrors.explain(log: text) },
       ["", "version `GLIBC_2' not found (required by symbol lookup error: a.s\n", "o"]],
    "a message that continues" =>
      [->(text) { Mohs::LogExcerpt.reason(text) }, ["", "a:1: (A) a:1: x: ", ":\n"]],
    "a Rails log's last line" =>
      [->(text) { Mohs::LogExcerpt.refusal(text) }, ["", "[a]\n a at a:", "x\n"]],
    "a derivation of Bundler" =>
      [->(text) { Mohs::App::Bundle::Failure.explain(text, RUBY) },
       ["", "Could not find compatible versions\nBecause a depends on Ruby 2\n", "x"]],
    "the conflicts of an old Bundler" =>
      [->(text) { Mohs::App::Bundle::Failure.explain(text, RUBY) },
       ["", "could not find compatible versions for gem \"a\":\n  In a:\n\n", "x"]],
    "a git repository in Bundler's log" =>
      [->(text) { Mohs::App::Bundle::Failure.explain(text, RUBY) },
       ["", "Git error: command `git a:\n", "fatal: "]],
    "an old conflict about Ruby" =>
      [->(text) { Mohs::App::Bundle::Failure.explain(text, RUBY) },
       ["", "conflicting requirements for the Ruby  version:\n  In Gemfile:\n a\n", "Ruby  (x"]],
    "a page with a known trouble" =>
      [->(text) { Mohs::App::KnownErrors.explain(answer: page(text)) },
       ["", "ConnectionNotEstablished (", " fail"]],
    "the log of Bundler" =>
      [->(text) { Mohs::App::Bundle::Failure.explain(text, RUBY) },
       ["", "a-1", " requires ruby version x\n"]],
    "a file that Bundler misses" =>
      [->(text) { Mohs::App::Bundle::Failure.outside(text, "/app") },
       ["", "No such file or directory @ a - ", "/x\n"]],
    "a backtrace of Bundler" =>
      [->(text) { Mohs::App::Bundle::Failure.tail(text) }, ["", "a at /", ":x\n"]],
    "the tags of a Rails log" =>
      [->(text) { rails(text) },
       ["", "[", " Started GET \"/\" for ::1 at 2026-01-01"]],
    "the beginning of a request in a Rails log" =>
      [->(text) { rails(text) }, ["", " Started GET \"", "\" for a"]],
    "the end of a request in a Rails log" =>
      [->(text) { rails(text) }, ["", "Completed 200 ", " in 1 m"]],
    "the fields of a lograge line" =>
      [->(text) { FORMATS::Lograge.new.entry(text) }, ["\"method\"}", "{", ""]],
    "what ab says of failures" => [->(text) { printed("ab", text) }, [PRINTED["ab"], " (", ""]],
    "how many requests wrk had" => [->(text) { printed("wrk", text) }, ["", "9", " requests\n"]],
    "what wrk says of errors" =>
      [->(text) { printed("wrk", text) }, [PRINTED["wrk"], "Socket errors: ", ""]],
    "how many requests h2load had" =>
      [->(text) { printed("h2load", text) }, ["requests: ", "9", " total\n"]],
    "the query of an address" =>
      [->(text) { Mohs::Secrets.in_addresses(text) { "" } }, ["", "?key", ""]],
  }.freeze

  READERS.each do |name, (reader, (first, unit, last))|
    test "#{name}: as long as the text, not as its square" do
      text = "#{first}#{unit * (BYTES / unit.bytesize)}#{last}"
      reached = Timeout.timeout(GUARD_S) { reader.call(text) || true }

      assert reached
    end
  end
end
