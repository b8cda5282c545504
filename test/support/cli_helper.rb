# frozen_string_literal: true

require "json"
require "shellwords"
require "stringio"
require_relative "screens"

module Mohs
  # Runs commands in this process, with everything around them injected: argv -> (stdout, stderr,
  # exit status).
  module CLIHelper
    include Screens

    Output = Struct.new(:out, :err, :status, keyword_init: true) do
      def json = JSON.parse(out, symbolize_names: true)
    end

    # A stream that claims to be a terminal of `columns`.
    class Terminal < StringIO
      def initialize(columns = 100, rows = 24)
        super(+"")
        @size = [rows, columns]
      end

      def tty? = true

      def winsize = @size
    end

    # Records what it is asked, and returns what it was given.
    class FakeExperiment
      # tried: whether flags were tried out or gems resolved.
      attr_reader :declaration, :invocation, :resumed, :budget_s, :fleet, :tried

      # settled: makes of a study what is left of it once it is installed. least_s: for one study
      # after the other. plan: a block that makes one for a study, or one
      # plan for all.
      def initialize(document:, study: nil, plan: nil, events: [], least_s: [],
                     settled: nil)
        @document = document
        @study = study
        @plan = plan
        @events = events
        @settled = settled || :itself.to_proc
        @least_s = least_s.dup
      end

      def on(fleet) = tap { @fleet = fleet }

      def hosts = 1

      def prepare(declaration)
        @tried = true
        declared(declaration)
      end

      def declared(declaration)
        @declaration = declaration
        @study.respond_to?(:call) ? @study.call(declaration) : @study
      end

      def estimate(study, plan: plan(study)) = { estimate_s: plan.estimate_s, assumed: true }

      def plan(study) = @plan.respond_to?(:call) ? @plan.call(study) : @plan

      def least_s(_study) = @least_s.shift || 0

      def rehearse(study, plan, on_event:, instead: nil)
        @tried = true
        @events.each { |name, facts| on_event.call(name, facts) }
        [study, plan]
      end

      def measure(study, _plan, on_event:, invocation:, instead: nil)
        @invocation = invocation
        instead&.call(@settled.call(study))
        tell(on_event)
      end

      def resume(key, on_event:, budget_s: nil)
        @resumed = key
        @budget_s = budget_s
        tell(on_event)
      end

      private

      def tell(on_event)
        @events.each { |name, facts| on_event.call(name, facts) }
        @document.respond_to?(:call) ? @document.call : @document
      end
    end

    # A repository that has every revision.
    REVISIONS = Class.new { def meant(name) = name }.new

    # A FakeExperiment returns documents directly.
    DOCUMENT = ->(run) { run.is_a?(Analysis::Run) ? Report::Model.build(run) : run }

    # Has verified nothing, and verifies nothing.
    UNTRIED = Class.new { def fetch(_server, _ruby) = nil }.new
    VERIFICATION = Struct.new(:cache).new(UNTRIED)

    # The run of the golden screens, with a reason of its own for each row without figures.
    def fixture_document(**changes)
      path = File.expand_path("../fixtures/screens/run.json", __dir__)
      run = JSON.parse(File.read(path, encoding: "UTF-8"), symbolize_names: true).merge(changes)
      reasons = run[:rows].select { |row| row[:reason] }.map do |row|
        variant, reason, remedy = row.values_at(:variant, :reason, :remedy)
        { variants: [variant], reason:, remedy:,
          covered: run[:sentence_covers].to_a.include?(variant) }
      end
      { reasons:, **run }
    end

    def fixture_study(rounds: nil, budget_s: nil, rules: Rounds::Rules.new(rounds:, budget_s:),
                      **changes)
      variants = %w[3.1.2 3.4.5].map { |name| Study::Variant.new(name:, ruby: name, server: "puma", processes: 1, threads: 5) }
      Study.new(app: "/srv/shop", requests: [App::Request.build(path: "/products")], variants:,
                baseline: "3.1.2",
                baseline_named: false, baseline_reason: ".ruby-version", seed: 8412, env: {},
                own_config: false, rules:, **changes)
    end

    # Each of these command lines is a mistake, told in a golden screen. The block runs one of them.
    def assert_mistakes(command, lines, name: command)
      told = lines.to_h do |argv|
        output = yield(*argv)
        assert_equal [2, ""], [output.status, output.out], output.err
        [Shellwords.join(["mohs", *command, *argv]), output.err]
      end
      assert_told("mistakes-#{name}", told)
    end

    def mohs(*argv, out: StringIO.new(+""), err: StringIO.new(+""), dir: Mohs.root, env: {},
             **collaborators)
      unused = ->(*) { raise "this command should not need it" }
      context = CLI::Context.new(out:, err:, env:, dir:, rubies: FakeRubies.usual,
                                 servers: Servers, driver: unused,
                                 store: unused, experiment: unused, document: DOCUMENT,
                                 repository: ->(_) { REVISIONS },
                                 verification: -> { VERIFICATION },
                                 **collaborators)
      status = CLI.new(context).call(argv)
      Output.new(out: out.string, err: err.string, status:)
    end
  end
end
