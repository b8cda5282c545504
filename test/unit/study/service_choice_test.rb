# frozen_string_literal: true

require "test_helper"

class StudyServiceChoiceTest < Mohs::TestCase
  DATABASE = Mohs::App::Need.new(service: "postgresql", by: "config/database.yml", host: "db",
                                 port: nil, variables: ["DB_HOST"])
  REDIS = Mohs::App::Need.new(service: "redis", by: "config/cable.yml", variables: [])

  test "what the person names, all servers have" do
    assert_equal [{ name: "postgresql", by: nil }], services(declared: ["postgresql"])
    assert_empty services
  end

  test "what the application asks for is private where nothing is there and nobody says where" do
    needs = [DATABASE, REDIS]

    assert_equal [{ name: "postgresql", by: "config/database.yml" },
                  { name: "redis", by: "config/cable.yml" }], services(needs:)
    assert_equal [{ name: "redis", by: "config/cable.yml" }],
                 services(needs:, reached: [["postgresql", "db", nil]])
    [{ env: { "DB_HOST" => "x" } }, { env: { "DATABASE_URL" => "postgresql://x" } },
     { study_env: { "DATABASE_URL" => "postgresql://x" } },
     { missing: %w[postgresql] }].each do |options|
      assert_empty services(needs: [DATABASE], **options), options
    end
  end

  test "one that the person names is asked for by the person, needed or not" do
    assert_equal [{ name: "postgresql", by: nil }],
                 services(declared: ["postgresql"], needs: [DATABASE])
    assert_equal [{ name: "postgresql", by: nil }],
                 services(declared: ["postgresql"], env: { "DATABASE_URL" => "postgresql://x" })
  end

  test "one that the person names must be installed" do
    error = assert_raises(Mohs::EnvironmentError) do
      services(declared: ["redis"], missing: %w[redis])
    end
    assert_match(/\ARedis .*\napt-get install --no-install-recommends redis-server\z/,
error.message)
    assert_raises(Mohs::EnvironmentError) { services("3.4.5, redis", missing: %w[redis]) }
  end

  test "a private one and the address of one's own exclude each other" do
    error = assert_raises(Mohs::UsageError) do
      services(declared: ["redis"], study_env: { "REDIS_URL" => "redis://x" })
    end
    assert_match(/\AREDIS_URL says where Redis is/, error.message)
  end

  test "what is to be prepared is a private database, the application's own need or not" do
    [[], ["redis"]].each do |declared|
      error = assert_raises(Mohs::UsageError) { services(declared:, prepare: "bin/fill") }
      assert_match(/\A--prepare .*--service postgresql, --service mysql/, error.message)
    end
    error = assert_raises(Mohs::UsageError) { services(prepare: "bin/fill", gems: %w[pg rack]) }
    assert_match(/none here: --service postgresql\.\z/, error.message)
    assert_equal 1, services(needs: [DATABASE], prepare: "bin/fill").size
    assert_equal 1, services(declared: ["mysql"], prepare: "bin/fill").size
  end

  test "a database whose client is not locked is no use, if that of another is" do
    error = assert_raises(Mohs::UsageError) do
      services(declared: ["mysql"], missing: ["mysql"], gems: %w[pg rack])
    end
    assert_equal "--service mysql is a MariaDB, and the lockfile has no client for it (mysql2, " \
                 "trilogy). It has one for --service postgresql.", error.message
    [%w[mysql2 pg], %w[activerecord-jdbcmysql-adapter], []].each do |gems|
      assert_equal 1, services(declared: ["mysql"], gems:).size
    end
    assert_equal 1, services(declared: ["redis"], gems: %w[pg]).size
    need = Mohs::App::Need.new(service: "mysql", by: "config/database.yml", variables: [])
    assert_empty services(needs: [need], gems: %w[pg])
    assert_equal 1, services(declared: ["mysql"], gems: %w[pg],
                             gemfile: 'file = "config/database.yml"').size
  end

  test "servers that run already have what they have" do
    assert_empty services("http://127.0.0.1:3000", needs: [DATABASE])
  end

  test "a variant has its own, and differs by it" do
    study = study("3.4.5", "3.4.5, postgresql", declared: ["redis"])

    assert_equal [[], ["postgresql"]], study.variants.map(&:services)
    assert_equal ["3.4.5", "3.4.5, postgresql"], study.variants.map(&:name)
    assert_equal ["services"], study.variants[0].difference(study.variants[1])
    assert_equal %w[redis postgresql], study.service_names
    stored = JSON.parse(JSON.generate(study.to_h), symbolize_names: true)
    assert_equal study, Mohs::Study.from_h(stored)
  end

  test "with a variant on the JVM all reach their services by TCP, unless it can't run" do
    study = study("3.4.5", "jruby-9.4.14.0")
    assert_predicate study, :jdbc?
    refute_predicate study("3.4.5"), :jdbc?
    variants = study.variants.map do |one|
      one.engine == "jruby" ? one.refused(Mohs::Reason.new(code: "no")) : one
    end
    refute_predicate Mohs::Study.new(**study.each_pair.to_h, variants:), :jdbc?
  end

  private

  def services(*variants, gems: [], gemfile: "", **options)
    lock = "GEM\n  specs:\n#{gems.map { |gem| "    #{gem} (1.0)\n" }.join}"
    with_files("Gemfile" => gemfile, "Gemfile.lock" => lock) do |dir|
      chosen(study(*variants, dir:, **options.slice(:declared, :study_env, :prepare)),
             **options.except(:declared, :study_env, :prepare))
    end
  end

  def chosen(study, needs: [], env: {}, missing: [], reached: [])
    refusal = lambda do |member|
      next unless missing.include?(member.label)

      bare = Class.new(member) { const_set(:FOLDERS, []) }
      bare.define_singleton_method(:label) { member.label }
      bare.refusal(path: "/nowhere")
    end
    reach = ->(member, host, port) { reached.include?([member.label, host, port]) }
    app = Mohs::App.new(name: "shop", dir: study.app, needs:)
    Mohs::Study::ServiceChoice.new(env:, reach:, refusal:).call(study, app).services
  end

  def study(*variants, dir: "/srv/shop", declared: [], study_env: {}, prepare: nil)
    notations = variants.map { |text| [nil, Mohs::Study::Notation.parse(text)] }
    app = Mohs::App.new(name: "shop", dir:)
    declaration = { seed: 1, services: declared, env: study_env, prepare: }
    declaration[:variants] = notations if notations.any?
    Mohs::Study::Builder.new(app:, rubies: Mohs::FakeRubies.usual).call(declaration)
  end
end
