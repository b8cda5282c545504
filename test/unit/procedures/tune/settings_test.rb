# frozen_string_literal: true

require "test_helper"

class SettingsTest < Mohs::TestCase
  def settings(files: {}, bases: [], shapes: nil, cores: 2)
    with_files({ "config.ru" => "", **files }) do |app|
      found = Mohs::Tune::Settings.new(app:, bases:, shapes:, cores:, servers: Mohs::Servers)
      return found.tap(&:notations)
    end
  end

  # The file that settings preload after, as people are told; nil: they are told nothing.
  def preloading(settings) = settings.remarks.dig("tune_preloads", :file)

  def named(settings) = settings.notations.to_h { |one| [one.label, one.server] }

  test "as many processes as cores, with each number of threads, Puma's default first" do
    found = named(settings)

    assert_equal %w[1x5 1x1 1x2 1x3 1x8 1x16 2x1 2x2 2x3 2x5 2x8 2x16], found.keys
    assert_equal "puma:2x3", found["2x3"]
  end

  test "the application's own file is the present setting" do
    first = settings(files: { "config/puma.rb" => "" }).notations.first

    assert_equal ["yours", "config/puma.rb", nil], [first.label, first.config, first.server]
  end

  test "so is the production one, which Puma prefers" do
    files = { "config/puma.rb" => "", "config/puma/production.rb" => "" }

    assert_equal "config/puma/production.rb", settings(files:).notations.first.config
  end

  test "settings that are named replace the grid" do
    found = settings(shapes: [[1, 3], [4, 2]])

    assert_equal %w[1x5 1x3 4x2], found.notations.map(&:label)
    assert_empty found.left_out
  end

  test "each is combined with what is asked for, by names that tell them apart" do
    found = named(settings(bases: ["3.4.5", "fast::3.4.5 --yjit", "falcon"], shapes: [[2, 5]]))

    assert_equal ["3.4.5, puma, 1x5", "3.4.5, puma, 2x5", "fast, puma, 2x5", "falcon, 2"],
                 found.keys
    assert_equal "falcon:2", found["falcon, 2"]
    assert_equal ["2x5"], named(settings(bases: ["3.4.5 --yjit"], shapes: [[2, 5]])).keys.drop(1)
  end

  test "settings of several processes preload if asked to; one process has nothing to fork" do
    found, own = [{}, { "config/puma.rb" => "" }].map do |files|
      settings(files:, bases: ["puma preload"], shapes: [[1, 3], [2, 5]]).notations
    end

    assert_equal({ "1x5" => nil, "1x3" => nil, "2x5" => true },
                 found.to_h { |one| [one.label, one.preload] })
    assert_equal [nil, nil, true], own.map(&:preload), "its file says it"
  end

  test "settings of several processes preload if the application's own file does" do
    preload = lambda do |text, **options|
      settings(files: { "config/puma.rb" => text }, shapes: [[1, 3], [2, 5]], **options)
    end
    found = preload.("if ENV['RAILS_ENV'] == 'production'\n  preload_app!\nend\n")

    assert_equal [nil, nil, true], found.notations.map(&:preload)
    assert_equal "config/puma.rb", preloading(found)
    ["# preload_app!\n", "preload_app! false\n", "preload_app!(false)\n", ""].each do |text|
      assert_equal [[nil], nil], [preload.(text).notations.map(&:preload).uniq,
                                  preloading(preload.(text))], text
    end
    several = "workers ENV.fetch('WORKERS') { 2 }\n"
    assert_equal "config/puma.rb", preloading(preload.(several))
    old = settings(files: { "config/puma.rb" => several, "Gemfile" => "",
                            "Gemfile.lock" => "GEM\n  specs:\n    puma (6.6.1)\n" })
    early = settings(files: { "config/puma.rb" => several, "Gemfile" => "",
                              "Gemfile.lock" => "GEM\n  specs:\n    puma (7.0.0.pre1)\n" })
    assert_equal [nil, "config/puma.rb"], [old, early].map { |one| preloading(one) }
    locked = settings(files: { "config/puma.rb" => several, "gems.rb" => "gem \"puma\"\n",
                               "gems.locked" => "GEM\n  specs:\n    puma (6.6.1)\n" })
    assert_nil preloading(locked)
    alone = settings(files: { "config/puma.rb" => "preload_app!" }, shapes: [[1, 3]])
    asked = preload.("preload_app!", bases: ["puma", "puma preload"])
    assert_equal [nil, nil], [alone, asked].map { |one| preloading(one) }
    assert_equal ["puma:2x5", [nil, true]],
                 [asked.notations[2].server, asked.notations.values_at(2, 4).map(&:preload)]
    other = preload.("preload_app!\n", bases: ["unicorn"])
    assert_equal [[nil], nil], [other.notations.map(&:preload).uniq, preloading(other)]
    both = preload.("preload_app!\n", bases: %w[puma unicorn]).notations
    assert_equal %w[puma:2x5], both.select(&:preload).map(&:server)
  end

  test "of a server without a file of its own the first setting is taken as the present one" do
    assert_equal "1", settings(files: { "config/puma.rb" => "" }, bases: ["unicorn"])
      .notations.first.label
  end

  test "a quota leaves out what takes more cores than it has" do
    made = lambda do |**options|
      with_files("config.ru" => "") do |app|
        return Mohs::Tune::Settings.new(app:, bases: [], cores: 2, servers: Mohs::Servers,
                                        allowance: { cores: 1.5, memory_bytes: nil }, **options)
      end
    end
    found = made.(shapes: nil)

    assert_equal %w[1x5 1x1 1x2 1x3 1x8 1x16], found.notations.map(&:label)
    assert_equal ["2x1", "more_processes_than_quota"], found.left_out.first.values_at(:name, :code)
    assert_equal({ cores: 1.5, memory_bytes: nil, processes: 1 }, found.cgroup)
    assert_equal({ "tune_cgroup" => { cores: 1.5, processes: 1 } }, found.remarks)
    asked = made.(shapes: [[4, 2]])
    assert_nil asked.cgroup[:processes]
    assert_equal({ "tune_turns" => { names: "4x2", cores: 2 } }, asked.remarks)
    assert_equal [nil, {}], [settings.cgroup, settings.remarks]
  end

  test "more processes than cores are told apart" do
    found = settings.left_out

    assert_equal %w[3x1 5x16], [found.first[:name], found.last[:name]]
    assert_equal ["more_processes_than_cores", { processes: 3, cores: 2 }],
                 found.first.values_at(:code, :values)
  end
end
