# frozen_string_literal: true

require "test_helper"
require "json"
require "open3"

# exe/mohs as a process of its own: once per command, with a home that is empty.
class ExeTest < Mohs::TestCase
  EXE = File.join(Mohs.root, "exe/mohs")
  SETUP = File.join(Mohs.root, "vendor/bundle/bundler/setup.rb")

  def mohs(*argv, env: {}, dir: Dir.tmpdir)
    with_files do |home|
      folders = { "XDG_DATA_HOME" => "#{home}/data", "XDG_CACHE_HOME" => "#{home}/cache",
                  "MOHS_DATABASE_URL" => nil,
                  "PATH" => "/usr/bin:/bin", "HOME" => home, "RUBYOPT" => nil }
      return Open3.capture3(folders.merge(env), "ruby", "-r", SETUP, EXE, *argv, chdir: dir,
                                                                                 stdin_data: "")
    end
  end

  # argv => exit status, what stdout begins with, what stderr begins with.
  COMMANDS = {
    %w[--version] => [0, "mohs #{Mohs::VERSION}\n", ""],
    %w[help] => [0, "mohs measures how", ""],
    %w[help resume] => [0, "Continues a run", ""],
    %w[docs matrix] => [0, "# The matrix", ""],
    %w[servers] => [0, "server ", ""],
    %w[doctor --fix --undo] => [2, "", "mohs: --fix and --undo can't be combined."],
    %w[list] => [0, "No runs yet.", ""],
    %w[gc] => [0, "runs  ", ""],
    %w[show 7c1a] => [2, "", "mohs: no run 7c1a"],
    %w[resume 7c1a] => [2, "", "mohs: no run 7c1a"],
    %w[explain 7c1a] => [2, "", "mohs: no run 7c1a"],
    %w[export 7c1a -o x.mohs] => [2, "", "mohs: no run 7c1a"],
    %w[import none.txt] => [2, "", "mohs: none.txt is not"],
    %w[load http://127.0.0.1:1/] => [4, "", "mohs: nothing"],
    %w[repro nothing] => [2, "", "mohs: no published study"],
    %w[run none.yml] => [2, "", "mohs: study file"],
    %w[--app /nowhere --dry-run --quiet] => [2, "", "mohs: no such folder: /nowhere"],
    %w[rubies --flags] => [2, "", "mohs: unknown option --flags."],
    %w[bisect] => [2, "", "mohs: an argument"],
    %w[profile] => [2, "", "mohs: unknown command \"profile\""],
  }.freeze

  # Where nothing is known of the Rubies it starts each of them, also the JVMs; the cache of the
  # other tests knows them.
  ENVIRONMENTS = { %w[servers] => { "XDG_CACHE_HOME" => Mohs::AppProcess::CACHE } }.freeze

  COMMANDS.each do |argv, (status, out_start, err_start)|
    test "mohs #{argv.join(' ')}" do
      out, err, process = mohs(*argv, env: ENVIRONMENTS.fetch(argv, {}))

      assert_equal status, process.exitstatus, err
      out_start.empty? ? assert_empty(out) : assert_operator(out, :start_with?, out_start)
      err_start.empty? ? assert_empty(err) : assert_operator(err, :start_with?, err_start)
    end
  end

  test "a version under --json is one document" do
    out, = mohs("--version", "--json")

    assert_equal({ "mohs" => Mohs::VERSION, "schema" => 1, "command" => "version" },
                 JSON.parse(out))
  end

  test "the version is told without loading anything else of mohs" do
    script = "ARGV.replace(%w[--version]); load #{EXE.dump}"
    script = "at_exit { puts $LOADED_FEATURES.grep(/mohs|zeitwerk|optparse|json/) }; #{script}"
    out, = Open3.capture2("ruby", "-e", script)

    assert_equal ["mohs #{Mohs::VERSION}", File.join(Mohs.root, "lib/mohs/version.rb")],
                 out.lines(chomp: true)
  end

  test "a shell without a locale reads files as UTF-8 all the same" do
    with_files("config.ru" => "run 1", "study.yml" => "env: {NAME: Čapek}\nroundz: 1\n") do |folder|
      _, err, process = mohs("run", dir: folder, env: { "LC_ALL" => "C", "LANG" => "C" })

      assert_equal 3, process.exitstatus
      assert_equal "mohs: study.yml: roundz: no such key. Did you mean rounds?\n", err
    end
  end

  test "output that nobody reads is no fault" do
    out, status = Open3.capture2e("ruby -r #{SETUP} #{EXE} help | true; echo done")

    assert_equal ["done\n", true], [out, status.success?]
  end
end
