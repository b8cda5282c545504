# frozen_string_literal: true

require "test_helper"
require "yaml"

class CiFileTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-gate"

  CI = Mohs::Gate::CiFile

  # Of docs/ci.md: an application at the top of its repository, with a .ruby-version.
  PAGE = { ruby: "3.4.5", ruby_source: ".ruby-version" }.freeze

  def file(service, folder: "", **facts)
    CI.new(service, app: Mohs::App.new(dir: "/srv/shop", **PAGE, **facts), folder:)
  end

  def parsed(service, ...)
    YAML.safe_load(file(service, ...).text)
  end

  CI::SERVICES.each_key do |name|
    test "docs/ci.md shows the file for #{name} as it is written" do
      page = File.read(File.join(Mohs.root, "docs/ci.md"), encoding: "UTF-8")
      shown = page.scan(/^```yaml\n(.*?)^```$/m).flatten

      assert_includes shown, file(name).text
      assert_includes page, "`#{file(name).path}`"
    end

    test "nothing of a template is left in the file for #{name}, whatever the application" do
      [{}, { folder: "apps/shop/" }, { ruby: nil, ruby_source: nil },
       { ruby: "2.7.8", ruby_source: ".ruby-version" }].each do |facts|
        text = file(name, **facts).text

        refute_match(/\{\{(?!\s)|^\s+$/, text.gsub("${{", ""))
        assert_kind_of Hash, YAML.safe_load(text)
      end
    end
  end

  def github(**facts) = parsed("github", **facts)["jobs"]["gate"]

  test "GitHub's job has the whole history, and passes when a gate is inconclusive" do
    steps = github["steps"]
    names = steps.map { |step| step["name"] || step["uses"][/\A[^@]+/] }

    assert_equal ["actions/checkout", "ruby/setup-ruby", "Install mohs", "Gate", "Comment"], names
    assert_equal 0, steps.first["with"]["fetch-depth"]
    assert_equal "mohs gate --comment mohs.md || [ $? -eq 11 ]", steps[3]["run"]
    assert_equal "always()", steps[4]["if"]
    refute steps[1].key?("with")
  end

  test "GitHub's actions are those of a commit, and its token may do no more than comment" do
    uses = github["steps"].filter_map { |step| step["uses"] }
    assert(uses.all? { |name| name.match?(/@\h{40}\z/) })
    assert_equal({ "contents" => "read", "pull-requests" => "write" },
                 parsed("github")["permissions"])
  end

  # What others may choose (a branch, a title) would be run as a part of the script.
  test "no expression of GitHub stands in a script" do
    scripts = github["steps"].filter_map { |step| step["run"] }
    assert_empty scripts.grep(/\$\{\{/)
  end

  test "an application in a folder is measured there, on its own Ruby" do
    job = github(folder: "apps/shop/", ruby: "3.3", ruby_source: "Gemfile")
    assert_equal "apps/shop", job["defaults"]["run"]["working-directory"]
    assert_equal({ "working-directory" => "apps/shop", "ruby-version" => "3.3" },
                 job["steps"][1]["with"])
    assert_equal ["gem install mohs", "cd apps/shop"],
                 parsed("gitlab", folder: "apps/shop")["mohs"]["script"].first(2)
    assert_includes parsed("buildkite", folder: "apps/shop")["steps"].first["command"],
                    "\ncd apps/shop\n"
  end

  test "GitLab's job has the image of the Ruby, the whole history, and passes on 11" do
    job = parsed("gitlab")["mohs"]

    assert_equal ["ruby:3.4.5", "0", [11]],
                 [job["image"], job["variables"]["GIT_DEPTH"], job["allow_failure"]["exit_codes"]]
    assert_equal ["gem install mohs", 'mohs gate --comment "$CI_PROJECT_DIR/mohs.md"'],
                 job["script"]
    assert_equal 1, job["after_script"].size
    assert_equal %w[ruby:3.4 ruby:3.4 ruby:3.4],
                 ["jruby-9.4", "2.7.8", nil].map { |ruby| parsed("gitlab", ruby:)["mohs"]["image"] }
  end

  test "Buildkite's step ends with the status of the gate, and passes on 11" do
    step = parsed("buildkite")["steps"].first

    assert_equal [{ "exit_status" => 11 }], step["soft_fail"]
    assert_includes step["command"], "mohs gate --comment mohs.md || status=$$?"
    assert step["command"].end_with?("exit $$status\n")
  end

  test "the service is the one that the project uses, else GitHub" do
    { ".gitlab-ci.yml" => "gitlab", ".buildkite/pipeline.yml" => "buildkite",
      ".github/x" => "github", "README" => "github" }.each do |path, service|
      with_files(path => "") { |top| assert_equal service, CI.service(nil, top:) }
    end
    with_files(".gitlab-ci.yml" => "") { |top| assert_equal "github", CI.service("github", top:) }
    error = assert_raises(Mohs::UsageError) { CI.service("gitlba", top: "/") }
    assert_includes error.message, "gitlab"
  end

  test "it says what is left to do" do
    assert_empty file("github").left
    assert_match(/MOHS_TOKEN/, file("gitlab").left.join)
    need = Mohs::App::Need.new(service: "redis", by: "config/cable.yml", host: nil, port: nil,
                               variables: [])
    assert_match(/\Aconfig\/cable.yml asks for redis: /, file("github", needs: [need]).left.first)
    assert_match(/install 2.7.8 beside 3.4/, file("github", ruby: "2.7.8").left.first)
    assert_said(file("github", ruby: nil).left.first)
    with_files("config/database.yml" => "") do |dir|
      assert_said(CI.new("github", app: Mohs::App.new(dir:, **PAGE)).left.first)
    end
  end

  # The step for the database of an application with these files, which is a comment.
  def database_step(service, *files)
    with_files(files.to_h { |path| [path, ""] }) do |dir|
      text = CI.new(service, app: Mohs::App.new(dir:, **PAGE)).text
      assert_equal(*[file(service).text, text].map { |one| one.lines.grep_v(/^ *# /) })
      step = text.lines - file(service).text.lines
      yaml = step.grep(/# (?:- |  )/)
      uncommented = yaml.inject(text) { |all, line| all.sub(line, line.sub("# ", "")) }
      assert_includes YAML.safe_load(uncommented).to_s, "bin/rails db:prepare"
      step.last.strip
    end
  end

  # mohs can't know which rows the pages need.
  test "an application with a database has a step for it, as a comment" do
    prepare = "bundle install && RAILS_ENV=production SECRET_KEY_BASE=unused bin/rails db:prepare"
    { "github" => "#   run: ", "gitlab" => "# - ", "buildkite" => "# " }.each do |name, before|
      assert_equal before + prepare, database_step(name, "config/database.yml")
      assert_equal "#{before}cp config/database.yml.example config/database.yml && #{prepare}",
                   database_step(name, "config/database.yml.example", "config/environment.rb")
    end
  end

  test "a folder that would need quotes is refused" do
    error = assert_raises(Mohs::UsageError) { file("github", folder: "a b/$(x)") }

    assert_said(error.message)
  end
end
