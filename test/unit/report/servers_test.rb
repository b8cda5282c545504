# frozen_string_literal: true

require "test_helper"

# What is verified, refused and untried of servers: the document and its screen.
class ServersReportTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  Result = Mohs::Verification::Result
  Model = Mohs::Report::ServersModel
  RUBIES = Mohs::FakeRubies.usual.all.select(&:ok?)

  def seen(**traits)
    traits.transform_values do |seen|
      Result::Trait.new(**(seen.is_a?(Hash) ? seen : { seen: }))
    end
  end

  GOOD = { threads: true, keep_alive: true, streaming: true, websocket: true, proxy_needed: false,
           counted: true, survives: true, drains: true, ends: true, restarts: true,
           reports: true }.freeze

  SILENT = Mohs::Reason.new(summary: "no answer", remedy: "Wait.", code: "silent")
  OLD = Mohs::Reason.new(summary: "itsi-server needs Ruby 3.0", remedy: "Use another.",
                         code: "needs_ruby", values: { gem: "itsi-server", ruby: "3.0" })

  def results
    four = { seen: false, asked: 1000, counted: 4 }
    { "puma" => verified("8.0.2", **GOOD, processes: true, unix: true, preload: true,
                                          workers: true, connections: four),
      "falcon" => verified("0.51.1", **GOOD, threads: { seen: false, asked: 3, counted: 1 },
                                              unix: { seen: false, reason: SILENT },
                                              connections: { seen: true, asked: 1000,
                                                             counted: 1000 },
                                              drains: false),
      "unicorn" => verified("6.1.0", keep_alive: false, proxy_needed: true),
      "itsi" => Result.new(state: "refused", reason: OLD, log_tail: "no", traits: {}, at_ms: 5) }
  end

  def verified(version, **traits)
    Result.new(state: "verified", version:, traits: seen(**traits), at_ms: 5, seconds: 9.5)
  end

  def made(names, rubies, &results)
    Model.document(names.map { |name| Mohs::Servers.fetch(name) }, rubies, results:,
                   refusal: Mohs::Verification.method(:refusal))
  end

  # On the first two Rubies.
  def document(names = %w[falcon itsi mizuno puma unicorn])
    tried = RUBIES.first(2).map(&:name)
    made(names, RUBIES) { |server, ruby| results[server.label] if tried.include?(ruby.name) }
  end

  # Of two servers on two Rubies: heading => notes as [servers, rubies, text].
  def sections(&results)
    document = made(%w[puma thin], RUBIES.first(2), &results)
    Mohs::Report::ServersMatrix.new(document).sections.transform_values do |notes|
      notes.map(&:to_a)
    end
  end

  def server(name) = document[:servers].find { |one| one[:name] == name }

  test "a server's state is the best that is known of it" do
    assert_equal({ "falcon" => "verified", "itsi" => "untried", "mizuno" => "untried",
                   "puma" => "verified", "unicorn" => "verified" },
                 document[:servers].to_h { |one| one.values_at(:name, :state) })
    cruby = made(%w[mizuno], RUBIES.first(1)) { nil }
    assert_said(*cruby[:servers].first.values_at(:state, :reason))
  end

  test "a cell has what was claimed and what was seen" do
    falcon = server("falcon")[:rubies]

    assert_equal %w[verified verified untried refused], falcon.map { |cell| cell[:state] }
    assert_equal [{ claimed: true, seen: false }, { claimed: true, seen: nil }],
                 falcon.values_at(0, 2).map { |cell|
                   cell[:capabilities][:threads].slice(:claimed, :seen)
                 }
    assert_equal "0.51.1", server("falcon")[:version]
    assert_equal({ claimed: nil, seen: nil, asked: nil, counted: nil, reason: nil, summary: nil,
                   code: nil, values: nil },
                 falcon[2][:capabilities][:streaming])
  end

  test "what mohs refuses is refused whatever was seen before" do
    tried = made(%w[unicorn], RUBIES.last(1)) { verified("6", keep_alive: true) }
    cell = tried[:servers].first[:rubies].first

    assert_equal ["refused", "does not run on jruby", nil, nil],
                 [*cell.values_at(:state, :reason), cell[:capabilities][:keep_alive][:seen],
                  cell[:tried_ms]]
  end

  test "a reason has its code and values beside its words" do
    assert_equal ["itsi-server needs Ruby 3.0\nUse another.", OLD.code, OLD.values],
                 server("itsi")[:rubies].first.values_at(:reason, :code, :values)
    assert_equal ["does not run on jruby", "server_engine",
                  { server: "itsi", engine: "jruby" }],
                 server("itsi")[:rubies].last.values_at(:reason, :code, :values)
    assert_equal ["no answer\nWait.", "silent", {}],
                 server("falcon")[:rubies].first[:capabilities][:unix].values_at(:reason, :code,
                                                                               :values)
  end

  test "claims about conduct are compared with what was seen, as those about capabilities" do
    broken = { restarts: { seen: false, reason: SILENT }, unix: false, drains: true }
    found = sections { verified("1", **broken) }

    assert_equal [[%w[puma thin], %w[2.7.4 3.1.2], "unix"],
                  [%w[puma thin], %w[2.7.4 3.1.2], "restarts, no answer"]],
                 found["Claimed, but not seen:"]
    assert_equal [[%w[puma thin], %w[2.7.4 3.1.2], "can't listen on the same port again at once"]],
                 found["Seen on this machine:"]
  end

  test "reasons of one code and values are one, whatever their words, and others are not" do
    found = sections do |server, ruby|
      values = { gem: server.label == "thin" ? "a" : ruby.name }
      reason = Mohs::Reason.new(code: "gem_not_built", values:, summary: "no #{server.label}: " \
                                                                        "#{ruby.name}")
      Result.new(state: "refused", reason:, traits: {}, at_ms: 5)
    end

    assert_equal [[%w[puma], %w[2.7.4], "no puma: 2.7.4"], [%w[puma], %w[3.1.2], "no puma: 3.1.2"],
                  [%w[thin], %w[2.7.4 3.1.2], "no thin: 2.7.4"]], found["Refused when tried:"]
  end

  test "reasons without a code are one if they say the same of their servers" do
    found = sections do
      reason = Mohs::Reason.new(code: nil, summary: "no gem")
      Result.new(state: "refused", reason:, traits: {}, at_ms: 5)
    end

    assert_equal [[%w[puma thin], %w[2.7.4 3.1.2], "no gem"]], found["Refused when tried:"]
  end

  test "connections that were held are a number, and whether it is more, and of what kind" do
    counts = { "puma" => [true, 4], "falcon" => [true, 1000], "webrick" => [false, 1000],
               "iodine" => [false, 37], "thin" => [nil, nil] }
    document = made(counts.keys, RUBIES.first(2).last(1)) do |server, _|
      streaming, counted = counts.fetch(server.label)
      held = { seen: counted == 1000, asked: 1000, counted: }
      verified("1", **{ streaming:, connections: (held if counted) }.compact)
    end
    matrix = Mohs::Report::ServersMatrix.new(document)
    at = Mohs::Report::ServersMatrix::TITLES.keys.index(:connections)

    assert_equal({ "puma" => "4", "falcon" => "1 000+", "webrick" => "1 000+ kept",
                   "iodine" => "37 kept", "thin" => "?" },
                 matrix.rows.to_h { |row| [row.server, row.marks[at]] })
    assert_empty matrix.conduct
    assert_equal ["N", "N+", "N kept"], matrix.legend.keys.grep(/N/)
    assert_equal [], Mohs::Report::ServersMatrix.new(made(%w[puma], RUBIES.first(1)) { nil })
                                                .legend.keys.grep(/N/)
  end

  test "the legend explains the forms of the number that occur, and no other" do
    forms = { [true, 4] => ["N"], [true, 1000] => ["N", "N+"], [false, 37] => ["N kept"],
              [false, 1000] => ["N+", "N kept"] }

    found = forms.to_h do |(streaming, counted), _|
      document = made(%w[puma], RUBIES.first(1)) do
        verified("1", streaming:, connections: { seen: counted == 1000, asked: 1000, counted: })
      end
      [[streaming, counted], Mohs::Report::ServersMatrix.new(document).legend.keys.grep(/N/)]
    end
    assert_equal forms, found
  end

  test "a server that did not survive holding connections has no number but a note" do
    died = Mohs::Reason.new(summary: "died under load", remedy: "Look.", code: "died_under_load")
    document = made(%w[agoo], RUBIES.first(1)) do
      verified("1", connections: { seen: false, asked: 1000, reason: died })
    end
    matrix = Mohs::Report::ServersMatrix.new(document)

    assert_equal ["died under load while it had to hold connections"], matrix.conduct.map(&:text)
    assert_equal "no", matrix.rows.first.marks[matrix.class::TITLES.keys.index(:connections)]
  end

  test "every mark of claims and sights is explained, and unlike the others" do
    matrix = Mohs::Report::ServersMatrix
    marks = [true, false, nil].product([true, false, nil])

    assert_equal marks.sort_by(&:to_s), matrix::MARKS.keys.sort_by(&:to_s)
    assert_equal matrix::LEGEND.keys.sort, matrix::MARKS.values.uniq.sort
    seen, unseen = matrix::MARKS.partition { |(_, seen), _| !seen.nil? }
    assert_empty seen.map(&:last) & unseen.map(&:last)
  end

  def shown(document)
    style = Mohs::Report::Terminal::Style.new
    Mohs::Report::Terminal::ServersScreen.new({ **document, fronts: FRONTS }, style:).to_s
  end

  FRONTS = [{ name: "nginx", state: "ok", reason: nil, program: "/usr/sbin/nginx", gem: nil,
              unix: true },
            { name: "thruster", state: "ok", reason: nil, program: nil, gem: "thruster",
              unix: false }].freeze

  test "the screen" do
    assert_golden("servers", shown(document))
  end

  test "the screen where nothing was found to run" do
    assert_match(/\ANo server can run on the Rubies found here.\n\nin front/,
                 shown({ servers: [] }))
  end
end
