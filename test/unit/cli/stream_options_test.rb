# frozen_string_literal: true

require "test_helper"

# --stream of commands that measure a study; that of `mohs load` is in
# test/integration/cli/load_stream_test.rb.
class CLIStreamOptionsTest < Mohs::TestCase
  include Mohs::CLIHelper

  def run_command(*argv)
    with_files("config.ru" => "") do |folder|
      rows = fixture_document[:rows].first(5)
      @experiment = FakeExperiment.new(document: fixture_document(rows:), study: fixture_study,
                                       plan: fixture_study.procedure.plan(seed: 1))
      return mohs(*argv, dir: folder, experiment: -> { @experiment })
    end
  end

  def declared(*argv)
    output = run_command(*argv)
    assert_equal [0, ""], [output.status, output.err]
    @experiment.declaration[:streams]
  end

  test "run declares streams as they are typed" do
    assert_nil declared("run")
    assert_equal Mohs::Study::Streams.new, declared("run", "--stream", "--get", "/events")
    given = declared("run", "--stream", "--open-rate", "100", "--slice", "5s")
    assert_equal [100.0, 5.0], given.to_a
  end

  test "options of streams need --stream" do
    errors = [%w[--open-rate 5], %w[--slice 5s]].map { |words| run_command("run", *words).err }

    assert_equal %w[--open-rate --slice].map { |name| "mohs: #{name} is for --stream.\n" }, errors
  end

  test "commands that don't measure streams say which do" do
    errors = %w[tune gate bisect jobs].map { |name| mohs(name, "--stream").err }

    assert_equal ["mohs run, mohs compare and mohs load have it"],
                 errors.map { |text| text[/unknown option --stream: (.*) \(/, 1] }.uniq
    assert_match(/unknown option --websocket: mohs load has it/, mohs("run", "--websocket").err)
  end
end
