# frozen_string_literal: true

module Mohs
  class CLI
    # The streams and services of commands, so that tests can replace them. `out` and `err` are
    # streams; `env` and `dir` the user's environment and folder; `rubies`, `servers` and `doctor`
    # the modules of those names. The others are procs, since most commands need none of them:
    # `driver` makes a driver from its options; `store` and `experiment` open what they are named
    # after; `document` makes a run's document from its analysis; `repository` returns what git
    # knows about a folder, `verification` what was verified about servers, `remote` another machine
    # by its name.
    class Context < Struct.new(:out, :err, :env, :dir, :rubies, :servers, :driver, :store,
                               :experiment, :doctor, :document, :repository, :verification, :remote,
                               keyword_init: true)
      # The context of a real process.
      #: (?env: Hash[String, String]) -> CLI::Context
      def self.real(env: ENV.to_h)
        new(out: $stdout, err: BestEffortOutput.new($stderr), env:, dir: Dir.pwd, rubies: Mohs::Rubies,
            servers: Mohs::Servers, doctor: Mohs::Doctor, store: -> { Store.open(env:) },
            driver: ->(name: "native", **options) { Drivers.fetch(name).new(**options) },
            experiment: -> { experiment(env) }, document: Report::Model.method(:build),
            repository: App::Repository.method(:new), verification: -> { Verification.new(env:) },
            remote: Mohs::Fleet::Remote.method(:new))
      end

      # Folders that can't be written, and a /proc that can't be read, are reported before anything
      # takes time.
      def self.experiment(env)
        Folders.verify(env)
        Mohs::Process::Tree.verify
        Experiment.new(store: Store.open(env:), env:)
      end
      private_class_method :experiment

      # Both streams become safe for text from elsewhere.
      #: (**untyped) -> void
      def initialize(**)
        super
        self.out &&= SafeOutput.new(out, colour: colour?(out))
        self.err &&= SafeOutput.new(err, colour: colour?(err))
      end

      # Is this stream a terminal that can redraw a line?
      #: (IO) -> bool
      def live?(stream) = stream.tty? && env["TERM"] != "dumb"

      # Columns of the terminal; 100 if the stream is not a terminal.
      #: (IO) -> Integer
      def width(stream)
        return Report::Terminal::WIDTH unless stream.tty?

        require "io/console"
        columns = stream.winsize.last
        columns.positive? ? columns : Report::Terminal::WIDTH
      end

      #: (IO) -> bool
      def colour?(stream) = live?(stream) && env["NO_COLOR"].to_s.empty?

      # Passes the experiment's events on to a progress display, which shows documents: the analysis
      # of a run, `run`, is turned into one.
      #: (Report::Terminal::Progress | Report::Terminal::NullProgress) -> Proc
      def shown_by(progress)
        lambda do |name, facts|
          run = facts[:run]
          facts = { **facts.except(:run), document: document.call(run) } if run
          progress.call(name, facts)
        end
      end

      # The style of text on `stream`.
      #: (IO) -> Report::Terminal::Style
      def style(stream)
        Report::Terminal::Style.new(colour: colour?(stream), width: width(stream),
                                    ascii: Report::Terminal::Ascii.needed?(env))
      end
    end
  end
end
