# frozen_string_literal: true

module Mohs
  class Study
    # One combination of levels. `ruby` and `engine` as Rubies names them; `server` a name of the
    # Servers family with its `processes` and `threads` (nil = the server decides: fibers);
    # `refusal` the Reason why it can't run here at all, known before the start (nil = nothing
    # prevents it), and `refusal_log` the last lines of its log. Parts of the application:
    # `revision`, { typed: "@main", commit: its full id }, nil = the working folder; `gemfile` and
    # `config` (of the server, which then sets its own processes and threads: both nil), paths
    # relative to the application's folder, nil = the usual Gemfile, mohs's own configuration. `url`
    # of a server that already runs: then nothing else is known about it, not even its Ruby.
    # `preload`: the application is loaded before the server forks; `unix`: the server listens on a
    # unix socket; `refork`: it forks its workers anew from a warm worker; `compact`, `warmup`: what
    # its processes do before load starts. `front`: what receives the load and passes it on to the
    # server, a name of the Fronts family; nil: nothing. `services`: names of private services in
    # addition to the study's. `connections` and `get`, a path, of the load that it gets; nil: those
    # of the study; `close`: each request has a connection of its own, and says so. `rate`: requests
    # due per second, at random moments, while it is measured (an open loop); nil: a closed loop.
    # `asked_jit`: what its flags and variables say about the JIT ("yjit", "off"; nil: nothing);
    # `own_jit`: then the application decides, else it has none; `app_jit`: the JIT that the
    # application's files would turn on under its Ruby, nil: none, or unknown. `labelled`: whether a
    # user gave it its name; other names say what is measured.
    class Variant < Struct.new(:name, :ruby, :engine, :flags, :server, :processes, :threads, :env,
                               :refusal, :refusal_log, :revision, :gemfile, :config, :url,
                               :front, :preload, :unix, :refork, :compact, :warmup, :services,
                               :connections, :get, :close, :rate, :own_jit, :asked_jit,
                               :app_jit, :labelled, keyword_init: true)
      # The members that are declared; the engine follows from the Ruby.
      DECLARED = %i[ruby flags server processes threads env revision gemfile config url front
                    preload unix refork compact warmup services connections get close rate
                    own_jit].freeze

      # What differs between two variants that differ in their JIT only.
      JIT = [["flags"], ["own_jit"], %w[flags own_jit]].freeze

      # What a process can do once the application is loaded; both compact the heap.
      PREPARATIONS = { "compact" => "GC.compact", "warmup" => "Process.warmup" }.freeze

      #: (Hash[Symbol, untyped]) -> Study::Variant
      def self.from_h(hash)
        new(**hash.except(:refusal_parts), env: hash.fetch(:env).transform_keys(&:to_s),
                    refusal: Reason.restore(hash[:refusal_parts], hash[:refusal]))
      end

      #: (name: String, ?ruby: String?, ?engine: String?, ?flags: Array[String], ?server: String?, ?processes: Integer?, ?threads: Integer?, ?env: Hash[String, String], ?refusal: Reason?, ?refusal_log: String?, ?revision: Hash[Symbol, String]?, ?gemfile: String?, ?config: String?, ?url: String?, ?front: String?, ?preload: bool?, ?unix: bool?, ?refork: bool?, ?compact: bool?, ?warmup: bool?, ?services: Array[String], ?connections: Integer?, ?get: String?, ?close: bool?, ?rate: Integer?, ?own_jit: bool?, ?asked_jit: String?, ?app_jit: String?, ?labelled: bool?) -> void
      def initialize(**values)
        super(engine: "ruby", flags: [], env: {}, preload: false, unix: false, refork: false,
              compact: false, warmup: false, services: [],
              close: false, own_jit: false, labelled: false, **values)
        freeze
      end

      # As the store and JSON have it.
      #: () ?{ (Symbol, untyped) -> [untyped, untyped] } -> Hash[untyped, untyped]
      def to_h(&)
        plain = super().merge(refusal: refusal&.to_s, refusal_parts: refusal&.to_h)
        block_given? ? plain.to_h(&) : plain
      end

      # The same variant, refused.
      #: (Reason, ?log: String?) -> Study::Variant
      def refused(reason, log: nil)
        self.class.new(**each_pair.to_h, refusal: reason, refusal_log: log)
      end

      # "NAME: why it is refused"; nil if it isn't.
      #: () -> String?
      def refusal_text = refusal && "#{name}: #{refusal.summary}"

      # Does it take a minute rather than a second to boot and warm up?
      #: () -> bool
      def slow? = Rubies::Engines.named(engine)::SLOW

      # Does it still compile when it is warm? Then the other variants' rounds come first.
      #: () -> bool
      def lingers? = Rubies::Engines.named(engine).lingers?(flags, ruby.to_s)

      # Does it run a JIT that its Ruby calls experimental?
      #: () -> bool
      def experimental? = Rubies::Engines.named(engine).experimental?(flags, ruby.to_s)

      # The variant among these that differs only in having no JIT, nil if there is none. If mohs
      # chose the variants, it drops that one before this one, since the question is what the JIT
      # does. nil also if this one's JIT is experimental.
      #: (Array[Study::Variant]) -> Study::Variant?
      def plain(among)
        return if experimental?

        among.find do |one|
          one.flags.empty? && !one.own_jit && JIT.include?(one.difference(self))
        end
      end

      # Does it differ from another only in its JIT, where one of the two leaves that to the
      # application? Options of a JIT are another difference. Under an engine without JITs that
      # somebody has to turn on, an application can't decide.
      #: (Study::Variant) -> bool
      def same_but_for_jit?(other)
        return false unless Rubies::Engines.named(engine)::JITS.any?

        (own_jit || other.own_jit) && !jit_options? && !other.jit_options? &&
          [*JIT, %w[env own_jit]].include?(difference(other)) && variables == other.variables
      end

      # The JIT that the application turns on for it, as its files say; nil: none, or unknown.
      #: () -> String?
      def jit_of_app = (app_jit if own_jit && asked_jit.nil?)

      # Which of the PREPARATIONS it asks for.
      #: () -> Array[String]
      def preparations = PREPARATIONS.keys.select { |name| self[name] }

      # Requests that it works on at the same time; nil if there is no limit.
      #: () -> Integer?
      def slots = threads && (threads * (processes || 1))

      # Processes that want a core under load: the server's, and whatever stands in front of it.
      #: () -> Integer
      def busy_processes = (processes || 1) + (front ? 1 : 0)

      # { gem => version requirement } that its server, and whatever stands in front of it, need in
      # the bundle under this Ruby.
      #: (Rubies::Ruby) -> Hash[String, String]
      def gems(ruby)
        { **Servers.fetch(server).gems_for(ruby), **(front ? Fronts.fetch(front)::GEMS : {}) }
      end

      # Full id of the commit that it is measured at; nil for the working folder.
      #: () -> String?
      def commit = revision&.fetch(:commit)

      # Is it the same variant under another name? A commit may be typed in many ways.
      #: (Study::Variant) -> bool
      def same_as?(other)
        difference(other).empty? && refusal == other.refusal && refusal_log == other.refusal_log
      end

      # The declared members that differ: ["ruby", "flags", "gemfile"]. The same commit under two
      # names does not differ.
      #: (Study::Variant) -> Array[String]
      def difference(other)
        DECLARED.reject { |field| declared(field) == other.declared(field) }.map(&:to_s)
      end

      # Those of its variables that do more than to turn a JIT on or off.
      #: () -> Hash[String, String]
      def variables = env.reject { |name, _| Rubies::Engines::JIT_VARIABLE.match?(name) }

      protected

      # Has it flags that do more than to turn a JIT on or off?
      def jit_options? = !flags.all? { |flag| Rubies::Engines::JIT_WORD.match?(flag) }

      def declared(field) = field == :revision ? commit : self[field]
    end
  end
end
