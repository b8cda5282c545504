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
  end
end
