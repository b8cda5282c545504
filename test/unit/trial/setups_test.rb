# frozen_string_literal: true

require "test_helper"

# Where the application of a study is on this machine.
class TrialSetupsTest < Mohs::TestCase
  def with_pack
    with_files("shop/config.ru" => "run App\n", "shop/.env" => "A=b") do |dir|
      pack = Mohs::App::Pack.of(File.join(dir, "shop"))
      variants = %w[a b].map { |name| { name:, env: {} } }
      study = Mohs::Study.from_h({ app: "/elsewhere/shop", requests: [], variants:, env: {},
                                   pack: pack.to_study })
      yield study, pack, { "HOME" => dir, "XDG_CACHE_HOME" => File.join(dir, "cache") }
    end
  end

  test "a packed application is unpacked once, and known as the person knows it" do
    with_pack do |study, pack, env|
      asked = []
      apps = Array.new(2) do
        packs = ->(sha256) { pack.data.tap { asked << sha256 } }
        setups = Mohs::Trial::Setups.new(env:, packs:)
        study.variants.map { |variant| setups.app(study, variant) }
      end.flatten

      assert_equal [pack.sha256], asked
      assert_equal [["shop", "/elsewhere/shop"]], apps.map { |app| [app.name, app.origin] }.uniq
      assert_equal "run App\n", File.read(File.join(apps.first.dir, "config.ru"))
      assert_match(/\(1 file\); .*: \.env\z/, Mohs::Report::Render.text("packed", **study.pack))
    end
  end

  test "what can't be unpacked leaves nothing behind that would be taken for it" do
    with_pack do |study, pack, env|
      broken = ->(_sha256) { pack.data.reverse }
      assert_raises(Mohs::StoreError) do
        Mohs::Trial::Setups.new(env:, packs: broken).app(study, study.variants.first)
      end
      whole = Mohs::Trial::Setups.new(env:, packs: ->(_sha256) { pack.data })

      assert_equal "shop", whole.app(study, study.variants.first).name
    end
  end
end
