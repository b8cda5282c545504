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
  end
end
