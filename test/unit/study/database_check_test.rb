# frozen_string_literal: true

require "test_helper"

class StudyDatabaseCheckTest < Mohs::TestCase
  CHECK = Mohs::Study::DatabaseCheck

  def build(text, **declaration)
    app = Mohs::App.new(name: "shop", dir: "/srv/shop")
    Mohs::Study::Builder.new(app:, rubies: Mohs::FakeRubies.usual)
                        .call({ seed: 1, variants: [[nil, Mohs::Study::Notation.parse(text)]],
                                **declaration })
  end

  # What is said of a Rails application with these files.
  def without_database(*files, shell: {}, lock: "", gems: %w[Gemfile Gemfile.lock], yml: nil,
                       gemfile: "", **declaration)
    texts = ["config/environment.rb", *files].to_h { |path| [path, ""] }
    texts["config/database.yml"] = yml if yml
    with_files(gems.first => gemfile, gems.last => lock, **texts) do |dir|
      study = build("3.4.5", **declaration)
      CHECK.new(env: shell).call(Mohs::Study.new(**study.each_pair.to_h, app: dir))
      nil
    rescue Mohs::UsageError => error
      error.message.sub(dir, "shop")
    end
  end

  # Redmine's Gemfile even reads that file to choose its gems.
  test "a database.yml that nobody made from its template is missed before gems are installed" do
    template = "config/database.yml.example"

    assert_match(%r{\A(?<made>config/database\.yml) .*shop\. .*: cp #{template} \k<made>; .*},
                 without_database(template))
    assert_match(/: --env DATABASE_URL=.* --service postgresql/, without_database(template))
    %w[database.sample.yml database.yml.tmpl database-example.yml database.yml-dist].each do |name|
      assert_includes without_database("config/#{name}"), "cp config/#{name} config/database.yml;"
    end
    assert_nil without_database
    assert_nil without_database(template, "config/database.yml")
    url = { "DATABASE_URL" => "sqlite3:db/a.sqlite3" }
    assert_nil without_database(template, shell: url)
    assert_nil without_database(template, env: url)
  end

  # CodeTriage's configuration asks for Redis and Memcached, which mohs starts unasked.
  test "a private service takes the file's place only if it is a database" do
    said = ->(*services) { without_database("config/database.example.yml", services:) }

    assert_includes said.call("redis", "memcached"), "cp config/database.example.yml"
    assert_nil said.call("redis", "postgresql")
  end

  test "where there is a template for each adapter, any of them will do" do
    names = %w[database.yml.mysql database.yml.postgresql].map { |name| "config/#{name}" }

    assert_includes without_database(*names),
                    "cp #{names.first} config/database.yml (or #{names.last}); or name"
    assert_includes without_database(*names, "config/database.yml.example"),
                    "cp config/database.yml.example config/database.yml; or name"
    assert_nil without_database("config/database.mysql.md", "config/database_pgbouncer.rb")
  end

  # Fat Free CRM has one for each, and its lockfile one client.
  test "of the templates for each adapter, those whose client the lockfile has are named" do
    names = %w[mysql mysql.mac postgres postgres.docker sqlite].map { |one| "database.#{one}.yml" }
    said = lambda do |*gems|
      lock = "GEM\n  specs:\n#{gems.map { |gem| "    #{gem} (1.5.6-x86_64-linux)\n" }.join}"
      without_database(*names.map { |name| "config/#{name}" }, lock:)
    end

    assert_match(/: cp config.database\.postgres\.yml config.database\.yml; .*postgresql\z/,
                 said.call("pg"))
    assert_match(/: cp config.database\.mysql\.yml config.*: --service mysql\z/,
                 said.call("mysql2"))
    assert_match(/: cp \S+mysql\.yml .* \(or \S+sqlite\.yml\); .*: --service mysql\z/,
                 said.call("sqlite3", "trilogy"))
    assert_match(/: cp \S+mysql\.yml .* or .*sqlite\.yml\).*--service postgresql \(or mysql\)\z/,
                 said.call("pgvector"))
  end

  test "the lockfile of a gems.rb, or with the line ends of Windows, is read like any other" do
    lock = "GEM\n  specs:\n    mysql2 (0.5.6)\n"
    said = [[%w[gems.rb gems.locked], lock],
            [%w[Gemfile Gemfile.lock], lock.gsub("\n", "\r\n")]].map do |gems, text|
      without_database("config/database.yml.example", gems:, lock: text)
    end

    said.each { |text| assert_match(/--service mysql\z/, text) }
  end

  test "other files that nobody made from their templates are named at once" do
    files = %w[database.yml.tmpl site.yml.tmpl storage.example.yml cable.yml.sample cable.yml
               samples.yml settings.default.yml deploy.example.rb].map { |name| "config/#{name}" }

    assert_match(/their file: config.site\.yml\.tmpl, config.storage\.example\.yml\z/,
                 without_database(*files))
    assert_match(/\(or mysql\)\z/, without_database("config/database.yml.tmpl"))
  end

  test "an application that has no Rails, or keeps its database elsewhere, needs no database.yml" do
    files = { "config/database.yml.example" => "" }
    other = { "config/environment.rb" => "", "config/application.rb" =>
              'config.paths["config/database"] = "/etc/shop.yml"' }
    [files, { **files, **other }].each do |given|
      with_files(given) do |dir|
        assert_empty Mohs::App::Database.unmade(dir)
      end
    end
  end

  # With the template for MySQL, which comes first.
  test "an adapter in database.yml whose gem is not locked is missed before gems are installed" do
    yml = "production: { adapter: mysql2, database: crm }"
    files = %w[config/database.mysql.yml config/database.postgres.yml]
    said = lambda do |gem, text = yml, **options|
      without_database(*files, lock: "GEM\n  specs:\n    #{gem} (1.0)\n", yml: text, **options)
    end

    assert_equal "config/database.yml in shop names the adapter mysql2, whose gem is not in the " \
                 "lockfile. Make it again: cp config/database.postgres.yml config/database.yml; " \
                 "or name a database: --env DATABASE_URL=..., or let mohs start a private one: " \
                 "--service postgresql", said.call("pg")
    [["mysql2"], ["rack"], ["pg", yml.sub("mysql2", "postgresql")], ["pg", "production: {}"]]
      .each { |given| assert_nil said.call(*given) }
    assert_nil said.call("pg", shell: { "DATABASE_URL" => "postgresql://x" })
    assert_nil said.call("pg", gemfile: 'YAML.load_file("config/database.yml")')
  end
end
