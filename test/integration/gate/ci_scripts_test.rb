# frozen_string_literal: true

require "test_helper"
require "open3"
require "yaml"

# The scripts of the files that `mohs gate --init` writes, as the services run them, with commands
# in place of mohs, gh, curl and buildkite-agent that note how they were called.
class CiScriptsTest < Mohs::TestCase
  # Each call is a line of its own file: the words, separated by tabs.
  NOTING = <<~'SH'
    #!/bin/sh
    { printf '%s' "$(basename "$0")"; printf '\t%s' "$@"; echo; } >> "$CALLS"
  SH
  COMMANDS = {
    "mohs" => "#{NOTING}printf '<!-- mohs gate shop -->\\n\\nslower\\n' > mohs.md\nexit $STATUS\n",
    "gh" => "#{NOTING}case \"$*\" in *--paginate*) echo \"$FOUND\" ;; esac\n",
    "curl" => "#{NOTING}case \"$*\" in *per_page*) printf '%s' \"$NOTES\" ;; esac\n",
    "gem" => NOTING, "git" => NOTING, "buildkite-agent" => "#{NOTING}cat > annotation.md\n",
  }.freeze

  def file(service)
    app = Mohs::App.new(dir: "/srv/shop", ruby: "3.4.5", ruby_source: ".ruby-version")
    YAML.safe_load(Mohs::Gate::CiFile.new(service, app:).text)
  end

  # [exit status, calls] of scripts that run one after the other in one folder.
  def run_in(folder, *scripts, **env)
    env = env.transform_keys(&:to_s).transform_values(&:to_s)
    calls = File.join(folder, "calls")
    env = { "PATH" => "#{folder}/bin:#{ENV.fetch('PATH')}", "CALLS" => calls, **env }
    statuses = scripts.map do |script|
      output, status = Open3.capture2e(env, "bash", "-e", "-c", script, chdir: folder)
      flunk output if status.exitstatus == 2 && output.include?("syntax")
      status.exitstatus
    end
    noted = File.exist?(calls) ? File.readlines(calls, chomp: true) : []
    [statuses, noted.map { |line| line.split("\t") }]
  end

  def with_commands
    with_files(COMMANDS.transform_keys { |name| "bin/#{name}" }) do |folder|
      COMMANDS.each_key { |name| File.chmod(0o755, File.join(folder, "bin", name)) }
      yield folder
    end
  end

  def github = file("github")["jobs"]["gate"]["steps"].filter_map { |step| step["run"] }

  { 0 => 0, 10 => 1, 11 => 0, 1 => 1 }.each do |status, expected|
    test "GitHub's step ends with #{expected} if mohs gate ends with #{status}" do
      with_commands do |folder|
        statuses, calls = run_in(folder, github[1], STATUS: status)

        assert_equal [expected], statuses
        assert_equal [%w[mohs gate --comment mohs.md]], calls
      end
    end
  end

  def commented(found)
    with_commands do |folder|
      env = { STATUS: 0, FOUND: found, COMMENTS: "repos/o/r/issues", NUMBER: 7 }
      statuses, calls = run_in(folder, github[1], github[2], **env)
      assert_equal [0, 0], statuses
      return calls.select { |name, *| name == "gh" }.drop(1)
    end
  end

  test "GitHub's comment is posted once, and edited from then on" do
    assert_equal [%w[gh api --silent --method POST repos/o/r/issues/7/comments
                     --field body=@mohs.md]], commented("")
    assert_equal [%w[gh api --silent --method PATCH repos/o/r/issues/comments/42
                     --field body=@mohs.md]], commented("42")
  end

  test "without a comment nothing is posted" do
    with_commands do |folder|
      statuses, calls = run_in(folder, github[2], COMMENTS: "x", NUMBER: 7)

      assert_equal [[0], []], [statuses, calls]
    end
  end

  def gitlab(notes, token: "secret")
    with_commands do |folder|
      FileUtils.mkdir_p(project = File.join(folder, "project"))
      job = file("gitlab")["mohs"]
      FileUtils.mkdir_p(scratch = File.join(folder, "scratch"))
      env = { STATUS: 0, CI_PROJECT_DIR: project, TMPDIR: scratch, CI_API_V4_URL: "https://gitlab.example/api/v4",
              CI_PROJECT_ID: 3, CI_MERGE_REQUEST_IID: 7, MOHS_TOKEN: token, NOTES: notes }
      File.write(File.join(project, "mohs.md"), "<!-- mohs gate shop -->\n")
      FileUtils.cp_r(File.join(folder, "bin"), project, preserve: true)
      statuses, calls = run_in(project, job["after_script"].first, **env)

      assert_equal [0], statuses
      refute_includes calls.flatten.join, "secret"
      assert_empty Dir[File.join(scratch, "*")]
      return calls.drop(1)
    end
  end

  test "GitLab's note is posted once, and edited from then on" do
    mine = '[{"id": 1, "body": "other"}, {"id": 9, "body": "<!-- mohs gate shop -->\\nx"}]'
    address = "https://gitlab.example/api/v4/projects/3/merge_requests/7/notes"

    sent = [["[]", "POST", address], [mine, "PUT", "#{address}/9"]].map do |notes, *expected|
      calls = gitlab(notes).map { |call| [call[call.index("--request") + 1], call.last] }
      [calls, [expected]]
    end
    sent.each { |calls, expected| assert_equal expected, calls }
    assert_empty gitlab("[]", token: "")
  end

  [0, 10, 11].each do |status|
    test "Buildkite's step ends with #{status} as mohs gate does, with an annotation" do
      with_commands do |folder|
        script = file("buildkite")["steps"].first["command"].gsub("$$", "$")
        statuses, calls = run_in(folder, script, STATUS: status,
                                                 BUILDKITE_PULL_REQUEST_BASE_BRANCH: "main")

        assert_equal [status], statuses
        assert_equal %w[git gem mohs buildkite-agent], calls.map(&:first)
        assert_includes File.read(File.join(folder, "annotation.md")), "slower"
      end
    end
  end
end
