# frozen_string_literal: true

module Mohs
  # The dashboard over this test's own store, called without a socket.
  module WebHelper
    include StoreHelper

    HOST = "http://localhost:6647"
    # Where internal errors would be reported: a test that causes one fails.
    LOG = Class.new { def puts(text) = raise("a fault: #{text}") }.new

    # A response. Its cookies are kept for the next request.
    Answer = Struct.new(:status, :headers, :body) do
      def page = Page.new(body)
    end

    def setup
      super
      @folder = Dir.mktmpdir("mohs-test")
      @store = open_store(File.join(@folder, "mohs.db"))
      @cookies = {}
    end

    def teardown
      close_stores
      FileUtils.rm_rf(@folder)
      super
    end

    # library: a folder of published studies.
    def app(token: nil, bind: Web::BIND, streams: Web::Streams.new, log: LOG, library: @folder)
      library = Repro::Library.new(folder: library)
      results = Web::Results.new(@store, vault: Secrets::Vault.new(env: { "HOME" => @folder }),
                                         library:)
      Web::App.of(results:, streams:, port: 6647, token:, bind:, log:)
    end

    def get(path, app: (@app ||= app()), **env) = request("GET", path, app:, **env)

    # Posts with the token of the form on the page at that path, unless another token is given.
    def post(path, app: (@app ||= app()), token: csrf(path, app:), **params)
      request("POST", path, app:, params: { "_csrf" => token, **params.transform_keys(&:to_s) })
    end

    def csrf(path, app:) = get(path, app:).body[/name="_csrf" value="([^"]+)"/, 1]

    def request(method, path, app:, **env)
      cookie = @cookies.map { |pair| pair.join("=") }.join("; ")
      env = { "HTTP_COOKIE" => cookie, **env } unless cookie.empty?
      env = { "HTTP_HOST" => "localhost:6647", **env }
      url = path.start_with?("http") ? path : HOST + path
      response = Rack::MockRequest.new(app).request(method, url, env)
      [*response.headers["set-cookie"]].each do |line|
        name, value = line[/\A[^;]+/].split("=", 2)
        @cookies[name] = value
      end
      Answer.new(response.status, response.headers, response.body.force_encoding("UTF-8"))
    end

    # A run whose last boot of each variant has a profile.
    def profiled_sample(names: %w[a b])
      made = SampleResult.new(names.to_h { |name| [name, 1000] }, blocks: 2).to_h
      made[:run][:study][:profile] = true
      run = StoredResult.write(@store, made)
      profile = ProfiledTrials.new(a: { "cpu" => { query: 60 }, "wait" => { lock: 900.0 } },
                                   b: { "cpu" => { query: 1 }, "wait" => {} }).profiles.fetch(0)
      @store.result(run.id).trials.each { |trial| @store.add_profile(trial.id, profile.dump) }
      run
    end

    def sample(rates = { "3.1.2" => 1200, "3.4.5" => 1500 }, **options)
      StoredResult.write(@store, SampleResult.new(rates, blocks: 3).to_h, **options)
    end
  end
end
