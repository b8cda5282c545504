# frozen_string_literal: true

module Mohs
  # An application under test: any folder with a config.ru. Plain frozen data; App::Folder reads it
  # from disk.
  #
  # Fields: `name` of the folder ("shop"); `dir`, `gemfile` and `lock`, absolute paths (the last two
  # are nil if there is no such file); `origin`, the user's folder, of which `dir` may be a
  # checkout; `rails`, whether it is an application of Rails; `ruby`, the version it asks for
  # ("3.4.5", "jruby-9.4.14.0" or nil), and `ruby_source`, the file that says so (".ruby-version");
  # `ruby_requirements` [App::RubyRequirement], the Rubies it allows; `database`, an App::Database
  # or nil; `requests` [App::Request] and `checks` [App::Check] from its checks.yml; `needs`
  # [App::Need], the services that its configuration asks for; `own_jit`, an App::OwnJit or nil;
  # `notes` [App::Note].
  #
  # A subclass, not `App = Struct.new`: on Ruby 3.1 Zeitwerk recognises a namespace only when
  # `class` opens it.
  class App < Struct.new(:name, :dir, :gemfile, :lock, :rails, :ruby, :ruby_source,
                         :ruby_requirements, :database, :needs, :requests, :checks, :own_jit,
                         :notes, :origin, keyword_init: true)
    #: (?origin: String?, ?ruby_requirements: Array[App::RubyRequirement], ?needs: Array[App::Need], ?requests: Array[App::Request], ?checks: Array[App::Check], ?own_jit: App::OwnJit?, ?notes: Array[App::Note], ?name: String, ?dir: String?, ?gemfile: String?, ?lock: String?, ?rails: bool, ?ruby: String?, ?ruby_source: String?, ?database: App::Database?) -> void
    def initialize(ruby_requirements: [], needs: [], requests: [], checks: [], notes: [],
                   origin: nil, rails: false, **facts)
      super
      self.origin ||= dir
      freeze
    end

    #: () -> bool
    def rails? = rails

    # Does it turn a JIT on by itself, as far as its files tell, and can it with this Ruby?
    #: (Rubies::Ruby) -> bool
    def turns_jit_on?(ruby) = !own_jit.nil? && ruby.enables?(own_jit.jit)

    # The requests to measure if the user names none: those of its checks.yml, else its root path.
    #: () -> Array[App::Request]
    def default_requests = requests.empty? ? [Request.build(path: "/")] : requests

    # Something the user should know about the application: `code` and `values`, plain data that
    # survives JSON and becomes an Analysis::Finding of its trials.
    class Note < Struct.new(:code, :values, keyword_init: true)
      include Value

      #: (String, **untyped) -> App::Note
      def self.of(code, **values) = new(code:, values:)
    end

    # The expected response to one request, as learned: `request` as it has to be sent
    # (App::Request); `status`; `type` (nil if there is none, or if it varies); `length` of the body
    # in bytes (of the shortest body, if it varies); `body`; `kind`, which part of the body is
    # checked from now on (:body byte for byte, :length, or :status for the status only, plus that
    # the body isn't empty if it never was); `expect`, the text that the user requires, or nil;
    # `note`, what the user should know, or nil.
    class Answer < Struct.new(:request, :status, :type, :length, :body, :kind, :expect, :note,
                              keyword_init: true)
      include Value

      # The same with one more thing to know.
      #: (String) -> App::Answer
      def noted(text) = self.class.new(**to_h, note: [text, *note].join("; "))

      # Does the body vary too much between responses to have an expected length?
      #: () -> bool
      def varies? = kind == :status

      # Does the body vary, but was it never empty?
      #: () -> bool
      def never_empty? = varies? && length.positive?

      # The first difference between a reply and the checked parts of this response, nil if there is
      # none: { part: "status" | "type" | "length", right:, wrong: }; { part: "body", offset:,
      # right:, wrong: } with a few bytes around the first difference; or { part: "text", right: }
      # for required text that is missing. Everything that comes from the server is safe to print.
      #: (Http::Reply) -> Hash[Symbol, untyped]?
      def difference(reply)
        found = { status: reply.status, type: reply.type, length: reply.body.bytesize }
        part = checked.find { |key| found[key] != self[key] }
        part ||= :length if lacks_body?(reply)
        if part
          right, wrong = [self[part], found[part]].map { |value| shown(value, reply) }
          return { part: part.to_s, right:, wrong: }
        end
        return in_body(reply) if kind == :body && reply.body != body

        { part: "text", right: expect } unless reply.contains?(expect)
      end

      private

      def in_body(reply)
        offset = BodyDifference.offset(body, reply.body)
        texts = [body, reply.body].map do |bytes|
          printable(reply.part(*BodyDifference.shown(offset), bytes))
        end
        { part: "body", offset:, right: texts[0], wrong: texts[1] }
      end

      def shown(value, reply) = value.is_a?(String) ? printable(reply.quote(value)) : value

      def checked = [:status, (:type if type), (:length if kind == :length)].compact

      def lacks_body?(reply) = never_empty? && reply.body.empty?

      def printable(text) = text.gsub(/[^[:print:]]|\p{Cf}/, "·")
    end

    # What an application's checks.yml requires of a response before anything is measured: `status`;
    # `type`, the Content-Type without parameters; `body`, the whole body (nil for type or body:
    # anything). The request's own `expect` is required too.
    class Check < Struct.new(:request, :status, :type, :body, keyword_init: true)
      # The same of another request.
      #: (App::Request) -> App::Check
      def with_request(request) = self.class.new(**to_h, request:)

      # What is wrong with a response; nil if nothing is.
      #: (Http::Reply) -> String?
      def complaint(reply)
        return "status #{reply.status} instead of #{status}" unless reply.status == status
        return "type #{reply.type || '(none)'} instead of #{type}" if type && reply.type != type
        return "#{shown(reply.text)} instead of #{shown(body)}" if body && reply.body != body.b
        return if reply.contains?(request.expect)

        "#{shown(reply.text)}, which does not contain #{request.expect.inspect}"
      end

      private

      # Enough of a body to recognise it by.
      def shown(text) = text.size > 80 ? "#{text[0, 77].inspect}..." : text.inspect
    end

    # Is it an application of Rails, judged by the gems that it locks or requires? railties stands
    # for Rails, because some applications use only parts of it.
    module Framework
      GEMS = %w[rails railties].freeze
      REQUIRED = /^\s*(?:gem|\w+\.add_dependency)[\s(]+["']rail(?:tie)?s["']/

      #: (gemfile: String, lock: String) -> bool
      def self.rails?(gemfile:, lock:)
        Bundle::Lockfile.versions(lock).keys.intersect?(GEMS) || gemfile.match?(REQUIRED)
      end
    end

    # Which Ruby an application asks for. The version managers' files take precedence over the
    # Gemfile, as they do in a shell.
    module WantedRuby
      # `ruby "3.4.5"`; requirements like ">= 3.1" don't name a Ruby.
      GEMFILE = /^\s*ruby[\s(]+["'](?:=\s*)?(\d+\.\d+(?:\.\d+)?)["'](?!.*engine)/
      # `ruby "3.1.4", engine: "jruby", engine_version: "9.4.14.0"`
      GEMFILE_ENGINE = /^\s*ruby\b.*engine:\s*["'](\w+)["'].*engine_version:\s*["']([\d.]+)["']/

      module_function

      # [version, the file that names it], or [nil, nil]. Each argument is a file's text, "" if
      # there is no such file.
      #: (?ruby_version: String, ?tool_versions: String, ?mise: String, ?gemfile: String, ?lock: String) -> [String?, String?]
      def find(ruby_version: "", tool_versions: "", mise: "", gemfile: "", lock: "")
        found = {
          ".ruby-version" => ruby_version[/^\s*(?!#)(\S+)/, 1],
          ".tool-versions" => tool_versions[/^\s*ruby\s+(\S+)/, 1],
          "mise.toml" => mise[/^\s*ruby\s*=\s*["']([^"']+)["']/, 1],
          "Gemfile" => gemfile.match(GEMFILE_ENGINE)&.captures&.join("-") || gemfile[GEMFILE, 1],
          "Gemfile.lock" => lock[/^RUBY VERSION\s+ruby (\d+\.\d+\.\d+)/, 1],
        }
        source, version = found.find { |_, name| name && name != "system" }
        [version&.delete_prefix("ruby-"), source]
      end
    end

    # What an application writes to its own log while it is measured: Rails explains a 500 only
    # there. Created before the server boots; read when something has gone wrong.
    class OwnLog
      # Enough for several exceptions with their backtraces.
      TAIL_BYTES = 64 * 1024

      # Where Rails writes its log by default, relative to the application's folder.
      RAILS = File.join("log", "production.log")

      #: (String) -> void
      def initialize(path)
        @path = path
        @start = size
      end

      # What has been written since, at most the last TAIL_BYTES; "" if nothing was.
      #: () -> String
      def tail
        from = [@start <= size ? @start : 0, size - TAIL_BYTES].max
        Printable.call(File.open(@path, "rb") { |file| file.seek(from) && file.read.to_s })
      rescue SystemCallError
        ""
      end

      private

      def size = File.size?(@path) || 0
    end

    # What looks suspicious about a response that would pass: a page other than the requested one
    # may also have status 200.
    module LoginPageCheck
      NEGOTIATED = "depends on the header Accept: a browser may get a page " \
                   "(--header \"Accept: text/html\")"
      ERROR_TITLE = /\b(?:error|not found|wrong|exception|unavailable|denied|[45]0\d)\b/i

      module_function

      # A sentence, or nil if nothing looks wrong.
      #: (App::Request, Http::Reply) -> String?
      def of(request, reply)
        notes = [
          ("looks like a login page instead of #{request.path}" if login?(request, reply)),
          ("looks like an error page (#{reply.title.inspect})" if error?(reply)),
          ("the body is empty" if empty?(request, reply)),
          (NEGOTIATED if negotiated?(request, reply)),
          ("sets a cookie each time: every request starts a session" if stranger?(request, reply)),
          ("sent with X-Forwarded-Proto: https, as the app forces TLS" if forwarded?(request)),
        ].compact
        notes.join("; ") unless notes.empty?
      end

      def error?(reply) = reply.title.to_s.match?(ERROR_TITLE)

      def login?(request, reply)
        own = Redirect.login?(request.path) || request.path.match?(SignIn::Form::CHOOSES)
        !own && SignIn::Form.login?(reply.text, request.path)
      end

      def empty?(request, reply)
        reply.body.empty? && request.method != "HEAD" && ![204, 205].include?(reply.status)
      end

      # Who has sent a cookie has a session, which many applications renew each time.
      def stranger?(request, reply) = reply.header("set-cookie") && !request.header("Cookie")

      # mohs sends no Accept of its own, so an application may serve what it has for programs.
      def negotiated?(request, reply)
        return false if request.method != "GET" || request.header("Accept")

        reply.header("vary").to_s.match?(/(?<![\w-])accept(?![\w-])/i) && reply.type != "text/html"
      end

      def forwarded?(request) = request.header("X-Forwarded-Proto") == "https"

      private_class_method :login?, :error?, :empty?, :negotiated?, :stranger?, :forwarded?
    end
  end
end
