# frozen_string_literal: true

module Mohs
  class Study
    # Reads a study.yml into a declaration (see Builder), with paths resolved against its folder.
    # Every fault is a StudyError that starts with the file's name and the key path; positions in
    # lists count from 1. A section that one procedure alone has is read by its StudyFile, with the
    # public methods below.
    class File
      METHODS = %w[get head post put patch delete].freeze

      #: (String, ?servers: Module) -> Hash[Symbol, untyped]
      def self.load(path, servers: Servers) = new(path, servers).load

      #: (String, Module) -> void
      def initialize(path, servers)
        @path = path
        @folder = ::File.dirname(::File.expand_path(path))
        @servers = servers
      end

      #: () -> Hash[Symbol, untyped]
      def load
        @document = parse
        Schema.new.check(@document)
        declaration.compact
      rescue StudyError => error
        raise StudyError.new("#{::File.basename(@path)}: #{error.key_path}", error.detail)
      end

      # What it has in common with other files.
      #: () -> Study::Entry
      def entry = @entry ||= common(@document)

      # The entries of a list with their key paths. One entry may be written without brackets.
      #: (String) -> Array[[String, untyped]]?
      def listed(key)
        value = @document[key] or return
        [value].flatten.map.with_index(1) { |entry, index| ["#{key}/#{index}", entry] }
      end

      #: (Hash[String, untyped], String) -> App::Request
      def request(entry, path)
        methods = entry.keys & METHODS
        fault(path, "should have one of #{METHODS.join(', ')}") unless methods.one?

        at(path) do
          App::Request.build(
            method: methods.first, path: entry[methods.first],
            headers: text_map(entry["headers"]) || {}, body: body(entry, path),
            weight: entry.fetch("weight", 1), expect: entry["expect"]&.to_s,
          )
        end
      end

      # Turns a UsageError of the block into a fault of this key path.
      #: (String) { () -> untyped } -> untyped
      def at(path)
        yield
      rescue UsageError => error
        fault(path, error.message)
      end

      private

      def parse
        raise Errno::EISDIR if ::File.directory?(@path)

        Schema.parse(BoundedFile.read(@path))
      rescue Errno::ENOENT, Errno::EISDIR
        raise UsageError, "study file #{@path} not found. For the format: mohs docs"
      end

      def declaration
        { app:, env:, services:,
          **@document.slice("own_config", "own_jit", "prepare").transform_keys(&:to_sym), requests:,
          matrix:, variants:,
          shield: @document["shield"], profile: @document["profile"], cores:, hold:, scenario:,
          jobs:, streams:, load_from:, login:, baseline: @document["baseline"]&.to_s, **amounts,
          **of_procedures }
      end

      def of_procedures
        Procedure.parts("study_file").map { |one| one.new(self).to_h }.reduce(:merge)
      end

      def amounts
        { connections: entry.whole(:connections), seed: entry.whole(:seed),
          warm_up_s: entry.warm_up_s, cold_start: entry.cold_start }
      end

      def common(map, path = nil) = Entry.new(map, servers: @servers, path:)

      def login
        text = @document["login"]
        text && at("login") { Credentials.parse(text.to_s) }
      end

      def app = ::File.expand_path(@document.fetch("app", "."), @folder)

      # Includes the addresses of the user's own services.
      def env
        own = named_services.select { |_, _, url| url }.to_h do |_, member, url|
          [member::VARIABLE, url]
        end
        given = text_map(@document["env"])
        own.empty? ? given : own.merge(given.to_h)
      end

      # Names of the private services.
      def services
        names = named_services.reject { |_, _, url| url }.map(&:first)
        names if names.any?
      end

      # [name, member, address] of each service.
      def named_services
        @named_services ||= listed("services").to_a.flat_map do |path, entry|
          (entry.is_a?(Hash) ? entry.to_a : [[entry, nil]]).map do |name, url|
            at(path) { service(name.to_s, url&.to_s) }
          end
        end
      end

      def service(name, url)
        member = Services.fetch(name)
        return [name, member, url] if url.nil? || member.url?(url)

        raise UsageError, "not an address of #{member::TITLE}: write #{member::SCHEMES.first}://..."
      end

      def cores = @document["cores"] && at("cores") { Cores.parse(@document["cores"].to_s) }

      # Relative to this file's folder, or to the application's.
      def scenario
        name = @document["scenario"] or return
        places = [@folder, app].map { |folder| ::File.expand_path(name.to_s, folder) }
        at("scenario") { ScenarioFile.read(*places) }
      end

      def jobs
        given = @document["jobs"] or return
        texts = given.slice("worker", "api", "limit").transform_values(&:to_s)
        at("jobs") { Jobs.parse(count: given["count"], **texts.transform_keys(&:to_sym)) }
      end

      def streams
        given = @document["streams"] or return
        at("streams") do
          slice_s = given["slice"]&.then { |text| Duration.parse(text) }
          publish = given["publish"].to_s
          Streams.new(**{ open_per_s: given["open_rate"], slice_s:, protocol: given["protocol"],
                          messages_per_s: given["rate"], channel: given["channel"]&.to_s,
                          action: given["action"]&.to_s, fan_out: given["fan_out"],
                          publish: (publish unless publish.empty?) }.compact)
        end
      end

      def load_from
        host, listen = @document.values_at("load_from", "listen")
        at("listen") { raise UsageError, "is for load_from: HOST" } if listen && !host

        host && at("load_from") { LoadFrom.parse(host.to_s, listen: listen&.to_s) }
      end

      def hold = @document["hold"] && at("hold") { Hold.parse(text_map(@document["hold"])) }

      def requests = listed("requests")&.map { |path, entry| request(entry, path) }

      def body(entry, path)
        return entry["body"] unless entry["body_file"]

        file = ::File.expand_path(entry["body_file"], @folder)
        ::File.binread(file)
      rescue SystemCallError => error
        fault("#{path}/body_file", "#{file}: #{Error.system(error)}")
      end

      def matrix
        given = @document["matrix"] or return
        levels = %w[rubies flags servers front].to_h { |key| [key.to_sym, many(given[key])] }
        levels[:env] = [given["env"]].flatten.map { |map| text_map(map) } if given["env"]
        named = levels[:servers] unless levels[:servers] == Matrix::ALL
        check_levels(named, "matrix/servers") { |text| Notation.served(text, servers: @servers) }
        check_levels(levels[:flags], "matrix/flags") { |text| Notation.words(text) }
        check_levels(levels[:front], "matrix/front") { |text| front(text) }
        Matrix.new(**levels)
      end

      def check_levels(texts, path)
        Array(texts).each.with_index(1) { |text, index| at("#{path}/#{index}") { yield text } }
      end

      # A level or a list of levels, as text; "all" stays one word.
      def many(value)
        return value if value.nil? || value == Matrix::ALL

        [value].flatten.map(&:to_s)
      end

      def variants
        listed("variants")&.map { |path, entry| [path, variant(entry, path)] }
      end

      def variant(entry, path)
        return at(path) { Notation.parse(entry.to_s, servers: @servers) } unless entry.is_a?(Hash)

        served = common(entry, path).served.to_h
        Notation.new(label: entry["name"]&.to_s, ruby: entry["ruby"]&.to_s, **served,
                     flags: at("#{path}/flags") { Notation.words(entry["flags"].to_s) },
                     front: at("#{path}/front") { front(entry["front"].to_s) },
                     env: text_map(entry["env"]) || {}, revision: revision(entry["revision"]),
                     **%w[gemfile config].to_h { |key| [key.to_sym, entry[key]&.to_s] },
                     close: entry["close"], **own_load(entry, path))
      end

      def own_load(entry, path)
        entry.slice("connections", "rate", "get").to_h do |key, value|
          [key.to_sym, at("#{path}/#{key}") { Notation.load(key, value.to_s) }]
        end
      end

      # YAML would need quotes for the @, so it is optional here.
      def revision(name) = name && "@#{name.to_s.delete_prefix('@')}"

      # "" means none.
      def front(text) = text.empty? ? nil : text.tap { Fronts.fetch(text) }

      def text_map(map) = map&.to_h { |key, value| [key.to_s, value.to_s] }

      def fault(path, message) = raise(StudyError.new(path, message))
    end
  end
end
