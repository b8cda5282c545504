# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class Traffic
      class LogrageTest < TestCase
        Lograge = Formats::Lograge

        def entry(line) = Lograge.new.entry(line)&.to_h&.values_at(:method, :target, :status)

        test "key=value, alone or behind what a logger writes" do
          ["method=GET path=/a format=html status=200 duration=5.1",
           "I, [2025-10-10 #71] -- : [4b4a] method=GET path=/a status=200",
           "[4b4a]method=GET path=/a status=200\n"].each do |line|
            assert_equal ["GET", "/a", 200], entry(line), line
            assert Lograge.line?(line)
          end
        end

        test "JSON, alone or behind what a logger writes" do
          ['{"method":"PUT","path":"/a","status":404}',
           'I, [x] : {"path":"/a","status":"404","method":"PUT","params":{"a":1}}'].each do |line|
            assert_equal ["PUT", "/a", 404], entry(line), line
            assert Lograge.line?(line)
          end
          assert_equal ["PUT", "/a", 0], entry('{"method":"PUT","path":"/a","status":null}')
        end

        test "what only has its words is no request" do
          ["method=GET path= status=200", "method=GET path=/a", "path=/a status=200",
           "method=GET status=200",
           "xmethod=GET path=/a status=200", "method=get path=/a status=200",
           "method=GETX1 path=/a status=200", "method=GET path=/a xstatus=200",
           "method=GET path=/a status=2x", '{"method":"GET","path":3,"status":200}',
           '{"method":3,"path":"/a","status":200}', '{"method":"GET"', '"method"',
           ""].each do |line|
            assert_nil entry(line), line
            refute Lograge.line?(line), line
          end
        end
      end
    end
  end
end
