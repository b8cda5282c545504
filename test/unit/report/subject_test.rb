# frozen_string_literal: true

require "test_helper"

module Mohs
  module Report
    class SubjectTest < TestCase
      def study(*paths)
        plain = App::Request.build(path: "/").to_h
        requests = paths.map { |path| App::Request.new(**plain, path:) }
        Study.new(**Stored.study({ requests: [] }), requests:, variants: variants("a"))
      end

      def variants(*paths)
        paths.map { |path| Study::Variant.new(name: path, get: (path if path.start_with?("/"))) }
      end

      test "it names the application, the requests and the connections" do
        assert_equal "redmine · GET /projects · 4 connections",
                     Subject.of(app: "redmine", requested: ["GET /projects"], connections: 4)
        assert_equal "GET / · 1 connection", Subject.of(requested: ["GET /"], connections: 1)
        assert_equal "shop", Subject.of(app: "shop", requested: [], connections: nil)
        assert_equal "", Subject.of({})
      end

      test "of more than two requests only the number is given" do
        requested = %w[/a /b /c /d].map { |path| "GET #{path}" }

        assert_equal "GET /a, GET /b and 2 more", Subject.requests(requested)
        assert_equal "GET /a, GET /b", Subject.requests(requested.first(2))
        assert_nil Subject.requests([])
      end

      test "each request is listed once, and no secret of its query is" do
        assert_equal ["GET /a", "GET /b?token=[secret]&page=2"],
                     Subject.requested(study("/a", "/a", "/b?token=5up3rsecret&page=2"))
      end

      test "jobs are listed as the batches that they are measured in" do
        batches = ->(count) do
          jobs = Study::Jobs.parse(count:)
          Subject.requested(Study.new(**study("/a").each_pair.to_h, jobs:))
        end

        assert_equal [["batches of 200 jobs"], ["batches of 1 job"]], [200, 1].map(&batches)
      end

      test "of variants that have paths of their own these are listed" do
        own = Study.new(**study("/a").each_pair.to_h, variants: variants("/c", "/b"))

        assert_equal ["GET /c", "GET /b"], Subject.requested(own)
      end

      test "of a scenario its file is listed" do
        scenario = Study::ScenarioFile.new(path: "/srv/forum.yml", digest: "ab")
        followed = Study.new(**study("/a").each_pair.to_h, scenario:)

        assert_equal ["forum.yml"], Subject.requested(followed)
      end

      test "what the vault left in a secret's place is not shown either" do
        assert_equal ["GET /b?key=[secret]"],
                     Subject.requested(study("/b?key=[secret 0123456789abcdef/0]"))
      end
    end
  end
end
