# frozen_string_literal: true

module Mohs
  # A real Chromium that looks at pages: what they request, complain about and pop up, and what
  # axe-core finds. One instance serves all tests of a process.
  class Browser
    # The programs themselves: started by the scripts in /usr/bin, they would outlive whoever ends
    # the script.
    PATHS = %w[chromium-headless-shell chromium].map { |name| "/usr/lib/chromium/#{name}" }.freeze
    SIZE = [1280, 800].freeze
    LIMIT_S = 30

    # A violation of axe-core: the `rule`, its `impact`, and the element.
    Fault = Struct.new(:rule, :impact, :html, keyword_init: true)

    # Where Chromium is; nil if it is not installed.
    def self.path = PATHS.find { |path| File.executable?(path) }

    # The browser of this process, which ends with it.
    def self.shared
      @shared ||= new.tap { |browser| Minitest.after_run { browser.quit } }
    end

    # Requests that were sent, console messages and dialogs since the page was opened.
    attr_reader :requests, :complaints, :dialogs

    def initialize
      require "ferrum"
      start
    end

    def quit = @browser.quit

    # Opens a page in a context of its own, with this window size and in the light or dark scheme;
    # yields, and closes it.
    def open(url, size: SIZE, scheme: "light")
      @requests, @complaints, @dialogs = [], [], []
      context = new_context
      listen
      feature = { name: "prefers-color-scheme", value: scheme }
      @page.command("Emulation.setEmulatedMedia", media: "screen", features: [feature])
      @page.command("Emulation.setDeviceMetricsOverride", width: size[0], height: size[1],
                                                          deviceScaleFactor: 1, mobile: false)
      @page.go_to(url)
      await_events
      yield self
    ensure
      context&.dispose
    end

    def evaluate(script) = @page.evaluate(script)

    # An element's lower edge, in pixels from the top of the window; nil if there is no such
    # element.
    def bottom(selector)
      evaluate("(e => e && e.getBoundingClientRect().bottom)" \
               "(document.querySelector(#{selector.to_json}))")
    end

    # How much wider than the window the page is.
    def overflow = evaluate("document.documentElement.scrollWidth - innerWidth")

    # The problems that axe-core finds serious or worse.
    def faults
      evaluate_raw(Axe.script)
      found = @page.evaluate_async("axe.run({ resultTypes: ['violations'] })" \
                                   ".then(r => arguments[0](r.violations))", LIMIT_S)
      found.select { |one| %w[serious critical].include?(one["impact"]) }.flat_map do |one|
        one["nodes"].map do |node|
          Fault.new(rule: one["id"], impact: one["impact"], html: node["html"][0, 200])
        end
      end
    end

    private

    def start
      options = { "no-sandbox" => nil, "disable-gpu" => nil, "disable-dev-shm-usage" => nil }
      @browser = Ferrum::Browser.new(browser_path: self.class.path, window_size: SIZE,
                                     browser_options: options, process_timeout: LIMIT_S,
                                     timeout: LIMIT_S, headless: true)
    end

    # A context with a page. On a busy machine Chromium may no longer open any; then another one is
    # started, once.
    def new_context
      started_anew = false
      begin
        context = @browser.contexts.create
        @page = context.create_page
        context
      rescue Ferrum::Error
        raise if started_anew

        started_anew = true
        @browser.quit
        start
        retry
      end
    end

    # Evaluates as developer tools do, which a page's security policy does not restrict.
    def evaluate_raw(script)
      @page.command("Runtime.evaluate", expression: script)
    end

    # A thread of Ferrum's takes them, and may be late on a busy machine: that the page itself was
    # asked for is the first.
    def await_events
      deadline = Clock.deadline(LIMIT_S)
      sleep 0.01 while @requests.empty? && Clock.mono_ns < deadline
    end

    def listen
      @page.command("Log.enable")
      @page.on("Network.requestWillBeSent") { |event| @requests << event.dig("request", "url") }
      @page.on("Log.entryAdded") { |event| @complaints << event.dig("entry", "text") }
      @page.on("Runtime.exceptionThrown") do |event|
        @complaints << event["exceptionDetails"].values_at("text", "exception").to_s
      end
      @page.on(:dialog) do |dialog|
        @dialogs << dialog.message
        dialog.dismiss
      end
    end

    # The accessibility checker axe-core, from npm: fetched once, below tmp/ of the checkout.
    module Axe
      PACKAGE = "axe-core@4.10.3"
      SHA512 = "Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/" \
               "PbZhideTcEg=="
      FOLDER = File.join(Mohs.root, "tmp", "test-npm")
      FILE = File.join(FOLDER, "axe-core-4.10.3.tgz")
      # Without a network npm would wait for minutes.
      QUICKLY = %w[--fetch-timeout=20000 --fetch-retries=1].freeze

      module_function

      # Whether it is here or can be fetched now.
      def here?
        return @here if defined?(@here)

        fetch unless File.exist?(FILE)
        @here = true
      rescue SystemCallError, RuntimeError # no npm, no network
        @here = false
      end

      # Raises RuntimeError if something else was fetched.
      def script
        @script ||= begin
          content = File.binread(FILE)
          raise "#{FILE} is not #{PACKAGE}" unless Digest::SHA512.base64digest(content) == SHA512

          Open3.capture2("tar", "-xzOf", FILE, "package/axe.min.js").first.force_encoding("UTF-8")
        end
      end

      def fetch
        Dir.mktmpdir("mohs-test") do |folder|
          out, status = Open3.capture2e("npm", "pack", "--silent", *QUICKLY, PACKAGE, chdir: folder)
          raise "npm pack #{PACKAGE}: #{out}" unless status.success?

          FileUtils.mkdir_p(FOLDER)
          FileUtils.mv(Dir[File.join(folder, "*.tgz")].first, FILE)
        end
      end
    end
  end
end
