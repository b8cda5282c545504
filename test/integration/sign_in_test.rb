# frozen_string_literal: true

require "test_helper"

# A page behind a login, measured as its user sees it: each server has sessions of its own.
class SignInTest < Mohs::TestCase
  include Mohs::Leftovers

  APP = { "config.ru" => <<~'RUBY' }.freeze
    require "securerandom"
    KEY = SecureRandom.hex
    form = "<form action=/in method=post><input name=user><input type=password name=pw></form>"
    run lambda { |env|
      signed = env["HTTP_COOKIE"].to_s.include?(KEY)
      case [env["REQUEST_METHOD"], env["PATH_INFO"]]
      when %w[POST /in]
        right = env["rack.input"].read == "user=ann&pw=s3cret"
        cookie = right ? { "set-cookie" => "s=#{KEY}" } : {}
        [302, { "location" => right ? "/" : "/login", **cookie }, []]
      when %w[GET /login] then [200, { "content-type" => "text/html" }, [form]]
      else signed ? [200, {}, ["Hello, Ann"]] : [302, { "location" => "/login" }, []]
      end
    }
  RUBY

  ARGUMENTS = ["--variant", "a::#{RUBY_VERSION}", "--variant", "b::#{RUBY_VERSION}", "--rounds",
               "1", "--seed", "7", "--get", "/me", "--json"].freeze
  WAIT_S = 400

  # In a bundle with Puma.
  def with_app
    gemfile = File.read(File.join(Mohs.root, "apps/hello/Gemfile"))
    with_files(**APP, "Gemfile" => gemfile) { |dir| yield dir, Mohs::MohsCommand.new(dir) }
  end

  slow_test "with --login all servers answer as to their user, and the password is nowhere" do
    with_app do |dir, mohs|
      result = mohs.call(*ARGUMENTS, "--login", "ann:s3cret", limit_s: WAIT_S)
      document = result.json

      assert_equal %w[measured measured], (document[:rows].map { |row| row[:state] })
      told = document[:notes].find { |note| note[:name] == "answers" }[:text]
      assert_includes told, "signed in as ann at /login (user, pw)"
      refute_includes [result.out, result.err].join, "s3cret"
      stored = Dir[File.join(dir, "data/mohs/*.db*")].map { |path| File.binread(path) }.join
      refute_includes stored, "s3cret"
      assert_empty leftovers(dir)
    end
  end

  test "without it, and with a wrong password, it is told what to do" do
    with_app do |_, mohs|
      without = mohs.call(*ARGUMENTS, limit_s: WAIT_S)
      wrong = mohs.call(*ARGUMENTS, "--login", "ann:wr0ng", limit_s: WAIT_S)

      states = [without, wrong].map { |one| one.json[:rows].map { |row| row[:state] }.uniq }
      assert_equal [%w[refused]] * 2, states
      told = [without, wrong].map { |one| one.out.split.join(" ") }
      assert_includes told.first, "--login USER:PASSWORD"
      assert_includes told.last, "login_refused"
      refute_includes [wrong.out, wrong.err].join, "wr0ng"
    end
  end
end
