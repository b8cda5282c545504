# frozen_string_literal: true

require "test_helper"

# What holds of every notation and every study, whatever is typed.
class StudyPropertiesTest < Mohs::TestCase
  include Mohs::CLIHelper

  WORDS = ["3.4.5", "jruby-9.4", "--yjit", "-W0", "puma:2x5", "puma", "pumaa", "falcon:",
           "puma:0x0", "webrick:3",
           "A=1", "A=", "=1", "yjit::", "::", ":", ",", ", ", " ", "\t", "\n", "'", "\"", "\\",
           "@main", "@", "Gemfile", "a.rb", "./b.gemfile", "Gemfile.lock",
           "http://x", "/opt/ruby/bin/ruby", "é", "日本", "\0", "--", "-", "x" * 300,
           "puma:9999999999999x1", "$(id)"].freeze

  def random = @random ||= Random.new(7)

  def typed
    Array.new(random.rand(0..6)) { WORDS.sample(random:) }.join(["", " ", ", "].sample(random:))
  end

  test "whatever is typed as a variant is read, or a mistake that says so in a line" do
    count = times(500, 5000)
    read = count.times.count do
      notation = Mohs::Study::Notation.parse(text = typed)
      assert_predicate notation, :frozen?
      assert notation.ruby || notation.server || notation.flags.any? || notation.env.any? ||
             notation.revision || notation.gemfile || notation.config || notation.url
      again = Mohs::Study::Notation.parse(notation.to_s)
      assert_equal notation, again unless text.match?(/\0|,,|\A\s*,/)
    rescue Mohs::UsageError => error
      refute_empty error.message
      false
    end

    assert_operator read, :>, count / 50
  end

  test "bytes that are no text are a mistake too" do
    ["\xFF", "3.4.5 \xC3", "A=\xFE", "puma:\x80"].each do |text|
      Mohs::Study::Notation.parse(text)
    rescue Mohs::UsageError => error
      assert_predicate error.message, :valid_encoding?
    else
      flunk "#{text.inspect} was taken for a variant"
    end
  end

  test "what was read is read again from its parts" do
    [["3.4.5", "--yjit"], ["jruby-9.4", "-J-Xmx1g", "puma:1x5"],
     ["falcon:2", "A=1", "B=2"], ["@main", "Gemfile.next", "puma", "a.rb"]].each do |parts|
      one = Mohs::Study::Notation.parse(parts.join(", "))

      parts.permutation { |order| assert_equal one, Mohs::Study::Notation.parse(order.join(", ")) }
    end
  end

  def random_text = WORDS.sample(random:).delete("\0")

  def random_variant(index)
    Mohs::Study::Variant.new(
      name: "v#{index} #{random_text}", ruby: "3.4.5", engine: %w[ruby jruby].sample(random:),
      flags: [random_text],
      server: "puma", processes: random.rand(1..4), threads: [nil, 5].sample(random:),
      env: { "A_#{index}" => random_text },
      refusal: random_reason,
      refusal_log: [nil, "a\nb"].sample(random:), gemfile: [nil, random_text].sample(random:),
      revision: [nil, { typed: "@main", commit: "a1" * 20 }].sample(random:),
      config: [nil, random_text].sample(random:),
    )
  end

  def random_reason
    text = -> { [nil, random_text].sample(random:) }
    summary = text.call
    summary && Mohs::Reason.new(summary:, remedy: text.call, code: text.call,
                                values: { text: text.call, flags: [random_text] })
  end

  def random_study
    variants = Array.new(random.rand(1..5)) { |index| random_variant(index) }
    requests = Array.new(random.rand(1..3)) do |index|
      Mohs::App::Request.build(method: %w[get post].sample(random:), path: "/#{index}?q=%20",
                               headers: { "X-Own-#{index}" => "é" },
                               body: [nil, "{\"a\": 1}"].sample(random:), weight: index + 1)
    end
    fixture_study(requests:, variants:, baseline: variants.last.name,
                  env: { "FREE name" => random_text },
                  connections: [nil, 8].sample(random:), budget_s: [nil, 90.5].sample(random:))
  end

  test "every study survives JSON whole" do
    100.times do
      study = random_study
      again = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

      assert_equal study, again
      assert_equal study.load_connections, again.load_connections
    end
  end

  test "every study goes through a store and comes back the same" do
    with_files do |dir|
      store = Mohs::Store.open("sqlite://#{dir}/mohs.db")
      5.times do
        study = random_study
        plan = fixture_study.procedure.plan(seed: 1)
        key = store.create_run(study:, plan:, fingerprint: {}, provenance: {}).key

        assert_equal study, store.run(key).study
        assert_equal plan, store.run(key).plan
      end
    ensure
      store&.close
    end
  end

  test "a variant that can't run takes no part in how many connections there are" do
    small = Mohs::Study::Variant.new(name: "small", processes: 1, threads: 1,
                                     refusal: Mohs::Reason.parse("does not run on jruby"))

    assert_equal 4, fixture_study(variants: [*fixture_study.variants, small]).load_connections
  end
end
