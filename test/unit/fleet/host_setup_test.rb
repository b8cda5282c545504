# frozen_string_literal: true

require "test_helper"

class FleetHostSetupTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-fleet"

  FOUND = { ruby: "3.1.2", engine: "ruby", os: "linux-gnu", name: "db7", lacks: [],
            gems: "/home/lab/.gem", settings: "/home/lab/.config/mohs/worker.env",
            unit: "/home/lab/.config/systemd/user/mohs-worker.service", there: false }.freeze
  URL = "postgres://lab:secret@db/lab"

  # Answers the first call with `found`, the second with `lines`, whose last is the answer; an
  # Error is raised.
  class Remote
    attr_reader :asked, :host

    def initialize(found, lines)
      @host = "lab@a"
      @answers = [[found], lines]
      @asked = []
    end

    def call(_program, input)
      order, payload = input.split("\n", 2)
      @asked << [JSON.parse(order, symbolize_names: true), payload]
      lines = @answers.shift
      raise lines.first if lines.first.is_a?(Mohs::Error)

      lines.each { |line| yield line if block_given? }
      lines.last
    end
  end

  def host_setup(found = {}, lines: [{ state: "ready" }], **options)
    found = { **FOUND, **found } if found.is_a?(Hash)
    @remote = Remote.new(found, lines)
    Mohs::Fleet::HostSetup.new(@remote, url: URL, **options).tap(&:look)
  end

  def reason(found) = host_setup(found).to_h.values_at(:state, :reason)

  test "what would be done is said before anything is, and holds no secret" do
    document = host_setup.to_h

    assert_equal ["lab@a", "db7", "planned", nil, "3.1.2"],
                 document.values_at(:host, :name, :state, :reason, :ruby)
    assert_equal [
      "installs mohs #{Mohs::VERSION} and the gems that it needs into /home/lab/.gem",
      "writes the store's address into /home/lab/.config/mohs/worker.env, which only its owner " \
      "reads", "writes /home/lab/.config/systemd/user/mohs-worker.service and starts it",
    ], document[:plan]
    assert_equal [[{ do: "look" }, ""]], @remote.asked
    refute_includes document.to_s, "secret"
  end

  test "a worker that is there is replaced, and without systemd none is started" do
    assert_match(/\Areplaces .* and starts it\z/, host_setup({ there: true }).plan.last)
    assert_said(host_setup({ unit: nil }).plan.last)
  end

  test "a machine that can be no host is refused with what to do" do
    assert_said(*reason(ruby: "2.7.4"))
    assert_said(*reason(engine: "jruby"))
    assert_said(*reason(os: "darwin22"))
    assert_said(*reason(lacks: %w[make gcc pg_config ruby.h]))
    assert_equal ["refused", "no route to host"],
                 host_setup(Mohs::EnvironmentError.new("no route to host")).to_h
                                                                         .values_at(:state, :reason)
    assert_empty host_setup({ ruby: "2.7.4" }).plan
  end

  test "a Ruby of two digits in its version is newer than one of one" do
    assert_equal "planned", host_setup({ ruby: "3.10.0" }).to_h[:state]
  end

  test "it is told name, address and checksum of what it gets, and says each step" do
    steps = [{ step: "gems", seconds: 41.2 }, { step: "worker", seconds: 0.3 }]
    host = host_setup(lines: [*steps, { state: "ready" }], name: "a", noisy: true)
    seen = []
    host.install(package: "\xFF gem".b) { |step| seen << step }

    order, payload = @remote.asked.last
    assert_equal ["install", "a", URL, true, Digest::SHA256.hexdigest("\xFF gem".b)],
                 order.values_at(:do, :name, :url, :noisy, :sha256)
    assert_equal %i[pg que], order[:gems].keys
    assert_equal "\xFF gem".b, payload
    assert_equal [steps, steps, :ready], [seen, host.to_h[:steps], host.state]
  end

  test "what fails there is the reason, as is an end without an answer" do
    failed = host_setup(lines: [{ state: "failed", reason: "gem install: no space left" }])
    failed.install(package: "")
    assert_equal ["failed", "gem install: no space left"], failed.to_h.values_at(:state, :reason)

    cut = host_setup(lines: [{ step: "gems", seconds: 1 }])
    cut.install(package: "")
    assert_said(*cut.to_h.values_at(:state, :reason))

    gone = host_setup(lines: [Mohs::EnvironmentError.new("Connection closed")])
    gone.install(package: "")
    assert_equal ["failed", "Connection closed"], gone.to_h.values_at(:state, :reason)
  end

  # Of a shell's start-up file, where there is no Ruby.
  test "an answer of something else than the setup program is none" do
    [{}, { motd: 1 }, { **FOUND, name: 7 }, { **FOUND, ruby: "x" },
     FOUND.except(:lacks)].each do |found|
      host = Mohs::Fleet::HostSetup.new(Remote.new(found, []), url: URL)
      host.look
      assert_said(*host.to_h.values_at(:state, :reason))
    end

    [{ state: "x" }, { state: 1 }, { step: 1, seconds: 1 },
     { step: "gems", seconds: nil }].each do |line|
      host = host_setup(lines: [line])
      host.install(package: "") { flunk }
      assert_equal "failed", host.to_h[:state]
    end
  end

  test "a name that no queue may have is refused, whoever gave it" do
    assert_said(*reason(name: "a b"))
  end
end
