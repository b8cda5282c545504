# frozen_string_literal: true

require "test_helper"

# Who can reach the dashboard, and what a page of it may link to.
class WebTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-web"

  def web(**options) = Mohs::Web.new(Mohs::Web::Results.allocate, **options)

  test "this machine alone needs no token, every other address gets one" do
    %w[127.0.0.1 ::1 [::1] localhost].each { |bind| assert_nil web(bind:).token, bind }
    %w[0.0.0.0 192.168.0.7 :: box].each do |bind|
      assert_match(/\A[\w-]{32}\z/, web(bind:).token, bind)
    end
    refute_equal web(bind: "::").token, web(bind: "::").token
  end

  test "a token that is given is asked for anywhere, if it can't be guessed" do
    assert_equal "0123456789abcdef", web(token: "0123456789abcdef").token
    error = assert_raises(Mohs::UsageError) { web(token: "secret") }

    assert_said(error.message)
  end

  test "the address is one that a browser can open" do
    token = "0123456789abcdef"

    assert_equal "http://127.0.0.1:6647/", web.url
    assert_equal "http://[::1]:7/", web(bind: "::1", port: 7).url
    assert_equal "http://[::1]:7/", web(bind: "[::1]", port: 7).url
    assert_equal "http://localhost:6647/?token=#{token}", web(bind: "0.0.0.0", token:).url
  end

  test "hosts are own ones, or none" do
    own = ->(host, bind) { Mohs::Web::App.own?(host, bind) }

    assert own.call("localhost", "127.0.0.1")
    assert own.call("box.lan", "box.lan")
    refute own.call("box.lan", "0.0.0.0")
    refute own.call("10.0.0.1", "127.0.0.1")
    assert own.call("10.0.0.1", "0.0.0.0")
  end

  test "a link leads into this server, never by its path to another" do
    written = ->(href) { Mohs::Report::Html::Markup.write(Mohs::Report::Html::Markup.element(:a, href:)) }

    %w[/ /runs/7c1a /?app=%2Fsrv&page=2].each { |path| assert_includes written.call(path), "href" }
    ["//e.example", "/\\e.example", "javascript:alert(1)", "/x y", "/x\n", "x"].each do |path|
      assert_equal "<a></a>", written.call(path)
    end
  end

  test "what a path or a query has in it stays there" do
    assert_equal "a%2Fb%20%3Cc%3E", Mohs::Web::Page.segment("a/b <c>")
    assert_equal "/?app=%2Fsrv+x&page=2",
                 Mohs::Web::Page.path("/", app: "/srv x", state: nil, page: 2)
    assert_equal "/", Mohs::Web::Page.path("/", app: nil)
  end
end
