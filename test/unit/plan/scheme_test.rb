# frozen_string_literal: true

require "test_helper"

class SchemeTest < Mohs::TestCase
  TUNING = Mohs::Tune::Rules.new(limit: Mohs::Load::Limit.parse("p50 < 1s"))

  def wave_size(*variants, cores: 2, scheme: "apart", asked: nil, quota_cores: nil, **study)
    variants = variants.map.with_index do |facts, index|
      Mohs::Study::Variant.new(name: index.to_s, engine: "ruby", **facts)
    end
    study = Mohs::Study.new(app: "/srv/shop", requests: [], variants:, baseline: "0", env: {},
                            cores: asked, **study)
    Mohs::Plan::Scheme.wave_size(study, variants, cores:, scheme:, quota_cores:)
  end

  test "as many servers get warm at once as have cores of their own" do
    assert_equal [1, 2, 2, 3], [1, 2, 3, 4].map { |cores| wave_size({}, {}, cores:) }
    assert_equal [1, 1, 2], [2, 4, 5].map { |cores| wave_size({ processes: 2 }, {}, cores:) }
    assert_equal [2, 1, 2], [wave_size({}, {}, scheme: "whole"),
                             wave_size({}, { processes: 2 }, scheme: "whole"),
                             wave_size({}, { processes: 2 }, scheme: "whole", cores: 4)]
    assert_equal [1, 2, 1], [1, 2, [0]].map { |asked| wave_size({}, {}, cores: 4, asked:) }
    assert_equal 2, wave_size({}, {}, load_from: Mohs::Study::LoadFrom.new(host: "far"))
  end

  test "no more than a quota lets run at once, and services are busy, too" do
    assert_equal [1, 2, 2], [1.5, 2.0, 9.0].map { |quota_cores| wave_size({}, {}, quota_cores:) }
    of_four = [0.5, 2.9, nil].map { |quota_cores| wave_size({}, {}, cores: 4, quota_cores:) }
    assert_equal [1, 2, 3], of_four
    services = [{ name: "postgresql" }]
    assert_equal [1, 1, 2], [2, 4, 5].map { |cores| wave_size({}, {}, cores:, services:) }
    assert_equal 1, wave_size({ services: ["redis"] }, {}, cores: 4)
  end

  test "one at a time where nobody knows what it keeps busy, or where its warm-up is a result" do
    cold_start = Mohs::Study::ColdStart.new(batches: 3, requests: 40)
    assert_equal 1, wave_size({}, {}, cold_start:)
    [{ config: "puma.rb" }, { url: "http://127.0.0.1:3000" }, { engine: "jruby", ruby: "jruby" },
     { ruby: "2.7.4", flags: ["--jit"] }].each do |facts|
      assert_equal 1, wave_size({}, facts), facts
    end
    assert_equal [1, 1], [wave_size({}, {}, jobs: Mohs::Study::Jobs.new),
                          wave_size({}, {}, rules: TUNING)]
  end

  test "two servers of each where they are soon there, one where a variant is not" do
    assert_equal 2, Mohs::Plan::Scheme.servers([0.4, 3.9])
    assert_equal 1, Mohs::Plan::Scheme.servers([0.4, 4.1])
  end

  test "one server of each where nothing is known yet: its figure comes soonest" do
    assert_equal 1, Mohs::Plan::Scheme.servers([])
  end
end
