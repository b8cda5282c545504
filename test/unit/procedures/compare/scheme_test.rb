# frozen_string_literal: true

require "test_helper"

# How the servers of two variants that are compared share the machine.
class CompareSchemeTest < Mohs::TestCase
  def scheme(*variants, cores: 4, asked: nil)
    variants = variants.map.with_index do |facts, index|
      Mohs::Study::Variant.new(name: index.to_s, engine: "ruby", **facts)
    end
    study = Mohs::Study.new(app: "/srv/shop", requests: [], variants:, baseline: "0", env: {},
                            cores: asked, rules: Mohs::Compare::Rules.new(candidate: "1"))
    plan = Mohs::Compare::Planner.new(study, seed: 1, costs: Mohs::Plan::Costs.new, cores:).call
    plan.cohorts.first.scheme
  end

  test "a half of the machine each, where nothing speaks against it" do
    assert_equal "duet", scheme({ processes: 1 }, { processes: 1 }, cores: 2)
    assert_equal "duet", scheme({ processes: 2 }, { processes: 2 })
    assert_equal "duet", scheme({}, { processes: 1 }), "one process where none is said"
  end

  test "the whole machine in turns, where a half would answer another question" do
    assert_equal "whole", scheme({}, {}, cores: 1)
    assert_equal "whole", scheme({ processes: 1 }, { processes: 2 })
    assert_equal "whole", scheme({ processes: 3 }, { processes: 3 })
    assert_equal "whole", scheme({}, { engine: "jruby" })
  end

  test "what stands in front of a server wants a core as a process of the server does" do
    assert_equal "whole", scheme({ front: "nginx" }, {})
    assert_equal "whole", scheme({ front: "nginx" }, { front: "nginx" }, cores: 2)
    assert_equal "duet", scheme({ front: "nginx" }, { front: "thruster" })
    assert_equal "duet", scheme({ front: "nginx" }, { processes: 2 })
  end

  test "nobody counts the processes of a configuration, or of a server that already runs" do
    [{ config: "puma.rb" }, { url: "http://127.0.0.1:3000" }].each do |foreign|
      [[foreign, {}], [{}, foreign], [foreign, foreign]].each do |pair|
        assert_equal "whole", scheme(*pair)
      end
    end
  end

  test "as many cores as were asked for: of a half, while they fit in it" do
    assert_equal "duet", scheme({}, {}, asked: 2)
    assert_equal "duet", scheme({ processes: 3 }, { processes: 3 }, asked: 1)
    assert_equal "whole", scheme({}, {}, asked: 3)
    assert_equal "whole", scheme({}, {}, asked: [0, 1])
  end
end
