# frozen_string_literal: true

require "test_helper"

module Mohs
  class LoadRequestTest < TestCase
    def answer(kind, **request)
      App::Answer.new(request: App::Request.build(path: "/a", **request), status: 201,
                      length: 5, body: "hello", kind:)
    end

    test "a learned answer becomes the request that is sent, with its weight and headers" do
      request = Load::Request.of(answer(:body, weight: 3, headers: { "X" => "1" }, expect: "ell"))

      assert_equal ["GET", "/a", 3, { "X" => "1" }],
                   request.to_h.values_at(:method, :path, :weight, :headers)
      assert_equal Load::Check.of(answer(:body)), request.check
    end

    test "what repeats of a learned answer is what every other is held against" do
      checks = %i[body length status].map { |kind| Load::Check.of(answer(kind)).to_h }
      parts = checks.map { |check| check.values_at(:mode, :statuses, :length, :body) }

      assert_equal [[:exact, [201], 5, "hello"], [:length, [201], 5, nil],
                    [:filled, [201], nil, nil]], parts
    end

    test "a body that varies may be empty only where one of those learned was" do
      empty = App::Answer.new(**answer(:status).to_h, length: 0)

      assert_equal :status, Load::Check.of(empty).mode
    end
  end
end
