# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class Traffic
      # What belongs together in Rails' log.
      class RailsTest < TestCase
        def read(*lines)
          result = []
          source = Lines.new(StringIO.new(lines.join("\n").b))
          Formats.fetch("rails").new.read(source) do |entry|
            result << [entry.target, entry.fault || entry.status]
          end
          result
        end

        def started(path, before = "") = "#{before}Started GET \"#{path}\" for ::1 at 2025-10-10"

        def completed(status, before = "") = "#{before}Completed #{status} OK in 5ms (Views: 1.0ms)"

        def process(pid) = "I, [2025-10-10T13:55:31.#{rand(10**6)} ##{pid}]  INFO -- : "

        test "processes are distinguished without tags" do
          assert_equal [["/b", 200], ["/a", 500]],
                       read(started("/a", process(1)), started("/b", process(2)),
                            completed(200, process(2)), completed(500, process(1)))
        end

        test "tags are recognised after any prefix of a log collector" do
          one, two = %w[x y].map { |tag| "2025-10-10T13:55:31Z app[web.1]: [shop] [#{tag}] " }

          assert_equal [["/a", 200], ["/b", 500]],
                       read(started("/a", one), started("/b", two), completed(200, one),
                            completed(500, two))
        end

        test "those that ended are in progress no more" do
          others = Array.new(10_001) { |number| "[#{number}] " }
          between = others.flat_map { |tag| [started("/x", tag), completed(200, tag)] }
          result = read(started("/slow", "[s] "), *between, completed(200, "[s] "))

          assert_equal ["/slow", 200], result.last
        end

        test "words of the application that resemble a request's are none" do
          assert_equal [["/a", 200]],
                       read(started("/a"), 'reStarted GET "/b" of the queue',
                            completed(500, "Un"), completed(200))
        end

        test "a line of its log has a request's beginning or its end" do
          lines = [started("/a", "[x] "), completed(200, "[x] "), started("/a", "re"),
                   completed(200, "un"), "Started the queue", "Completed 7 jobs"]

          assert_equal [true, true, *[false] * 4],
                       lines.map { |line| Formats::Rails.line?(line.b) }
        end

        test "a request may come from nowhere that is known" do
          assert_equal [["/a", 200]], read('Started GET "/a" for  at 2025-10-10', completed(200))
        end

        test "a time within a tag belongs to the tag" do
          one, two = [31, 32].map { |second| "[job 2025-10-10T13:55:#{second} x] " }

          assert_equal [["/a", 200], ["/b", 500]],
                       read(started("/a", one), started("/b", two), completed(200, one),
                            completed(500, two))
        end

        test "of ten thousand requests in progress none is given up, of one more the oldest" do
          begun = Array.new(10_001) { |number| started("/#{number}", "[#{number}] ") }
          ended = completed(200, "[0] ")
          full, over = [10_000, 10_001].map { |count| read(*begun.first(count), ended) }

          assert_equal ["/0", 200], full.first
          assert_equal ["/0", Formats::Rails::UNFINISHED], over.first
        end

        test "what no route leads to ends with its error, the last one begun" do
          unrouted = 'ActionController::RoutingError (No route matches [GET] "/a"):'

          assert_equal [["/a?x=2", 404], ["/a?x=1", 200]],
                       read(started("/a?x=1"), started("/a?x=2"), unrouted, completed(200))
          assert_equal [["/b", 200]], read(started("/b"), unrouted, completed(200))
          assert_equal [["/a", Formats::Rails::UNFINISHED]],
                       read(started("/a"), unrouted.sub("GET", "POST"))
          assert_equal [["/a", 200]], read(started("/a"), "RoutingError of ours", completed(200))
        end

        test "words alone begin and end nothing" do
          assert_equal [["/a", 200]],
                       read(started("/a"), "Completed 200 OK", "Completed late in 5ms",
                            "Restarted GET \"/b\" for ::1 at 2025-10-10", completed(200))
          assert_equal [["/a", 200]],
                       read(started("/a"), "Completed 2000 rows in 5ms", 'Started  "/b"',
                            completed(200))
          assert_equal [[nil, Formats::Rails::UNBEGUN]], read(completed(200))
          assert_equal [[nil, nil]], read("Started GET \"/cut")
        end

        test "without either, a request without an end spoils no later one" do
          assert_equal [["/b", 200], ["/c", 404], ["/never", Formats::Rails::UNFINISHED]],
                       read(started("/never"), started("/b"), completed(200), started("/c"),
                            completed(404))
        end

        test "requests without an end are dropped, the oldest first" do
          paths = Array.new(Formats::Rails::MOST + 2) { |number| "/#{number}" }
          result = read(*paths.map { |path| started(path) }, completed(200))

          assert_equal %w[/0 /1], result.first(2).map(&:first)
          assert_equal [paths.last, 200], result[2]
          assert_equal paths.size, result.size
        end
      end
    end
  end
end
