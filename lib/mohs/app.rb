# frozen_string_literal: true

module Mohs
  # An application under test: any folder with a config.ru. Plain frozen data; App::Folder reads it
  # from disk. `name` of the folder ("shop"); `dir`, `config_ru`, `gemfile`, `lock` absolute paths
  # (the last two nil where there is none); `framework` as shown to the person ("Rails 7.2.1",
  # "Sinatra 4.0.0", "Rack"); `ruby` the version it asks for ("3.4.5", "jruby-9.4.14.0" or nil) and
  # `ruby_source` where it says so (".ruby-version"); `database` App::Database or nil; `requests`
  # [App::Request] and `checks` [App::Check] of its checks.yml; `notes` [what the person should
  # know].
  #
  # A subclass, not `App = Struct.new`: on Ruby 3.1 Zeitwerk sees a namespace only when `class`
  # opens it.
  class App < Struct.new(:name, :dir, :config_ru, :gemfile, :lock, :framework, :ruby, :ruby_source,
                         :database, :requests, :checks, :notes, keyword_init: true)
    #: (?requests: Array[App::Request], ?checks: Array[App::Check], ?notes: Array[String], ?name: String, ?dir: String?, ?config_ru: String?, ?gemfile: String?, ?lock: String?, ?framework: String?, ?ruby: String?, ?ruby_source: String?, ?database: App::Database?) -> void
    def initialize(requests: [], checks: [], notes: [], **facts)
      super
      freeze
    end

    #: () -> bool
    def rails? = framework.to_s.start_with?("Rails")

    # The requests if the person names none: those of its checks.yml, else its root.
    #: () -> Array[App::Request]
    def default_requests = requests.empty? ? [Request.build(path: "/")] : requests

    # The expected response to one request, as learned: `request` as it has to be sent
    # (App::Request), `status`, `type`, `length` of the body in bytes, the `body` itself, `kind`
    # what repeats and is checked from now on (:body byte for byte, :length, or only :status),
    # `note` what the person should know, or nil.
    class Answer < Struct.new(:request, :status, :type, :length, :body, :kind, :note,
                              keyword_init: true)
      include Value

      # "200, 4507 bytes, same body each time".
      #: () -> String
      def to_s
        repeats = { body: "same body each time", length: "same length each time",
                    status: "another body each time" }.fetch(kind)
        "#{status}, #{"#{length} bytes, " unless kind == :status}#{repeats}"
      end
    end

    # What an application's checks.yml requires of a response before anything is measured:
    # `status`; `type` the beginning of its Content-Type, `body` the whole body (nil: anything).
    # The request's own `expect` is required too.
    class Check < Struct.new(:request, :status, :type, :body, keyword_init: true)
      # What is wrong with a response, nil if nothing is.
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
  end
end
