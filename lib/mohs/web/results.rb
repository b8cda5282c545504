# frozen_string_literal: true

module Mohs
  class Web
    # What the pages show: documents from the store, made by the same analysis and models as those
    # of the commands. Several threads share one instance.
    class Results
      PAGE = 50
      # Most pages of finished runs and histories that are cached: drawing a run reads all of its
      # requests, and changes are searched in a whole history.
      KEPT = 16
      # Most characters of a name.
      LONGEST_LABEL = 100
      RUNNING = "running"
      INTERRUPTED = "interrupted"
      STATES = %w[finished running interrupted failed planned].freeze
      ENDED = %w[finished interrupted].freeze

      # vault: has the secrets of runs that could be resumed; a deleted run no longer needs them.
      #: (Store, ?vault: Secrets::Vault, ?servers: Module, ?library: Repro::Library?) -> void
      def initialize(store, vault: Secrets::Vault.new, servers: Servers, library: nil)
        @store = store
        @retention = Experiment::Retention.new(store:, vault:)
        @servers = servers
        @library = library || Repro::Library.new(servers:)
        @mutex = Mutex.new
        @pages = {}
        @publications = {}
        @reproductions = {}
        @seen = 0
      end

      # A page of the list of runs: { runs: [{ run:, label:, state:, created_ms:, seconds:, app:,
      # variants:, answer: }], page:, pages:, count:, app:, state:, apps: }. page: from 1 on.
      #: (?page: Integer, ?app: String?, ?state: String?) -> Hash[Symbol, untyped]
      def runs(page: 1, app: nil, state: nil)
        alive, dead = @store.running.partition { |run| real_state(run) == RUNNING }
        chosen = { apps: app && [app], **filter(state, alive.map(&:id), dead.map(&:id)) }
        found = @store.listed(limit: PAGE, offset: PAGE * (page - 1), **chosen)
        count = @store.count_runs(**chosen)
        gone = dead.to_h { |run| [run.id, INTERRUPTED] }
        { runs: found.map { |run| entry(run, gone.fetch(run.id, run.state)) }, page:, count:,
          pages: [count.fdiv(PAGE).ceil, 1].max, app:, state:, apps: @store.apps }
      end

      # A run in its current state. Raises UsageError if there is none.
      #: (String) -> Analysis::Run
      def run(key) = Analysis::Run.new(Runner.result(@store, key))

      # Whether the run is still being measured.
      #: (Analysis::Run) -> bool
      def running?(run) = run.state == RUNNING

      # How far a run under way has got: a value that changes when a trial or a cohort begins or
      # ends. nil if the run isn't being measured. Reads no figures.
      #: (String) -> Array[untyped]?
      def progress(key)
        run = @store.run(key)
        cohorts = @store.cohorts(run.id)
        return unless Runner.state(run, cohorts) == RUNNING

        [cohorts.map(&:state), @store.outcomes(run.id).map(&:state)]
      end

      # The document of a run, or of what else it was measured for (Procedure#answer).
      # A run that is being measured is shown as a table that fills up.
      #: (Analysis::Run) -> Hash[Symbol, untyped]
      def document(run)
        return Report::Model.build(run) if running?(run)

        Experiment::Answer.document(run, @store, servers: @servers)
      end

      # The HTML page of a run, with `above` at its top.
      #: (Analysis::Run, above: untyped) -> String
      def page(run, above:)
        return drawn(run, above) unless run.stored.finished?

        stored = run.stored
        version = [stored.finished_ms, stored.label, stored.study.procedure.version(@store)]
        kept(stored.id, version) { drawn(run, above) }
      end

      # The document of a run in another format. Raises UsageError if the format can't write it.
      #: (Analysis::Run, singleton(Exporters::Documents::Base)) -> String
      def export(run, member)
        document = document(run)
        document = Report::Html.with_curves(document, run, @store) if member::CURVES
        member.new.call(document)
      end

      # The failed servers of a run, each with what is known about it.
      #: (Analysis::Run) -> Array[Hash[Symbol, untyped]]
      def logs(run)
        run.stored.cohorts.flat_map do |cohort|
          failed = cohort.trials.reject(&:measured?)
          failed.select { |trial| trial.log_tail || trial.reason }.map do |trial|
            { variant: trial.variant, round: cohort.round, state: trial.state,
              reason: trial.reason&.to_s, log: trial.log_tail }
          end
        end
      end

      # The formats that can write this document.
      #: (Hash[Symbol, untyped]) -> Array[singleton(Exporters::Documents::Base)]
      def formats(document) = Exporters::Documents.writing(Exporters::Documents.kind(document))

      # Two variants of a run, compared (Compare::PairModel). Raises UsageError if the run doesn't
      # have both.
      #: (Analysis::Run, String, String) -> Hash[Symbol, untyped]
      def pair(run, a, b)
        profiles = Experiment::Profiles.of(@store, run)
        Compare::PairModel.new(run, a, b, profiles:).document
      end

      # The names of variants that have a profile, in the order of their numbers.
      #: (Analysis::Run) -> Array[String]
      def profiled(run) = profiles(run).keys

      # The profile of the variant with this number, as a speedscope file. Raises UsageError if
      # there is none.
      #: (Analysis::Run, Integer) -> String
      def profile(run, index)
        name, data = profiles(run).to_a[index]
        raise UsageError, "Run #{run.stored.key} has no profile #{index}." unless data

        Profile::Speedscope.new(Profile.load(data), name:).to_s
      end

      # { name => number of points }, the newest first.
      #: () -> Hash[String, Integer]
      def histories = @store.tracks

      # The document of a history. metric: a name; nil: Track::Result.usual. Raises UsageError if
      # the history or the metric is unknown.
      #: (String, ?String?) -> Hash[Symbol, untyped]
      def history(name, metric = nil)
        points = Track::Point.all(@store.points(name))
        raise UsageError, "no history is called #{name.inspect}." if points.empty?

        metric = metric ? Track::Result.named(metric) : Track::Result.usual(points)
        kept([name, metric.name], points.map(&:id)) do
          Track::Document.document(name, Track::Result.new(points, metric:))
        end
      end

      # The published studies, each with its newest stored run (nil: none). A study whose files
      # can't be read only has the `error`.
      #: () -> Array[{ name: String, publication: Repro::Publication?, run: Store::Run?, error: String? }]
      def studies = @library.names.map { |name| study(name) }

      # One published study. Raises UsageError if there is none of that name.
      #: (String) -> { name: String, publication: Repro::Publication?, run: Store::Run?, error: String? }
      def study(name)
        raise UsageError, "no published study is called #{name.inspect}." \
          unless @library.names.include?(name)

        publication = published(name)
        { name:, publication:, run: reproduction(publication), error: nil }
      rescue StudyError => error
        { name:, publication: nil, run: nil, error: error.message }
      end

      # Reads in advance what takes long the first time, and finds the answers of the newest runs
      # that have none yet.
      #: () -> void
      def warm
        studies
        @store.listed(limit: PAGE, states: ENDED).reject(&:answer).each { |one| find_answer(one) }
      rescue Error
        nil # whoever requests the page gets the error
      end

      # Names a run; an empty name removes the name.
      #: (Analysis::Run, String) -> void
      def label(run, text)
        text = Printable.call(text).tr("\n", " ").strip
        raise UsageError, "A name has at most #{LONGEST_LABEL} characters." \
          if text.length > LONGEST_LABEL

        @store.label_run(run.stored.id, text.empty? ? nil : text)
      end

      # Deletes a run. Raises UsageError if it is being measured.
      #: (Analysis::Run) -> void
      def delete(run)
        raise UsageError, "Run #{run.stored.key} is being measured: stop it first." \
          if running?(run) || @retention.delete([listing(run.stored)]).empty?

        @mutex.synchronize { @pages.delete(run.stored.id) }
      end

      private

      def find_answer(listing)
        @store.answer_run(listing.id, document(run(listing.key))[:sentence])
      rescue UsageError, *MALFORMED
        nil # the run is gone, or can't be read
      end

      # { variant => stored profile }, for one boot each, as a run may have hundreds.
      def profiles(run)
        return {} unless run.stored.study.profile

        Experiment::Profiles.last(run) { |id| @store.profile(id) }
      end

      # state: nil for any state. The store still says "running" for runs whose mohs was killed.
      def filter(state, alive, dead)
        case state
        when nil then {}
        when RUNNING then { states: [], ids: alive }
        when INTERRUPTED then { states: [state], ids: dead }
        else { states: [state] }
        end
      end

      def real_state(run) = Runner.state(run, @store.cohorts(run.id))

      def listing(run)
        names = Store::Listing.members - [:variants]
        Store::Listing.new(**run.to_h.slice(*names), variants: run.study.variants.map(&:name))
      end

      def entry(run, state)
        { run: run.key, label: run.label, state:, created_ms: run.created_ms,
          seconds: run.finished_ms && ((run.finished_ms - run.created_ms) / 1000.0),
          app: run.app, variants: run.variants, answer: (run.answer unless state == RUNNING) }
      end

      # The publication, which is read again if its files have changed.
      def published(name)
        known, read = @mutex.synchronize { @publications[name] }
        return known if known && known.version == read

        @library.own(name).tap do |publication|
          @mutex.synchronize { @publications[name] = [publication, publication.version] }
        end
      end

      def drawn(run, above)
        document = Report::Html.with_curves(document(run), run, @store)
        Report::Html.new(document, above:).to_s
      end

      # The result of the block, cached until its version changes.
      def kept(key, version)
        known = @mutex.synchronize { @pages[key] }
        return known.last if known&.first == version

        yield.tap { |made| keep(key, version, made) }
      end

      def keep(key, version, made)
        @mutex.synchronize do
          @pages.delete(key)
          @pages[key] = [version, made]
          @pages.shift if @pages.size > KEPT
        end
      end

      # The newest run of a publication that still exists. A run's study never changes, so each run
      # is looked at only once.
      def reproduction(publication)
        ids = @mutex.synchronize do
          found, @seen = @store.rules_of(Repro::Rules::NAME, after: @seen)
          found.each { |id, rules| (@reproductions[rules.file] ||= []) << id }
          @reproductions.fetch(publication.file, []).last(KEPT)
        end
        ids.reverse_each { |id| return @store.run(id) if @store.run?(id) }
        nil
      end
    end
  end
end
