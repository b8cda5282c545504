# frozen_string_literal: true

require "resolv"

module Mohs
  # The declaration of a run, from a study.yml or the command line: plain frozen data that survives
  # JSON (to_h, from_h). `app`: the application's folder; `requests`: [App::Request]; `variants`:
  # [Study::Variant]; `baseline`: the name of one variant, `baseline_named`: whether the user named
  # it, `baseline_reason`: why it was chosen, in words (".ruby-version"); `connections`: nil =
  # mohs chooses; `env`: for every server; `omitted`: [{ name:, why: }] of
  # variants that mohs left out of its own choice (`why` nil: --all adds them); `forbidden`: [{
  # name:, why: }] of Rubies that are measured although a line of the application excludes them;
  # `own_config`: use the app's own server configuration; `rules`: of the procedure that measures it
  # (Procedure); `shield`: keep other work from interrupting servers (Process::Shield); `cores`: how
  # many cores each server gets, or which (Study::Cores; nil: as the scheme has it); `hold`: what is
  # held equal for every variant (Study::Hold; nil: only cores); `services`: [{ name:, by: }] of the
  # private services that each server has (`by`: the application's file that asks for one, nil if
  # the user does); `file`: the study file as typed, nil without
  # one; `named`: the user wrote down the variants (or a matrix of them), so mohs leaves none out by
  # itself; `profile`: sample the servers' stacks, which makes the servers slower; `cold_start`: a
  # Study::ColdStart if each server's first load is recorded batch by batch; `scenario`: a
  # Study::ScenarioFile if connections are clients that follow it: then `requests` are sent to
  # servers before the load only, and not measured; `jobs`: a Study::Jobs if the application's job
  # queue is measured, by batches; `streams`: a Study::Streams if event streams are measured, not
  # responses; `warm_up_s`: seconds that a server's warm-up may take (nil: as many as its engine
  # needs); `pack`: App::Pack#to_study if the store has the folder as it was, for hosts that don't
  # have it; `load_from`: a Study::LoadFrom if load comes from another machine; `prepare`: the
  # command of a shell that fills the databases of private services, in place of the application's
  # own task; `login`: Study::Credentials if each server is asked for its pages as a user who has
  # signed in.
  #
  # A subclass, not `Study = Struct.new`: on Ruby 3.1 Zeitwerk sees a namespace only when `class`
  # opens it.
  class Study < Struct.new(:app, :requests, :variants, :baseline, :baseline_named, :baseline_reason,
                           :connections, :seed, :own_config, :env, :rules,
                           :shield, :cores, :hold, :services, :omitted, :forbidden, :file, :named,
                           :profile, :cold_start, :scenario, :jobs, :streams,
                           :warm_up_s, :pack, :load_from, :prepare, :login,
                           keyword_init: true)
    include Value

    # More connections would queue for the server's threads, and their waiting would be measured
    # (METHOD: quiet connections of Puma).
    CONNECTIONS = 4

    # Members that determine, besides the application, how long servers are warmed up and loaded:
    # the keys of #kind.
    KIND = %i[cold_start jobs profile scenario streams warm_up_s].freeze

    #: (?rules: Procedure::Rules, **untyped) -> void
    def initialize(rules: Procedure.default, **members)
      super
    end

    # hash: parsed JSON with symbol keys, as the store returns it.
    #: (Hash[Symbol, untyped]) -> Study
    def self.from_h(hash)
      requests = hash.fetch(:requests).map do |request|
        App::Request.new(**request, headers: request[:headers].to_h.transform_keys(&:to_s))
      end
      variants = hash.fetch(:variants).map { |variant| Variant.from_h(variant) }
      rules = Procedure.kind(hash).stored(hash)
      hold = hash[:hold] && Hold.new(**hash[:hold])
      cold_start = hash[:cold_start] && ColdStart.new(**hash[:cold_start])
      scenario = hash[:scenario] && ScenarioFile.new(**hash[:scenario])
      jobs = hash[:jobs] && Jobs.new(**hash[:jobs])
      streams = hash[:streams] && Streams.new(**hash[:streams])
      load_from = hash[:load_from] && LoadFrom.new(**hash[:load_from])
      login = hash[:login] && Credentials.new(**hash[:login])
      members = hash.except(*Procedure.keys)
      new(**members, requests:, variants:, rules:, hold:, cold_start:, scenario:, jobs:, streams:,
                     load_from:, login:, env: hash.fetch(:env).transform_keys(&:to_s))
    end

    # A plain hash, ready for JSON.
    #: () ?{ (Symbol, untyped) -> [Symbol, untyped] } -> Hash[Symbol, untyped]
    def to_h(&)
      all = each_pair.to_h.except(:rules).merge(
        rules.to_study,
        requests: requests.map(&:to_h), variants: variants.map(&:to_h), hold: hold&.to_h,
        cold_start: cold_start&.to_h, scenario: scenario&.to_h, jobs: jobs&.to_h,
        streams: streams&.to_h, load_from: load_from&.to_h, login: login&.to_h,
      )
      block_given? ? all.to_h(&) : all
    end

    # What --dry-run prints of it, with the keys of every procedure.
    #: () -> Hash[Symbol, untyped]
    def to_document = to_h.merge(Procedure.keys.to_h { |key| [key, nil] }, rules.to_document)

    #: () -> Procedure
    def procedure = rules.procedure(self)

    # The variant called `name`; nil if there is none.
    #: (String) -> Study::Variant?
    def variant(name) = variants.find { |variant| variant.name == name }

    # { name of a Ruby none of whose variants can be measured => the Reason }.
    #: () -> Hash[String, Reason]
    def lost_rubies
      variants.select(&:ruby).group_by(&:ruby).select { |_, all| all.all?(&:refusal) }
              .transform_values { |all| all.first.refusal }
    end

    # A copy with each variable, header, path and body replaced by the block: (name, value, kind) ->
    # value. The kind is :value, :secret, :path or :body.
    #: () { (String, String, Symbol) -> String } -> Study
    def map_values(&block)
      values = ->(hash) { hash.to_h { |name, value| [name, yield(name, value, :value)] } }
      with_env = variants.map do |variant|
        get = variant.get && yield("the path", variant.get, :path)
        Variant.new(**variant.each_pair.to_h, env: values.call(variant.env), get:)
      end
      all_requests = requests.map { |request| request.map_values(&block) }
      signed = login&.map_password { |password| yield("--login", password, :secret) }
      self.class.new(**each_pair.to_h, env: values.call(env), variants: with_env,
                                       requests: all_requests, login: signed)
    end

    # A copy with each secret in its variables, headers, queries and bodies replaced by the block.
    #: () { (String) -> String } -> Study
    def map_secrets(&)
      map_values { |name, value, kind| Secrets.replace_in(kind, name, value, &) }
    end

    # Its secrets, the longest first, so that a secret that contains another is found before it.
    #: () -> Array[String]
    def secrets
      found = []
      map_secrets { |secret| secret.tap { found << secret } }
      found.uniq.sort_by { |secret| -secret.length }
    end

    # A copy with the pack of the application's folder.
    #: (App::Pack) -> Study
    def packed(pack) = self.class.new(**each_pair.to_h, pack: pack.to_study)

    # A copy with another budget.
    #: (Numeric?) -> Study
    def within(budget_s) = self.class.new(**each_pair.to_h, rules: rules.within(budget_s))

    # The study of two of its variants, the first as the baseline, measured for their profiles by
    # these rules, with the connections that they had. Its own rules don't hold, since sampling
    # makes servers slower.
    #: ([String, String], rules: Procedure::Rules) -> Study
    def profiled(pair, rules:)
      variants = pair.map do |name|
        one = variant(name)
        busy = procedure.loading.busy_connections(processes: one.processes, threads: one.threads)
        Variant.new(**one.each_pair.to_h, connections: one.connections || busy)
      end
      self.class.new(**each_pair.to_h, variants:, baseline: pair.first, baseline_named: true,
                                       rules:, omitted: [], named: true, cold_start: nil,
                                       profile: true)
    end

    # The Rails task that creates, migrates and fills all databases of an application (Rails 6 and
    # later).
    PREPARE = "db:prepare"

    # What fills the private databases: a command of the user's, or that task.
    #: () -> String
    def prepared_by = prepare ? "--prepare" : PREPARE

    # Two studies of one application need equal times for their servers only if these are equal.
    #: () -> Hash[Symbol, untyped]
    def kind = KIND.to_h { |name| [name, self[name] || nil] }

    # Connections of every variant that has no number of its own: as declared, else few enough that
    # each variant that can run has a thread for each connection.
    #: () -> Integer
    def load_connections
      return connections if connections

      own = procedure.loading.connections
      return own if own

      sharing = variants.reject { |one| one.refusal || one.connections }
      [CONNECTIONS, *sharing.filter_map(&:slots)].min
    end

    # The number of connections that all variants share; nil if variants differ, as those may whose
    # connections fill the threads of their servers.
    #: () -> Integer?
    def shared_connections
      return connections if procedure.loading.fills_threads?

      counts = variants.map { |one| connections_of(one) }.uniq
      counts.first if counts.one?
    end

    # The connections of one variant.
    #: (Study::Variant) -> Integer
    def connections_of(variant) = variant.connections || load_connections

    # The rates at which requests are due, of variants that can run. At every one of them the slices
    # of the run have to hold enough requests for a p99.
    #: () -> Array[Integer]
    def rates = variants.reject(&:refusal).filter_map(&:rate)

    # The requests that one variant gets. A path of its own is requested with the headers and the
    # expected text that all requests of the study share.
    #: (Study::Variant) -> Array[App::Request]
    def requests_of(variant)
      return requests unless variant.get

      headers = requests.map { |one| one.headers.to_a }.inject(:&).to_h
      expected = requests.map(&:expect).uniq
      [App::Request.new(method: "GET", path: variant.get, headers:,
                        confidential: requests.flat_map(&:confidential).uniq,
                        expect: (expected.first if expected.size == 1))]
    end

    # Names of all private services of its servers, in any variant.
    #: () -> Array[String]
    def service_names
      services.to_a.map { |one| one.fetch(:name) } | variants.flat_map(&:services)
    end

    # Does one of its engines run on the JVM, where database drivers only speak TCP? Then all
    # servers reach their services by TCP; otherwise the socket would be part of the difference.
    #: () -> bool
    def jdbc? = variants.any? { |one| one.refusal.nil? && Rubies::Engines.named(one.engine)::JDBC }

    # Seconds as people write them: 60, 60s, 2m, 1h, 1.5m, 500ms.
    module Duration
      UNITS = { nil => 1, "ms" => 0.001, "s" => 1, "m" => 60, "min" => 60, "h" => 3600 }.freeze
      LONGEST_S = 366 * 86_400
      SHOWN = 40 # characters of what was typed
      FORM = /\A(?<number>\d{1,12}(?:\.\d{1,12})?)\s*(?<unit>ms|s|m|min|h)?\z/

      # Raises UsageError.
      #: (String | Numeric) -> Numeric
      def self.parse(text)
        match = FORM.match(text.to_s.strip)
        seconds = match && (match[:number].to_f * UNITS.fetch(match[:unit]))
        return seconds if seconds&.positive? && seconds <= LONGEST_S

        shown = text.to_s[0, SHOWN].inspect
        raise UsageError, "invalid duration #{shown}; use 90s, 2m or 1h" unless
          seconds&.positive?

        raise UsageError, "duration #{shown}: at most #{LONGEST_S / 86_400} days"
      end
    end

    # The machine that load comes from: `host` as ssh takes it; `listen`, the address of this
    # machine that servers listen on for it (nil: the address by which that machine sees this one).
    class LoadFrom < Struct.new(:host, :listen, keyword_init: true)
      include Value

      # Raises UsageError.
      #: (String, ?listen: String?) -> Study::LoadFrom
      def self.parse(host, listen: nil)
        raise UsageError, "invalid address #{listen.inspect}: use one of this machine, " \
                          "such as 10.0.0.2" unless listen.nil? || address?(listen)

        new(host: Process::Ssh.verified(host), listen:)
      end

      def self.address?(text)
        [Resolv::IPv4::Regex, Resolv::IPv6::Regex].any? { |form| form.match?(text) }
      end
      private_class_method :address?
    end

    # Records the first load of each server, from its first request on: `batches` batches of
    # `requests` requests each, before whatever it still needs to get warm.
    class ColdStart < Struct.new(:batches, :requests, keyword_init: true)
      include Value

      FORM = /\A(?<batches>\d+)x(?<requests>[1-9]\d*)\z/

      # With fewer batches mohs can't determine when a server was warm (Stats::Mser).
      FEWEST = 10
      # Maximum requests: each is recorded, in 32 bytes.
      MOST = 50_000_000

      # Parses what is typed: 64x1024. Raises UsageError.
      #: (String) -> Study::ColdStart
      def self.parse(text)
        batches, requests = FORM.match(text)&.captures&.map(&:to_i)
        raise UsageError, "cold start #{text[0, 40].inspect}: write the number of batches, at " \
                          "least #{FEWEST}, and their size: 64x1024" unless
          batches && batches >= FEWEST
        raise UsageError, "cold start #{text[0, 40].inspect}: at most #{MOST} requests" if
          batches * requests > MOST

        new(batches:, requests:)
      end

      # Requests of all batches.
      #: () -> Integer
      def total = batches * requests
    end

    # Every combination of the levels of five factors, as notations. `rubies: "all"` is every Ruby
    # found here, including broken ones (they get a row that gives the reason); `flags: "all"` is
    # each Ruby without flags, then with each flag that it accepts; `servers: "all"` is each server
    # that `mohs servers` lists, with its default settings; `front: ""` is nothing in front of the
    # server.
    class Matrix < Struct.new(:rubies, :flags, :servers, :front, :env, keyword_init: true)
      ALL = "all"

      #: (?rubies: (String | Array[String])?, ?flags: (String | Array[String])?, ?servers: (String | Array[String?])?, ?front: Array[String]?, ?env: Array[Hash[String, String]]?) -> void
      def initialize(**values)
        super(rubies: ALL, flags: [""], servers: [nil], front: [""], env: [{}], **values.compact)
        freeze
      end

      # In the order of the factors, the last one changing fastest.
      #: (Module, ?servers: Module) -> Array[Study::Notation]
      def notations(found, servers: Servers)
        of_servers = levels_of_servers(servers)
        chosen(found).flat_map do |ruby|
          levels_of_flags(ruby).product(of_servers, front, env).map do |flags, server, front, env|
            served = server ? Notation.of_server(server) : {}
            Notation.new(ruby: ruby.name, flags: Notation.words(flags), env:, **served,
                         front: (front unless front.empty?))
          end
        end
      end

      private

      def chosen(found)
        rubies == ALL ? found.all : Array(rubies).map { |spec| found.find(spec.to_s) }
      end

      def levels_of_servers(family)
        return servers unless servers == ALL

        family.offered.map(&:label)
      end

      def levels_of_flags(ruby)
        return Array(flags) unless flags == ALL

        ["", *(ruby.flags - Rubies::Engines.named(ruby.engine)::DEVELOPMENT)]
      end
    end

    # The cores of a server: how many, or which ([0, 1]); nil: mohs decides (Cohort::Layout).
    module Cores
      COUNT = /\A\d+\z/
      LIST = /\A\d+(-\d+)?(,\d+(-\d+)?)+\z|\A\d+-\d+\z/

      module_function

      # Parses what is typed: "2" cores, or cores numbered "0,1" or "0-3".
      #: (String) -> (Integer | Array[Integer])
      def parse(text)
        return Integer(text, 10) if text.match?(COUNT)
        return list(text) if text.match?(LIST)

        raise UsageError, "cores #{text.inspect}: write how many (2) or which (0,1 or 0-3)"
      end

      # Raises UsageError if this machine does not have these cores.
      #: (Integer | Array[Integer] | nil, ?Array[Integer]) -> void
      def check(cores, available = Process::CpuSet.available)
        case cores
        when Integer then fault(cores, available) unless cores.between?(1, available.size)
        when Array
          fault(cores.join(","), available) if cores.empty? || (cores - available).any?
        end
      end

      # The cores that a server gets, in order.
      #: (Integer | Array[Integer], Array[Integer]) -> Array[Integer]
      def of(cores, available)
        check(cores, available)
        cores.is_a?(Array) ? available & cores : available.first(cores)
      end

      def list(text)
        text.split(",").flat_map { |part|
          from, to = part.split("-").map { |number| Integer(number, 10) }
          (from..(to || from)).to_a
        }.uniq.sort
      end

      def fault(cores, available)
        count = available.size
        raise UsageError, "cores #{cores}: only #{count} #{count == 1 ? 'is' : 'are'} available " \
                          "(#{available.join(', ')})."
      end
      private_class_method :list, :fault
    end

    # The address of a server that already runs on this machine. Load on somebody else's machine
    # would be an attack, and over a network it would measure the network.
    class ServerUrl < Struct.new(:host, :port, keyword_init: true)
      #: (String) -> Study::ServerUrl
      def self.parse(text)
        uri = Http::Address.parse(text)
        raise UsageError, "#{text}: is not this machine: load goes to loopback only." \
          unless Loopback.host?(uri.host)

        requested(text, uri) if uri.query || uri.fragment || !["", "/"].include?(uri.path)

        new(host: uri.hostname.sub(Loopback::NAME, "127.0.0.1"), port: uri.port)
      end

      def self.requested(text, uri)
        port = ":#{uri.port}" unless uri.port == uri.default_port
        raise UsageError, "#{text}: a variant is a server, without a path. Did you mean " \
                          "http://#{uri.host}#{port} with --get #{uri.request_uri}?"
      end
      private_class_method :requested

      #: () -> String
      def to_s = "http://#{HostName.at(host, port)}"
    end
  end
end
