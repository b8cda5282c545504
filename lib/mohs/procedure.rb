# frozen_string_literal: true

module Mohs
  # How a study is measured: which cohorts come first, which come next, when it is over, and what
  # its cohorts mean. Each procedure that measures one run is a folder of procedures/ with its rules
  # (Rules, a member of the study), its Procedure, which inherits from this class, and its Document.
  # The base class has what holds unless a procedure says otherwise.
  class Procedure
    FOLDER = File.join(__dir__, "procedures")

    # Measured if a declaration asks for nothing else.
    DEFAULT = ["Rounds", :Rules].freeze
    private_constant :FOLDER, :DEFAULT

    # The class of the rules that a declaration or a stored study (Study#to_h) has.
    #: (Hash[Symbol, untyped]) -> Class
    def self.kind(hash) = stored.find { |key, _| hash[key] }&.last || part(*DEFAULT)

    # The rules of what is measured if nothing is declared.
    #: () -> Procedure::Rules
    def self.default = part(*DEFAULT).new

    # The keys of a stored study that are of the rules of any procedure.
    #: () -> Array[Symbol]
    def self.keys = @keys ||= [part(*DEFAULT), *stored.values].flat_map(&:keys).uniq

    # The classes of rules by the keys that tell their studies from others.
    #: () -> Hash[Symbol, Class]
    def self.stored
      @stored ||= (parts("rules") - [part(*DEFAULT)]).to_h { |one| [one::STORED, one] }
    end

    # The parts of all procedures with this name, by the names of their files: "view" are the
    # constants in view.rb and *_view.rb of each folder.
    #: (String) -> Array[untyped]
    def self.parts(name)
      @parts ||= {}
      @parts[name] ||= files(name).map do |path|
        names = [File.dirname(path), path].map do |one|
          LOADER.inflector.camelize(File.basename(one, ".rb"), one)
        end
        part(*names)
      end
    end

    def self.files(name)
      Dir[File.join(FOLDER, "*", "{#{name},*_#{name}}.rb")].sort
    end
    private_class_method :files

    # The command that gets the requests that a p99 lacks, from the first procedure that has one, as
    # a document with its `load_s` (the part "for_tail"); nil: none has. shortage: see
    # Analysis::Latency#shortage. name: of the variant whose p99 it is (any: nil).
    #: (Store::Run, Hash[Symbol, untyped], ?name: String?) -> Hash[Symbol, untyped]?
    def self.for_tail(stored, shortage, name: nil)
      parts("for_tail").filter_map { |one| one.call(stored, shortage, name:) }.first
    end

    # The command that loads a server which a user has started, from the procedure that has one (the
    # part "by_hand"). amounts: `connections`, `rate` and `duration_s`, those that are known.
    #: (**untyped) -> Report::Proposal
    def self.by_hand(**amounts) = parts("by_hand").first.call(**amounts)

    # The command that compares two variants, which are its arguments.
    #: () -> String
    def self.comparing = parts("rules").filter_map(&:comparing).first

    # The annotated examples in this folder of procedures, name to path: `sections` of study.yml,
    # `files` that a procedure reads besides.
    #: (String) -> Hash[String, String]
    def self.examples(folder)
      Dir[File.join(FOLDER, "*", folder, "*.yml")].sort.to_h do |path|
        [File.basename(path, ".yml"), path]
      end
    end

    # A part of the procedure with this namespace, for rooms below the procedures: they name none.
    #: (String, String | Symbol) -> untyped
    def self.part(namespace, name) = Mohs.const_get(namespace).const_get(name)

    #: (Study) -> void
    def initialize(study)
      @study = study
    end

    # The command whose options about the subject say what was measured, in words that `mohs run`
    # and `mohs compare` take, too; nil: none does.
    #: () -> String?
    def command = @study.rules.class::NAME

    # The plan to begin with. costs: of earlier runs. hosts: how many share its cohorts.
    #: (seed: Integer, costs: Plan::Costs, ?hosts: Integer) -> Plan
    def plan(seed:, costs:, hosts: 1) = raise(NotImplementedError, "#{self.class}#plan")

    # Seconds of the smallest run that gives a result; 0 if it takes as long as its budget.
    #: (Plan::Costs) -> Numeric
    def least_s(_costs) = 0

    # With how much it loads each server.
    #: () -> Procedure::Loading
    def loading = Loading.new(@study)

    # What its cohorts mean (Analysis::Result).
    #: (Store::Run) -> untyped
    def result(stored) = raise(NotImplementedError, "#{self.class}#result")

    # Keeps in the store what a finished run is measured for, besides its cohorts.
    #: (Analysis::Run, Store) -> void
    def finished(_run, _store); end

    # The class of its document (Report::Model).
    #: () -> Class
    def document = raise(NotImplementedError, "#{self.class}#document")

    # What the run was measured for, as a document, if that is not the document of its figures; nil:
    # it is. Raises UsageError or StudyError if what it takes can no longer be read. Read from the
    # store: profiles, those of the run; points, those of the history with this name.
    #: (Analysis::Run, servers: Module, profiles: ^() -> Hash[Integer, Profile], points: ^(String) -> Array[Hash[Symbol, untyped]]) -> Hash[Symbol, untyped]?
    def answer(_run, **) = nil

    # What its answer rests on besides the run, as a value that changes with it; nil: nothing.
    #: (Store) -> untyped
    def version(_store) = nil

    # What it repeats, by its name; nil: it is a measurement of its own.
    #: () -> String?
    def repeats = nil

    # The command that measures the study again with these settings (Report::Proposal); nil: they
    # are options of the command that measured it.
    #: (**untyped) -> Report::Proposal?
    def again(**_settings) = nil

    # What the text of something that a budget cut is made of (Plan#dropped), besides its values.
    #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
    def beside_cut(_values) = {}

    # The absolute path of the new file for what its document recommends; nil: none is written.
    #: () -> String?
    def writes = nil

    # What that file gets from the document of a finished run.
    #: (Hash[Symbol, untyped]) -> Procedure::Contents
    def contents(_document) = raise(NotImplementedError, "#{self.class}#contents")

    # The class of the text that says before the run what is to come (Report::Terminal::PlanText).
    #: () -> Class
    def plan_text = raise(NotImplementedError, "#{self.class}#plan_text")

    # The class of what is said while the run is measured (Report::Terminal::ProgressText).
    #: () -> Class
    def progress_text = raise(NotImplementedError, "#{self.class}#progress_text")

    # The class that says how much time a run still needs; nil: as after any plan (Plan::TimeLeft).
    #: () -> Class?
    def time_left = nil

    # Seconds that the run takes, however much is planned so far; nil: those of its plan.
    #: (Plan) -> Numeric?
    def whole_s(_plan) = nil

    # Is the number of cohorts planned, so that the run takes an announced time? Otherwise it takes
    # until it is decided, or as long as its budget.
    #: () -> bool
    def fixed_rounds? = false

    # Follows the events of a run that has an announced time (its `start`, `call` and `late`), and
    # changes its plan to keep it; nil: no time is kept. Options: the store and the run; the costs
    # of its plan and announced_s, of what is to run, which nobody was told if it is `open`;
    # budget_s, for the rest of a resumed run; waiting, which returns the cohorts still to be
    # measured; on_event.
    #: (**untyped) -> untyped
    def timekeeper(**) = nil

    # Is its plan made as it goes, until its budget is used up? Then further cohorts wait for the
    # results of those under way.
    #: () -> bool
    def plans_as_it_goes? = false

    # Does it end at the look that decides it? Then a fleet hands out only a few cohorts at a time.
    #: () -> bool
    def ends_at_a_look? = false

    # Is nothing left to measure, whatever is queued?
    #: (Analysis::Run) -> bool
    def over?(run) = run.ended_by_setting?

    # The plan with further cohorts, when no cohort is queued; nil if there are none.
    #: (Analysis::Run) -> Plan?
    def further(_run) = nil

    # The cohorts to measure among those that are queued, in order. out: the names of variants that
    # are not measured again; a cohort of which no other is left is left out. Variants that were
    # refused before the start get their rows in any case.
    #: (Analysis::Run, Array[Store::Cohort], out: Array[String]) -> Array[Store::Cohort]
    def due(run, queued, out:)
      left = queued.reject { |cohort| (cohort.spec.variants - out).empty? }
      first = left.empty? || left.any? { |cohort| cohort.round == 1 }
      return left if run.shared_failure.nil? || (first && !run.result.hopeless?)

      left.select { |cohort| cohort.spec.baseline.nil? }
    end

    # What is left of a run that is resumed, as a plan, and how long it takes, judged by the run's
    # own cohorts. costs: of earlier runs.
    #: (Store::Run, Plan::Costs) -> Plan
    def rest(stored, costs) = raise(NotImplementedError, "#{self.class}#rest")

    # How many blocks the next cohort has; nil: as many as its plan says.
    #: (Analysis::Run, Store::Cohort) -> Integer?
    def blocks(_run, _cohort) = nil

    # Seconds that the next cohort may take at most: its slices are cut for it, and its warm-ups,
    # if it cuts them; nil: as many as it needs.
    #: (Analysis::Run) -> Numeric?
    def left_s(_run) = nil

    # Are the warm-ups of a cohort cut for that, too?
    #: (Plan::CohortSpec) -> bool
    def cuts_warm_ups?(_spec) = true

    # Seconds that it should take, so that the budget has room for those that have to follow: its
    # slices are cut for it, warm-ups are not; nil: as many as it needs.
    #: (Analysis::Run) -> Numeric?
    def aim_s(_run) = nil

    # Has the user chosen the variants, so that one that can't be measured is a mistake, and a
    # baseline that was named can't be replaced?
    #: () -> bool
    def strict? = true

    # May another variant take the place of a baseline that can't be measured?
    #: () -> bool
    def stand_in? = true

    # Looks that decide whether the run goes on, and have to stay as they were made; in order.
    #: (Analysis::Run) -> Array[untyped]
    def looks(_run) = []

    private

    def left(stored)
      stored.cohorts.select { |cohort| cohort.queued? || cohort.running? }.map(&:spec)
    end
  end
end
