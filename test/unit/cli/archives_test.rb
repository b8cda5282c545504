# frozen_string_literal: true

require "test_helper"
require "cgi"

# mohs export and mohs import, over runs that an earlier mohs recorded.
class CLIArchivesTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::RecordedDocuments

  KEYS = (RECORDED.keys.grep_v(/\Aload-/) - %w[bisect doctor]).freeze

  # One of each kind.
  DAILY = KEYS.group_by { |key| JSON.parse(File.read(RECORDED.fetch(key)))["command"] }
              .values.map(&:first).freeze

  # Yields the recorded store and an empty one, with a folder.
  def with_stores
    with_store do |from|
      with_files do |folder|
        to = Mohs::Store.open(File.join(folder, "other.db"))
        yield from, to, folder
      ensure
        to&.close
      end
    end
  end

  def export(store, key, folder, *options, env: {})
    mohs("export", key, "-o", "x.mohs", *options, dir: folder, store: -> { store },
                                                 env: { "XDG_DATA_HOME" => folder, **env })
  end

  def import(store, folder, *options)
    mohs("import", "x.mohs", *options, dir: folder, store: -> { store })
  end

  KEYS.each do |key|
    kind = DAILY.include?(key) ? :test : :slow_test
    send kind, "run #{key} is shown in another store as it is here" do
      with_stores do |from, to, folder|
        assert_equal 0, export(from, key, folder).status
        assert_equal "run #{key} imported: mohs show #{key}\n", import(to, folder).out
        here, there = [from, to].map { |store| mohs("show", key, "--json", store: -> { store }) }

        assert_equal here.json, there.json
        assert_equal [0, "", there.json[:sentence]], [there.status, there.err, to.run(key).answer]
      end
    end
  end

  test "the documents of both, and what is printed" do
    with_stores do |from, to, folder|
      written = export(from, KEYS.first, folder)
      text = /\Arun #{KEYS.first} written to x.mohs: \d+ trials, [\d ]+ requests\. .*mohs\n\z/
      assert_match(text, written.err)
      document = export(from, KEYS.first, folder, "--json").json
      assert_empty Mohs::JSONContract.new("`export`").faults(document)
      first, again = Array.new(2) { import(to, folder, "--json").json }
      assert_equal %w[added present], [first, again].map { |one| one[:outcome] }
      assert_empty Mohs::JSONContract.new("`import` of a run").faults(first)
      assert_match(/#{KEYS.first} .*already.*: mohs show #{KEYS.first}\n\z/, import(to, folder).out)
      assert_equal KEYS.first, document[:run]
      assert_equal "", export(from, KEYS.first, folder, "--quiet").err
    end
  end

  test "where its key is another run's, a run gets a new one and says so" do
    with_stores do |from, to, folder|
      export(from, KEYS.first, folder)
      import(to, folder)
      Sequel.sqlite(File.join(folder, "other.db")) { |db| db[:runs].update(created_ms: 1) }
      out = import(to, folder).out

      said = /\Arun (\h+) imported as (\h+) \(here \1 is another run\): mohs show \2\n\z/
      assert_match(said, out)
    end
  end

  test "an imported run can't be resumed, nor is it the one that resume finds" do
    with_stores do |from, to, folder|
      export(from, KEYS.first, folder)
      import(to, folder)
      Sequel.sqlite(File.join(folder, "other.db")) { |db| db[:runs].update(state: "interrupted") }
      resumed = mohs("resume", store: -> { to })
      assert_match(/interrupted/, resumed.err)

      experiment = Mohs::Experiment.new(store: to, env: { "HOME" => folder })
      error = assert_raises(Mohs::UsageError) { experiment.resume(KEYS.first) }
      assert_match(/imported/, error.message)
    end
  end

  # In a server's log, a wrong answer, a study, and packed.
  SECRET = "hunter2-Zq9"
  PASSWORD = "pg pass/7=?é"

  test "no secret of the environment or of the run is in the file" do
    env = { "API_TOKEN" => SECRET, "DATABASE_URL" => "postgres://u:#{CGI.escape(PASSWORD)}@h/d",
            "SECRET_WORD" => "postgres" }
    with_stores do |from, _, folder|
      vault = Mohs::Secrets::Vault.new(env: { "XDG_DATA_HOME" => folder })
      given = Mohs::Study.from_h({ app: "/srv", requests: [], variants: [],
                                   env: { "MY_KEY" => "s3cret-of-study" } })
      sealed = vault.seal(given)
      plan = { seed: 1, cohorts: [{ round: 1, position: 0, variants: ["a"] }] }
      run = from.create_run(study: sealed, plan:, fingerprint: {},
                            provenance: { argv: ["--env", "X=#{SECRET}"] })
      cohort = from.cohorts(run.id).first.id
      from.claim(cohort, "t")
      trial = from.start_trial(cohort, "a")
      log = "at #{SECRET} and #{PASSWORD} #{CGI.escape(PASSWORD)} s3cret-of-study on postgres"
      from.finish_trial(trial, { state: "failed", reason: "no #{SECRET}", log_tail: log,
                                 specimen: { body: "x#{SECRET}y" } })
      from.finish_cohort(cohort, :failed)
      from.finish_run(run.id, :interrupted)
      assert_equal 0, export(from, run.key, folder, env:).status
      text = Zlib.gunzip(File.binread(File.join(folder, "x.mohs"))).force_encoding("UTF-8")

      [SECRET, PASSWORD, CGI.escape(PASSWORD), "s3cret-of-study"].each do |one|
        refute_includes text, one
      end
      assert_includes text, "at [secret] and [secret]"
      assert_includes text, "on postgres"
    end
  end

  test "show says of a file that it has to be imported" do
    with_stores do |from, _, folder|
      export(from, KEYS.first, folder)
      File.rename("#{folder}/x.mohs", "#{folder}/x y.mohs")
      output = mohs("show", "x y.mohs", dir: folder)
      assert_equal 2, output.status
      assert_match(/: mohs import "x y\.mohs"\n\z/, output.err)
    end
  end

  test "what was typed wrong is said, and no file is left" do
    with_stores do |from, to, folder|
      store = { store: -> { from }, dir: folder }
      lines = [%w[export], %w[export f -o], %w[export -o -], %w[import], %w[import nothing.mohs]]
      assert_mistakes(nil, lines, name: "archives") { |*argv| mohs(*argv, **store) }
      unknown = mohs(*%w[export ffffff -o y], **store) # tells the newest runs
      assert_equal [2, ""], [unknown.status, unknown.out]
      assert_includes unknown.err, '"ffffff"'
      File.binwrite(File.join(folder, "x.mohs"), "no gzip")
      assert_equal 2, import(to, folder).status
      assert_equal %w[other.db x.mohs], (Dir.children(folder) - %w[other.db-wal other.db-shm]).sort
    end
  end

  test "a run that can't be shown is not imported" do
    with_stores do |from, to, folder|
      export(from, KEYS.first, folder)
      file = File.join(folder, "x.mohs")
      lines = Mohs::Archived.lines(file).map { |line| line.gsub(/"latency":\{[^}]*\}/, '"latency":[5]') }
      File.binwrite(file, Mohs::Archived.pack(lines))
      output = import(to, folder)

      assert_equal 1, output.status
      assert_match(/can't be (shown|read) \(\w+\)\. Nothing was imported/, output.err)
      assert_empty to.runs
    end
  end

  test "nor is one whose claims can't be read" do
    with_stores do |from, to, folder|
      export(from, KEYS.first, folder)
      file = File.join(folder, "x.mohs")
      lines = Mohs::Archived.lines(file)
      ['"x"', '{"file":["x"],"name":"x","tests":[]}'].each do |published|
        made = lines.map { |line| line.sub('"published":null', "\"published\":#{published}") }
        File.binwrite(file, Mohs::Archived.pack(made))
        output = import(to, folder)

        assert_equal 1, output.status
        assert_match(/can't be shown \(\w+\)\. Nothing was imported/, output.err)
        assert_empty to.runs
      end
    end
  end

  test "a run whose mohs was killed is exported as resume would find it" do
    with_stores do |from, to, folder|
      plan = { seed: 1, cohorts: [{ round: 1, position: 0, variants: ["a"] }] }
      study = { app: "/srv", requests: [], env: {}, baseline: "a",
                variants: [{ name: "a", env: {} }] }
      run = from.create_run(study:, plan:, fingerprint: {}, provenance: {})
      cohort = from.cohorts(run.id).first.id
      from.claim(cohort, "#{Socket.gethostname}:1:0")
      from.start_trial(cohort, "a")
      assert_equal 0, export(from, run.key, folder).status
      assert_equal 0, import(to, folder).status
      there = to.result(to.run(run.key).id)

      assert_equal %w[interrupted queued lost],
                   [there.state, there.cohorts.first.state, there.trials.first.state]
      assert_nil there.cohorts.first.token
      assert_equal "running", from.run(run.key).state
      text = Zlib.gunzip(File.binread(File.join(folder, "x.mohs")))
      refute_includes text, Socket.gethostname
    end
  end

  test "a run that is being measured is not exported" do
    with_stores do |from, _, folder|
      run = from.create_run(study: { app: "/srv", requests: [], variants: [], env: {} },
                            plan: { seed: 1, cohorts: [{ round: 1, position: 0, variants: [] }] },
                            fingerprint: {}, provenance: {})
      from.claim(from.cohorts(run.id).first.id, Mohs::Cohort::Token.own)
      assert_match(/is being measured/, export(from, run.key, folder).err)
      refute_path_exists File.join(folder, "x.mohs")
    end
  end
end
