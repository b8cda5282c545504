# frozen_string_literal: true

require "test_helper"

# What is typed is checked before anything is planned, installed or waited for.
class CLITypedTest < Mohs::TestCase
  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  NOBODY = "http://127.0.0.1:1"

  # argv => exit status, what the line says.
  MISTAKES = {
    ["--variant", "#{RUBY_VERSION} --yjti, mock"] =>
      [2, "with --yjti: invalid option --yjti"],
    ["--variant", "#{RUBY_VERSION} -w2, mock"] => [2, "invalid option -2"],
    ["--variant", "#{RUBY_VERSION}, mock, RUBYOPT=--yjti"] => [2, "invalid"],
    ["compare", "#{RUBY_VERSION}, mock", "#{RUBY_VERSION} --env X=1, mock"] =>
      [2, "mohs compare \"#{RUBY_VERSION}, mock\" \"#{RUBY_VERSION}, mock, X=1\""],
    ["compare", "#{RUBY_VERSION}, mock", NOBODY] =>
      [4, "listening on #{NOBODY}. "],
    ["--variant", NOBODY] => [4, "listening on #{NOBODY}"],
  }.freeze

  MISTAKES.each_with_index do |(argv, (status, text)), index|
    test "mistake #{index + 1} ends before there is a plan" do
      with_files(APP) do |dir|
        mohs = Mohs::MohsCommand.new(dir)
        plans = [argv, [*argv, "--dry-run"]].map { |words| mohs.call(*words) }

        plans.each do |result|
          assert_equal [status, ""], [result.status.exitstatus, result.out], result.err
          assert_includes result.err, text
          refute_match(/variant, |first look|another mohs/, result.err)
        end
        assert_empty mohs.call("list", "--json").json[:runs]
      end
    end
  end

  test "without a word, nothing but what the Gemfile allows is planned" do
    with_files({ **APP, "Gemfile" => "ruby \"#{RUBY_VERSION}\"\n" }) do |dir|
      study = Mohs::MohsCommand.new(dir).call("--dry-run", "--json").json[:study]

      assert_equal [RUBY_VERSION], study[:variants].map { |variant| variant[:ruby] }.uniq
      assert_equal ["Gemfile", study[:variants].first[:name]],
                   study.values_at(:baseline_reason, :baseline)
      assert_empty study[:omitted].select { |one| one[:why].nil? && one[:name].match?(/\A\d\S*\z/) }
    end
  end

  test "where the Gemfile allows no Ruby of this machine, that is the answer" do
    with_files({ **APP, "Gemfile" => "ruby \"~> 99.0\"\n" }) do |dir|
      result = Mohs::MohsCommand.new(dir).call("--dry-run")

      assert_equal [4, ""], [result.status.exitstatus, result.out]
      assert_match(/^mohs: no Ruby .*ruby "~> 99\.0" .*Gemfile: found /,
                   result.err)
    end
  end

  test "flags that are known, and a variable that no interpreter reads, are planned" do
    with_files(APP) do |dir|
      result = Mohs::MohsCommand.new(dir).call("--variant", "#{RUBY_VERSION} -W0, mock, A=--yjti",
                                               "--dry-run")

      assert_equal 0, result.status.exitstatus, result.err
    end
  end
end
