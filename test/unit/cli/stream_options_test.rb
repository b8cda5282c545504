# frozen_string_literal: true

require "test_helper"

# --stream of commands that measure a study; that of `mohs load` is in
# test/integration/cli/load_stream_test.rb.
class CLIStreamOptionsTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

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
    assert_equal [100.0, 5.0, "sse", nil], given.to_a.first(4)
    assert_equal [nil, 1.0, "websocket", 100], declared("run", "--websocket").to_a.first(4)
    given = declared("run", "--websocket", "--rate", "20", "--open-rate", "50", "--slice", "2s")
    assert_equal [50.0, 2.0, "websocket", 20.0], given.to_a.first(4)
    assert_equal "opening", declared("run", "--websocket", "--rate", "0").timed
  end

  test "run declares a channel of ActionCable, and messages to all that joined it" do
    channel = '{"channel":"ChatChannel"}'

    assert_equal ["websocket", 0, channel, "echo", false],
                 declared("run", "--cable", "ChatChannel").to_a[2, 5]
    assert_equal ["websocket", 10, channel, "say", true],
                 declared("run", "--cable", "ChatChannel", "--action", "say", "--fan-out")
                   .to_a[2, 5]
    assert_equal ["websocket", 5, nil, nil, true],
                 declared("run", "--websocket", "--fan-out", "--rate", "5").to_a[2, 5]
    run_command("run", "--cable", "ChatChannel", "--header", "Cookie: a=1")
    assert_equal [["/cable", { "Cookie" => "a=1" }]],
                 (@experiment.declaration[:requests].map { |one| [one.path, one.headers] })
  end

  test "run declares the path to which messages to all streams are posted" do
    assert_equal ["sse", 10, nil, nil, true, "/publish"],
                 declared("run", "--stream", "--publish", "/publish").to_a.last(6)
    given = declared("run", "--stream", "--fan-out", "--publish", "/publish", "--rate", "5")
    assert_equal ["sse", 5, nil, nil, true, "/publish"], given.to_a.last(6)
    assert_equal "fan-out", given.timed
  end

  test "options of streams need --stream or --websocket, which exclude each other" do
    typed = [
      "--open-rate 5",
      "--slice 5s",
      "--rate 5",
      "--stream --rate 5",
      "--action say",
      "--fan-out",
      "--publish /a",
      "--stream --fan-out",
      "--websocket --publish /a",
      "--stream --publish /a --rate 0",
      "--stream --publish a",
      "--websocket --fan-out --rate 0",
      "--websocket --rate x",
      "--websocket --rate -1",
      "--stream --websocket",
    ]

    assert_told "mistakes-streams", typed.to_h { |words|
      [words, run_command("run", *words.split).err]
    }
  end

  test "a load drops a share that leaves its connections time to be open again" do
    typed = ["20", "0%", "-1%", "101%", "x%", "%", "nan%", "60% -c 100 -d 3s --open-rate 50"]

    assert_told "mistakes-drop", typed.to_h { |words|
      [words, mohs("load", "127.0.0.1:1", "--stream", "--drop", *words.split).err]
    }
  end

  test "commands that don't measure streams say which do" do
    typed = %w[tune gate bisect jobs].product(%w[--stream --websocket])
    errors = typed.map { |words| mohs(*words).err }

    assert_equal ["mohs run, mohs compare, mohs track and mohs load have it"],
                 errors.map { |text| text[/unknown option --\w+: (.*) \(/, 1] }.uniq
  end
end
