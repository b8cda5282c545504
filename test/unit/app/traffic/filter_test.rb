# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class Traffic
      class FilterTest < TestCase
        include Screens

        # The golden file of its sentences (Screens#assert_said).
        SAID = "said-app-traffic"

        def reason(target = "/a", method: "GET", status: 200, writes: false, assets: false, **rest)
          Filter.new(writes:, assets:).reason(Entry.new(method:, target:, status:, **rest))
        end

        test "successful reads are kept" do
          [200, 204, 206, 304].each { |status| assert_nil reason(status:) }
          assert_nil reason("/posts/1.json?x=a.css", method: "HEAD")
        end

        test "only the site's own robots.txt is a static file" do
          paths = ["/a/robots.txt", "/robots.txt/a", "/robots.txt.html", "/a/images/1"]

          assert_equal [nil] * 4, paths.map { |path| reason(path) }
        end

        test "a fragment is not sent, alone or beside bytes that no path may have" do
          filter = Filter.new(writes: false, assets: false)
          sent = ["/a#b", "/ä#b", "/a?x=1#b"].map { |logged| filter.target(logged).first }

          assert_equal ["/a", "/%C3%A4", "/a?x=1"], sent
        end

        test "everything left out has a reason" do
          assert_said(reason(status: 301))
          assert_equal %w[4xx 5xx], [404, 502].map { |status| reason(status:).split.last }
          edges = [199, 200, 299, 300, 399, 400, 499, 500, 599, 600]
                  .map { |status| reason(status:) }
          assert_equal ["without a response", nil, nil, *["that were redirected"] * 2,
                        *["answered 4xx"] * 2, *["answered 5xx"] * 2, "without a response"], edges
          assert_equal "without a response", reason(status: nil)
          assert_equal "without a response", reason(status: 101)
          assert_said(reason(nil))
          assert_equal "without a path", reason("http://elsewhere.example/")
          assert_said(reason(method: "PROPFIND", writes: true))
          assert_said(reason("/#{'a' * 8000}"))
          assert_nil reason("/#{'a' * 7999}")
          assert_equal "as it says itself", reason(fault: "as it says itself")
        end

        test "writes and static files are included only on request" do
          assert_match(/--with-writes/, reason(method: "POST"))
          assert_nil reason(method: "POST", writes: true)
          assert_nil reason(method: "POST", whole: true)
          ["/assets/x", "/favicon.ico", "/a.css?v=1", "/robots.txt"].each do |path|
            assert_match(/--with-assets/, reason(path), path)
            assert_nil reason(path, assets: true)
          end
        end

        test "a target is escaped so that it can be sent" do
          filter = Filter.new(writes: false, assets: false)
          { "/a b#c" => "/a%20b", "/caf\u00E9" => "/caf%C3%A9", "/\xFF\e" => "/%FF%1B",
            "/a%20b?x=1" => "/a%20b?x=1" }.each do |logged, sent|
            assert_equal sent, filter.target(logged).first
            assert_equal sent, Request.build(path: filter.target(logged).first).path
          end
        end
      end
    end
  end
end
