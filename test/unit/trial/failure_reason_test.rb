# frozen_string_literal: true

require "test_helper"

class EndingTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-trial"

  FailureReason = Mohs::Trial::FailureReason
  Step = Struct.new(:errors)
  LOG = "config.ru:1:in `x': no luck (ArgumentError)\n"

  def unbooted(summary, remedy: nil, **state)
    reason = Mohs::Reason.new(summary:, remedy:, code: "ended", values: { status: "exit 1" })
    FailureReason.unbooted(reason, **state)
  end

  test "a log that is known explains it, another is quoted, but not of a server that lives" do
    known = unbooted("it ended", log: "cannot load such file -- nokogiri\n", alive: true)

    assert_match(/\Ait ended\. [A-Z].*nokogiri/, known.summary)
    assert_said(known.remedy)
    assert_equal ["library_missing", { library: "nokogiri" }], [known.code, known.values]
    quoted = unbooted("it ended", log: LOG, alive: false)
    assert_equal "it ended: no luck (ArgumentError)", quoted.summary
    assert_equal ["ended", { status: "exit 1", last: "no luck (ArgumentError)" }], quoted.cause
    assert_equal "no answer", unbooted("no answer", log: LOG, alive: true).summary
  end

  test "a crash is told before what the log complained of, and is one cause at any address" do
    log = "127.0.0.1:11211 failed (count: 1) x\na.rb:1: [BUG] Segmentation fault at 0x%016x\n"
    one, other = [8, 16].map { |at| unbooted("it ended", log: format(log, at), alive: false) }

    assert_equal "it ended: a.rb:1: [BUG] Segmentation fault at 0x0000000000000008", one.summary
    assert_equal one.cause, other.cause
    assert_equal "memcached_away",
                 unbooted("it ended", log: log.lines.first, alive: false).code
  end

  test "a server that lives, but not its workers, is quoted" do
    log = "[7] ! Unable to start worker\n[7] no luck\n[7] config.ru:1:in 'x'\n"

    assert_equal "no answer: no luck", unbooted("no answer", log:, alive: true).summary
  end

  test "what to try about it stays" do
    assert_equal "try b", unbooted("it ended", remedy: "try b", log: LOG, alive: false).remedy
  end

  # CodeTriage's seeds require faker, which its lockfile has for development only.
  test "seeds that fail are left out, rather than given what production lacks" do
    missing = "LoadError: cannot load such file -- faker (LoadError)\n"
    remedy = lambda do |log, own: false|
      known = Mohs::App::KnownErrors.explain(log:)
      FailureReason.unprepared("db:prepare", log, status: "exit 1", known:, own:).remedy
    end
    seeds = "/srv/shop/db/seeds.rb:8:in '<main>'\n"

    [missing + seeds, "no luck\n#{seeds.sub('seeds', 'seeds/users')}"].each do |log|
      [true, false].each do |own|
        assert_includes remedy.call(log, own:), "--prepare \"bin/rails db:schema:load\""
      end
    end
    assert_includes remedy.call("#{missing}/srv/shop/lib/x.rb:8:in 'y'\n"), "Gemfile"
    assert_includes remedy.call("key not found: \"MAIL\"\n#{seeds}"), "--env MAIL"
    assert_includes remedy.call("no luck\n"), "db:schema:load"
    assert_nil remedy.call("no luck\n", own: true)
  end

  Variant = Mohs::Study::Variant
  YOURS = Variant.new(name: "yours", ruby: "3.4.5", own_jit: true)

  test "two variants with the same JIT: and who turned it on" do
    attested = { jit: "yjit", jit_by_app: { jit: "yjit", where: "config/application.rb:24" } }
    flag = Variant.new(name: "3.4.5 --yjit", ruby: "3.4.5", flags: ["--yjit"])
    reason = FailureReason.same_jit(attested, flag, YOURS, ["--yjit"])

    assert_match(%r{\Ayours and 3\.4\.5 --yjit .*YJIT: .*\(config/application\.rb:24\)\z},
reason.summary)
    assert_equal ["same_jit", { jit: "yjit", where: "config/application.rb:24", flag: "--yjit" }],
                 reason.cause
    without = Variant.new(name: "3.4.5", ruby: "3.4.5")
    none = FailureReason.same_jit({ jit: "off" }, without, YOURS, [])
    assert_match(/\Ayours and 3\.4\.5 both .*without a JIT: /, none.summary)
  end

  test "variants that differ only in who decides about the JIT" do
    flag, other = %w[--yjit --yjit-exec-mem-size=64].map { |one| ["--yjit", one].uniq }
    variant = ->(**members) { Variant.new(name: "b", ruby: "3.4.5", **members) }

    assert YOURS.same_but_for_jit?(variant.call(flags: flag))
    assert YOURS.same_but_for_jit?(variant.call(flags: ["--jit"]))
    assert YOURS.same_but_for_jit?(variant.call(env: { "RUBY_YJIT_ENABLE" => "1" }))
    assert variant.call.same_but_for_jit?(YOURS)
    assert variant.call.same_but_for_jit?(variant.call(flags: ["--yjit-disable"], own_jit: true))
    refute YOURS.same_but_for_jit?(variant.call(flags: other))
    %w[jruby truffleruby].each do |engine|
      yours = variant.call(name: "yours", engine:, own_jit: true)
      refute yours.same_but_for_jit?(variant.call(engine:)), "an application turns none on there"
    end
    refute YOURS.same_but_for_jit?(variant.call(env: { "A" => "1" }))
    refute variant.call.same_but_for_jit?(variant.call(flags: flag))
  end

  test "errors of several steps are summed up" do
    steps = [{ "timeout" => 2 }, {}, { "timeout" => 1, "wrong_body" => 3 }].map { |e| Step.new(e) }

    summed = FailureReason.unanswered(steps)

    assert_match(/\Ano correct .*: 3 timeout, 3 wrong body\z/, summed.summary)
    assert_match(/\Ano correct .*: no response\z/, FailureReason.unanswered([Step.new({})]).summary)
    assert_equal ["no_right_answers", { errors: %w[timeout wrong_body] }], summed.cause
    assert_equal summed.cause, FailureReason.unanswered(steps.first(1) + steps).cause
  end
end
