# frozen_string_literal: true

require "roda"
require "json"
require "ipaddr"
require "securerandom"

module Mohs
  class Web
    # Routes addresses to pages. Only this server's own pages can read its responses: the Host
    # header must be one by which a browser reaches this server itself (a name that an attacker
    # resolves to this machine doesn't count), nothing is shared with other origins, and a change
    # needs a token that only its form has.
    class App < ::Roda
      # Most bytes that a form may send.
      LONGEST_FORM = 64 * 1024
      COOKIE = "mohs"
      HEADERS = { "content-type" => "text/html; charset=utf-8",
                  "content-security-policy" => Page::POLICY,
                  "x-content-type-options" => "nosniff", "referrer-policy" => "no-referrer",
                  "cross-origin-opener-policy" => "same-origin",
                  "cross-origin-resource-policy" => "same-origin",
                  "x-frame-options" => "DENY", "cache-control" => "no-store" }.freeze
      # Policy of a result's page: its own style and script, and otherwise the same rules.
      RESULT = "#{Report::Html::POLICY}; frame-ancestors 'none'".freeze
      # Policy of a file, which is never a page of this server.
      FILE = "default-src 'none'; sandbox"
      KEY = /(\h{1,64})/
      NAME = /(.+)/m # a history's name may contain a slash

      COMPARE = "Compare two variants"

      # What pages need from the server: its results and streams, the token that a browser has to
      # present (nil: none), and the log for faults.
      Place = Struct.new(:results, :streams, :token, :log, keyword_init: true)

      # Makes the segments of a path valid text, whatever bytes they contain.
      module ReadablePath
        # Included in each request.
        module RequestMethods
          private

          def _remaining_path(_env) = super.dup.force_encoding("UTF-8").scrub("?").delete("\0")
        end
      end

      plugin :default_headers, HEADERS
      plugin :halt
      plugin :head
      plugin :typecast_params
      plugin :unescape_path
      plugin ReadablePath
      plugin :route_csrf, csrf_failure: :raise, exempt_request_methods: %w[GET HEAD]
      plugin(:not_found) { failure("Not found", "There is no such page.", 404) }
      plugin(:error_handler) { |error| failed(error) }

      # A frozen app for one server.
      #: (results: Web::Results, streams: Web::Streams, port: Integer, ?token: String?, ?bind: String, ?log: untyped) -> Class
      def self.of(results:, streams:, port:, token: nil, bind: BIND, log: StringIO.new)
        Class.new(self) do
          opts[:place] = Place.new(results:, streams:, token:, log:).freeze
          plugin(:host_authorization, ->(host) { App.own?(host, bind) }) { |_| misled }
          plugin :sessions, secret: SecureRandom.random_bytes(64), key: "#{COOKIE}.#{port}",
                            cookie_options: { same_site: :lax, httponly: true }
          freeze
        end
      end

      # Whether a browser that sends this host means this server. An address can't be another
      # server's; of names, only this machine's count.
      #: (String, String) -> bool
      def self.own?(host, bind)
        return true if Loopback.host?(host) || host.casecmp?(bind)
        return false if Loopback.host?(bind)

        host.casecmp?(Socket.gethostname) || !IPAddr.new(host).nil?
      rescue ArgumentError
        false # neither an address nor text that could be parsed as one
      end

      route do |r|
        check_host_authorization!
        check_origin(r)
        authorize(r)
        check_csrf!

        r.root { runs }
        r.on("runs", KEY) { |key| run(r, key) }
        r.on("histories") { histories(r) }
        r.on("studies") { studies(r) }
        r.get("speedscope", String) { |name| speedscope(name) }
      end

      private

      def place = self.class.opts[:place]

      def results = place.results

      def misled
        failure("Not this server", "The address names another host. Open the one that mohs web " \
                                   "has printed.", 403)
      end

      # A page of another site in the same browser may only link here: its images, frames and
      # fetches could read nothing, but each would be load during a measurement.
      def check_origin(r)
        site, mode, dest = %w[SITE MODE DEST].map { |name| r.env["HTTP_SEC_FETCH_#{name}"] }
        return if site.nil? || %w[same-origin none].include?(site)
        return if r.get? && mode == "navigate" && dest == "document"

        r.halt(403, failure("Not for other sites", "Open the address that mohs web has printed."))
      end

      # Nothing is shown without the token: it comes once in the address and is then in the
      # browser's cookie; programs send it in a header.
      def authorize(r)
        return if place.token.nil? || session["in"] == place.token

        given = r.env["HTTP_AUTHORIZATION"].to_s[/\ABearer (.+)\z/, 1]
        return if given && same?(given)

        given = r.get? && query("token")
        if given && same?(given)
          session["in"] = place.token
          r.redirect(r.path)
        end
        r.halt(refused)
      end

      def same?(given) = Rack::Utils.secure_compare(given, place.token)

      def refused
        response.status = 401
        response.write(failure("Token needed", "Open the address that mohs web has printed."))
        response.finish
      end

      # A parameter as text; nil if it is missing or empty.
      def query(name)
        text = typecast_params.nonempty_str(name)
        text&.valid_encoding? ? text : text&.scrub
      end

      def runs
        page = typecast_params.pos_int("page") || 1
        state = query("state")
        state = nil unless Results::STATES.include?(state)
        document = results.runs(page: [page, 1_000_000].min, app: query("app"), state:)
        Page.new("Runs", [Views::Runs.new(document)], here: "/").to_s
      end

      def run(r, key)
        run = found { named(key) }
        r.is { r.get { results.running?(run) ? live(run) : result(run) } }
        r.get("events") { events(run) }
        r.get("compare") { compare(run) }
        r.get("logs") { logs(run) }
        r.get("profiles", Integer) { |index| profile(run, index) }
        r.get("profiles") { profiles(run) }
        r.get("download", String) { |name| download(run, name) }
        r.get("download") { downloads(run) }
        r.is("rename") { rename(r, run) }
        r.is("delete") { delete(r, run) }
      end

      # A run can be found by its first characters. A change must name it in full: a second click
      # would otherwise delete another run that begins the same.
      def named(key)
        run = results.run(key)
        return run unless request.post? && run.stored.key != key.downcase

        raise UsageError, "no run is called #{key}."
      end

      # An unknown run is nobody's fault.
      def found
        yield
      rescue UsageError => error
        request.halt(404, failure("Not found", error.message))
      end

      def links(run)
        at = "/runs/#{run.stored.key}"
        pair = [["Compare two", "#{at}/compare"]] if run.measured_rows.size > 1
        profiles = [["Profiles", "#{at}/profiles"]] if run.stored.study.profile
        [["This run", at], *pair, *profiles, ["Logs", "#{at}/logs"], ["Download", "#{at}/download"],
         ["Rename", "#{at}/rename"], ["Delete", "#{at}/delete"]]
      end

      def title(run) = run.stored.label || "run #{run.stored.key}"

      def page(run, title, sections, **others)
        Page.new(title, sections, links: links(run), here: request.path, **others).to_s
      end

      def result(run)
        response["content-security-policy"] = RESULT
        label = run.stored.label
        above = [Page.navigation(links(run)),
                 (Report::Html::Markup.element(:p, label, class: "subject") if label)]
        results.page(run, above:)
      end

      def live(run)
        page(run, run.stored.label || "Run #{run.stored.key}", [Views::Live.new(results.document(run))])
      end

      # Polling is cheap while nothing has ended: this machine may be the one that measures.
      def events(run)
        key = run.stored.key
        known = event = nil
        body = place.streams.open do
          progress = results.progress(key)
          next [Streams::END_EVENT, "{}"] unless progress

          event = rows(key) unless known == progress
          known = progress
          event
        end
        request.halt(503, failure("Too many pages", "Close one that follows a run.")) unless body

        headers = HEADERS.merge("content-type" => "text/event-stream", "x-accel-buffering" => "no")
        request.halt([200, headers, body])
      end

      def rows(key)
        document = results.document(results.run(key))
        ["rows", JSON.generate(Views::Live.new(document).event)]
      end

      def compare(run)
        names = run.measured_rows.map(&:name)
        return page(run, COMPARE, [few]) if names.size < 2

        a = query("a") || names.find { |name| name == run.baseline } || names.first
        b = query("b") || (names - [a]).first
        document = results.pair(run, a, b)
        page(run, COMPARE,
             [Views::PairForm.new({ names:, **document.slice(:a, :b) }),
              drawn(Compare::Section, document), Views::Causes.new(document)],
             intro: document[:basis])
      rescue UsageError => error
        response.status = 404
        page(run, COMPARE, [Views::PairForm.new({ names:, a:, b: })], intro: error.message)
      end

      # A section as on the page of a result; nil if the document has nothing for it.
      def drawn(kind, document)
        section = kind.new(document).to_section
        Report::Html::ViewSection.new(section) if section
      end

      def few = Report::Html::Markup.element(:p, "This run has no two variants with figures.")

      def logs(run)
        page(run, "Logs of #{title(run)}", [Views::Logs.new({ trials: results.logs(run) })])
      end

      def profiles(run)
        variants = results.profiled(run)
        page(run, "Profiles of #{title(run)}",
             [Views::Profiles.new({ run: run.stored.key, variants: })])
      end

      def profile(run, index)
        text = found { results.profile(run, index) }
        response["content-type"] = "application/json"
        response["content-security-policy"] = FILE
        text
      end

      # A file of the profile viewer.
      def speedscope(name)
        content, type = Speedscope.file(name)
        return unless content

        response["content-type"] = type
        response["content-security-policy"] = Speedscope::POLICY
        content
      end

      def downloads(run)
        formats = results.formats(results.document(run)).map { |one| [one.label, one::HELP] }
        page(run, "Files of #{title(run)}",
             [Views::Downloads.new({ run: run.stored.key, formats: })])
      end

      def download(run, name)
        member = found { Exporters::Documents.fetch(name) }
        text = found { results.export(run, member) }
        response["content-type"] = member::MEDIA_TYPE
        response["content-security-policy"] = FILE
        file = "mohs-#{run.stored.key}#{member::ENDINGS.first}"
        response["content-disposition"] = "attachment; filename=\"#{file}\""
        text
      end

      def rename(r, run)
        r.redirect("/runs/#{run.stored.key}") if r.post? &&
                                                 change { results.label(run, query("label").to_s) }
        page(run, "Rename #{title(run)}",
             [Views::Rename.new({ label: run.stored.label, csrf:, error: @refusal })])
      end

      def delete(r, run)
        r.redirect("/") if r.post? && change { results.delete(run) }
        what = "Run #{run.stored.key}#{" (#{run.stored.label})" if run.stored.label} of " \
               "#{File.basename(run.stored.app.to_s)}: #{run.stored.study.variants.size} variants."
        page(run, "Delete #{title(run)}",
             [Views::Delete.new({ run: run.stored.key, what:, csrf:, error: @refusal })])
      end

      # False if the change is refused: the form is shown again, with the reason.
      def change
        yield
        true
      rescue UsageError => error
        response.status = 409
        @refusal = error.message
        false
      end

      # The token of the form on this page.
      def csrf = { csrf_field => csrf_token(request.path) }

      def histories(r)
        r.get(true) do
          Page.new("Histories", [Views::Histories.new({ tracks: results.histories })],
                   here: r.path).to_s
        end
        r.get(NAME) do |name|
          document = found { results.history(name, query("metric")) }
          Page.new("History #{name}", [Views::History.new(document)],
                   intro: document[:sentence]).to_s
        end
      end

      def studies(r)
        r.get(true) do
          Page.new("Studies", [Views::Studies.new({ studies: results.studies })],
                   here: r.path).to_s
        end
        r.get(NAME) { |name| study(found { results.study(name) }) }
      end

      # If the study has a run, its published figures are shown beside the measured ones.
      def study(document)
        run = document[:run] && results.run(document[:run].key)
        claims = drawn(Repro::Section, results.document(run)) if run
        link = [["Its newest run", "/runs/#{document[:run].key}"]] if run
        Page.new(document[:publication]&.title || document[:name],
                 [claims, published(document)].compact, links: link.to_a).to_s
      end

      # What the study published, or why it can't be read.
      def published(document)
        publication = document[:publication] or
          return Report::Html::Markup.element(:p, document[:error], class: "caution")

        section = Repro::PublishedSection.new(Repro::Document.published(publication),
                                              claims: document[:run].nil?)
        Report::Html::ViewSection.new(section.to_section)
      end

      def failure(title, text, status = nil)
        response.status = status if status
        Page.new(title, [Report::Html::Markup.element(:p, text)]).to_s
      end

      # What a user can fix, here or in the store, is shown; the details of mohs's own faults are
      # printed in the terminal.
      def failed(error)
        case error
        when RodaPlugins::RouteCsrf::InvalidToken
          failure("Not done", "The form was too old. Load its page again and repeat it.", 403)
        when RodaPlugins::TypecastParams::Error, Rack::BadRequest
          failure("Not understood", "The request has a parameter that can't be read.", 400)
        when Error then failure("Not possible", error.message, 503)
        else
          place.log.puts("mohs web: #{error.class}: #{error.message} (#{error.backtrace&.first})")
          failure("A fault of mohs", "#{error.class}. The terminal of mohs web has the rest.", 500)
        end
      end
    end
  end
end
