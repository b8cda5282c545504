# frozen_string_literal: true

require "test_helper"

module Mohs
  module Report
    class GateReportTest < TestCase
      include Screens

      CONTRACT = JSONContract.new("`gate`")
      BASE = Gate::BaseRevision::Found.new(commit: "1a2b3c4d5e" * 4, name: "main",
                                             reason: "the default branch")
      BOTH = ["cpu < +2%", "memory < +5%"].freeze
      SAME = [0.001, -0.002, 0.001, 0.0, -0.001].freeze
      SLOWER = [-0.05, -0.052, -0.048, -0.051, -0.049, -0.05, -0.051, -0.05].freeze
      NOISY = [0.03, -0.05, 0.02, -0.04, 0.05, -0.03].freeze
      DIED = lambda do |trial, name, _|
        trial.merge!(state: "failed", reason: "the server died", slices: []) if name == "b"
      end

      def document(pages, differences, options: {}, name: "shop", **given)
        result = Gated.new(pages, differences, options:).result(clock: Still, **given)
        Gate::Document.document(result, name:, base: BASE,
                                   invocation: Typed.invocation(command: "gate"))
      end

      # A clock for golden texts.
      module Still
        def self.mono_ns = 0
      end

      # Of each kind one, to be changed at will.
      def documents
        self.class.const_set(:MADE, Marshal.dump(made)) unless self.class.const_defined?(:MADE)
        Marshal.load(MADE)
      end

      def made
        two = { "/a" => BOTH, "/b" => ["rps > -2%"] }
        {
          "fails" => document(two, { "/a" => SLOWER, "/b" => SAME }),
          "fails both" => document(two, { "/a" => SLOWER, "/b" => SLOWER.map { |one| one * 2 } }),
          "holds" => document(two, { "/a" => SAME, "/b" => SAME }),
          "one holds" => document({ "/b" => ["cpu < 2%"] }, { "/b" => SAME }),
          "inconclusive" => document(two, { "/a" => NOISY, "/b" => SAME }, budget_s: 60),
          "short" => document(two, { "/a" => SAME, "/b" => SAME }, budget_s: 12),
          "stopped" => document(two, { "/a" => SAME, "/b" => :stop }),
          "died" => document(two, { "/a" => SLOWER, "/b" => SAME },
                             options: { "/a" => { trial: DIED } }),
        }
      end

      def json(document)
        JSON.parse(Exporters::Documents::Json.new.call(document), symbolize_names: true)
      end

      test "every outcome's document is as docs/json.md says" do
        documents.each { |name, document| assert_empty CONTRACT.faults(json(document)), name }
      end

      test "a page that neither revision serves is a failure, whatever is said of it" do
        open = documents["inconclusive"]
        [nil, "", "the Gemfile can't be installed."].each do |unserved_reason|
          pages = open[:pages].map { |page| { **page, unserved: true, unserved_reason: } }

          assert_equal :failed, Gate::Document.outcome({ **open, pages: })
        end
        assert_equal({ "fails" => :regression, "holds" => :ok, "inconclusive" => :inconclusive },
                     documents.slice("fails", "holds", "inconclusive")
                              .transform_values { |one| Gate::Document.outcome(one) })
      end

      test "no seed repeats several pages, each of which has an order of its own" do
        seeds = documents.values_at("holds", "one holds").map { |one| one[:provenance][:seed] }

        assert_nil seeds.first
        assert_kind_of Integer, seeds.last
      end

      test "the sentence says what fails, by how much, and how sure that is" do
        assert_told "gate-sentences", documents.transform_values { |document| document[:sentence] }
      end

      test "mohs show says of a page that it was measured until its gates were decided" do
        page = document({ "/b" => ["rps > -2%"] },
                        { "/b" => [-0.003, 0.005, -0.004, 0.002] })[:pages].first

        assert_match(/\AUndecided which is faster: B, "b", is between .* after 20 s: measured /,
                     page[:sentence])
      end

      test "an effect is that of the metric itself, as its limit counts" do
        cpu, memory, rate = documents["fails"][:gates]

        assert_operator cpu[:interval].first, :>=, 1.02
        assert_equal ["GET /a", "GET /a", "cpu", "< +2 %", "fails", "7c1a"],
                     cpu.values_at(:name, :request, :metric, :limit, :outcome, :run)
        assert_equal %w[holds holds], [memory, rate].map { |gate| gate[:outcome] }
        assert_operator rate[:interval].first, :>, 0.98
      end

      test "a limit keeps its digits, and the page draws it where it is" do
        wide, fine = %w[1250 2.345].map { |percent| ["cpu < #{percent}%"] }
        found = document({ "/a" => wide, "/b" => fine }, { "/a" => SAME, "/b" => SAME })
        gates = found[:gates]
        gates.first[:effect] = 1.02 # beyond the limit if 1250 were taken for 1.25

        assert_equal [["< +1250 %", "<", 13.5], ["< +2.345 %", "<", 1.02345]],
                     gates.map { |gate| gate.values_at(:limit, :side, :bound) }
        assert_equal "GET /b: CPU a request, limit < +2.345 %", Views.of(found).facts[0][1].first
      end

      test "an end beyond all numbers is none" do
        wild = document({ "/a" => ["rps > -2%"] }, { "/a" => [2.0, -2.0, 2.0] }, pushes: 10**9)

        assert_nil wild[:gates].first[:interval]
        json(wild)
      end

      { "fails" => 100, "inconclusive" => 100, "died" => 100,
        "fails both" => 60 }.each do |name, width|
        test "the screen of what #{name} has no line wider than #{width} columns" do
          text = screen(documents.fetch(name), width:)

          assert_empty(text.lines(chomp: true).select { |line| line.length > width })
          assert_golden "gate-#{name.tr(' ', '-')}", text
        end
      end

      test "what to try against a failure is on a line of its own" do
        died = lambda do |trial, name, _|
          trial.merge!(state: "failed", reason: "it died.\nTry -v.", slices: []) if name == "b"
        end
        found = document({ "/a" => BOTH }, { "/a" => SAME }, options: { "/a" => { trial: died } })

        assert_equal ["Try -v."], found[:gates].map { |gate| gate[:remedy] }.uniq
        assert_match(/^next +Try -v\.$/, screen(found))
        assert_match(/ failed: it died; 2 of 2 gates fail\.\z/, found[:sentence])
      end

      def comment(document) = Gate::Comment.new(document).to_s

      test "the same two revisions can be compared elsewhere, wherever the result went" do
        invocation = Typed.invocation("gate.yml", "--get", "/a b", "--base=main", "--comment",
                                      "c.md", "--head", "x", "--on", "puma:2x5", "--expect",
                                      "--base", "--json", command: "gate")
        made = Gated.new({ "/a" => BOTH }, { "/a" => SAME })
        found = Gate::Document.document(made.result, name: "shop", base: BASE, invocation:,
                                                head: { name: "x", commit: "feed" * 10 })

        again = 'mohs gate gate.yml --get "/a b" --on puma:2x5 --expect --base ' \
                "--base 1a2b3c4d5e1a --head feedfeedfeed"
        assert_equal again, found[:again]
        assert_includes comment(found), "x, against main 1a2b3c4 (the default branch) · "
        assert_includes comment(found), "again: <code>#{again}"
        assert_equal "mohs gate --base 1a2b3c4d5e1a", documents["holds"][:again]
      end

      test "elsewhere, secrets are read from files" do
        invocation = Typed.invocation("gate.yml", "--env", "API_KEY=s3cr3t", command: "gate")
        made = Gated.new({ "/a" => BOTH }, { "/a" => SAME })
        found = Gate::Document.document(made.result, name: "shop", base: BASE, invocation:)

        assert_equal "mohs gate gate.yml --base 1a2b3c4d5e1a --env-file FILE " \
                     "# in FILE: API_KEY=...", found[:again]
      end

      test "the comment begins with its marker, and says it as the screen does" do
        text = comment(documents["fails"])

        assert_golden "gate-comment", text
        assert_equal "<!-- mohs gate shop -->", text.lines.first.chomp
      end

      test "a marker ends where it should, whatever the name" do
        marker = Gate::Comment.marker("a --> <b>x</b> é")

        assert_equal 1, marker.scan("-->").size
        refute_match(/<[^!]/, marker)
      end

      test "every kind of gate has a comment, in one table" do
        documents.each do |name, document|
          lines = comment(document).lines(chomp: true)
          rows = lines.select { |line| line.start_with?("|") }

          assert_equal [7], rows.map { |row| row.count("|") }.uniq, name
          assert_equal document[:pages].size + 2, rows.size
        end
      end

      HOSTILE = ["<script>alert(1)</script>", "| a | b |\n\n# head", "[x](javascript:alert(1))",
                 "![x](http://evil.example/)", "@everyone fixes #1 https://evil.example",
                 "`code` **bold** ~~gone~~", "-->", "<!-- mohs gate other -->", "\e[31mred\u202e",
                 "&lt;b&gt;", "$x^2$", "a\\", "www.evil.example", "::error::x"].freeze

      HOSTILE.each do |hostile|
        test "#{hostile.inspect} stays text in a comment" do
          document = documents["died"]
          document[:sentence] = document[:name] = hostile
          document[:pages].each { |page| page[:name] = hostile }
          document[:gates].each { |gate| gate.update(name: hostile, reason: hostile) }
          text = comment(document)
          marker, *rest = text.lines(chomp: true)

          assert_match(/\A<!-- mohs gate [\w.\/-]* -->\z/, marker)
          rest = rest.join("\n")
          ours = %w[<code> </code> <br> <sub> </sub> <span> </span>]
          assert_equal [], rest.scan(/<[^>]*>/).uniq - ours
          signs = rest.gsub(/\\[^|\n]/, "") # but for those behind a backslash
          refute_match(/@\w|:\/\/|\](?=[(\[:])|[`$~]|\*\*b|\e|\u202e|www\./, signs)
          assert_equal [7], rest.lines.select { |line| line.start_with?("|") }
                                .map { |row| row.count("|") }.uniq
        end
      end

      test "an annotation is one line that nothing in it can end, nor begin another" do
        document = documents["fails"]
        document[:gates].first.update(name: "a,b:c\n::error::x",
                                      reason: "100%\r\n::warning::y\e[1m")
        one, *none = Gate::GithubAnnotation.of(document, file: "study.yml").map(&:to_s)

        assert_empty none
        assert_equal "::error file=study.yml,title=mohs gate%3A a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax::" \
                     "CPU a request < +2 %25 fails: 100%25%0A::warning::y", one
      end

      test "what is inconclusive is a warning, what holds says nothing" do
        levels = lambda do |name|
          Gate::GithubAnnotation.of(documents[name]).map(&:to_s).map { |line| line[/::\w+ (?=title)/] }
        end
        assert_equal ["::warning "], levels.call("inconclusive")
        assert_empty levels.call("holds")
      end
    end
  end
end
