# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class Traffic
      class QueryTest < TestCase
        test "parameters that look like secrets are dropped, others stay" do
          {
            "/a?token=1" => ["/a", %w[token]],
            "/a?x=1&api_key=2&y=%20" => ["/a?x=1&y=%20", %w[api_key]],
            "/a?a[password]=2&a%5Bpassword%5D=3&q" => ["/a?q", %w[a[password] a%5Bpassword%5D]],
            "/a?accessToken=2&X-Amz-Signature=3" => ["/a", %w[accessToken X-Amz-Signature]],
            "/a?id=%5bfiltered%5d&x=a[FILTERED]&y=[FILTERED]b" =>
              ["/a?x=a[FILTERED]&y=[FILTERED]b", %w[id]],
            "/a?id=[FILTERED]&name=%5BFILTERED%5D" => ["/a", %w[id name]],
          }.each { |target, expected| assert_equal expected, Query.clean(target), target }
        end

        test "a second question mark is part of the query" do
          assert_equal ["/a?x=1?y=2", []], Query.clean("/a?x=1?y=2")
        end

        test "a name that only resembles a secret's is not one" do
          ["/a", "/a?", "/a?x=1&&",
           "/a?author=x&keyword=y&monkey=1&passenger=2&sort_by=name&tokenizer=1",
           "/a?token=&token", "/token=1?x=2"].each do |target|
            assert_equal [target, []], Query.clean(target)
          end
        end
      end
    end
  end
end
