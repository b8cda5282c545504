# frozen_string_literal: true

require "test_helper"

# Lives of servers that ran before, and go on.
class TrialExternalServerTest < Mohs::TestCase
  Served = Struct.new(:good, :gone, :sent, :errors, keyword_init: true)

  test "its answers, memory and workers are told, its settings are not, and it is left running" do
    with_external("mock:2x3") do |trial, server|
      %i[boot attest check].each { |stage| trial.public_send(stage) }
      trial.warming(Object.new)
      trial.warmed
      trial.finish
      trial.stop

      assert_equal [2, 2, 2, 3], [trial.declared_workers, trial.lasting.size,
                                  trial.worker_use.to_h[:at_end], trial.pids.size]
      assert_equal server.workers.sort, trial.workers.sort
      assert_equal [200, "Hello"], trial.answers.first.to_h.values_at(:status, :body)
      assert_equal %i[after_boot after_warm_up at_end], trial.memory.keys
      assert(trial.memory.values.all? { |point| point[:tree_bytes].positive? })
      assert_nil trial.boot_ns
      assert_includes trial.attested[:unattested], "jit"
      assert_equal [2, nil], trial.attested.values_at(:workers, :interpreter)
      assert_predicate server.child, :alive?
      assert_operator trial.peak_rss_bytes, :>, 0
    end
  end

  test "the kernel alone says what it uses" do
    with_external("mock:2x3") do |trial, _server|
      trial.boot
      trial.measuring
      reading = trial.readings.first

      assert_operator reading.kernel[:threads], :>=, 2 * 3
      assert_nil reading.inside
    end
  end

  test "load goes to its address" do
    with_external("mock:1x1") do |trial, server|
      %i[boot check].each { |stage| trial.public_send(stage) }
      target = trial.target

      assert_equal ["127.0.0.1", server.bind.port, trial.name],
                   [target.host, target.port, target.name]
      assert_equal [server.child.pid], trial.lasting
    end
  end

  test "one that does not answer is refused, with its address" do
    Mohs::Process::Port.lease do |port|
      error = assert_raises(Mohs::TrialError) { external(port).boot }

      assert_equal :refused, error.state
      assert_match(%r{http://127\.0\.0\.1:#{port}\?}, error.message)
    end
  end

  test "one that goes away under load has failed" do
    with_external("mock:1x1") do |trial, server|
      trial.boot
      trial.loaded(nil, nil, Served.new(good: 1, gone: false, sent: 1, errors: {}))
      trial.must_answer(1)
      server.child.kill
      error = assert_raises(Mohs::TrialError) { trial.must_answer(1) }
      trial.end_as(error)

      assert_equal "went_away", trial.outcome[:reason].code
      assert_equal "failed", trial.outcome[:state]
    end
  end

  test "what is unknown of it is said, and the checks of another application are not asked" do
    setup = setup_of(3000)

    assert_equal([["already_running", { url: "http://127.0.0.1:3000" }]],
                 setup.notes.map { |note| [note.code, note.values] })
    assert_equal [[], nil, {}, "ruby", Mohs::Trial::ExternalServer],
                 [setup.checks, setup.expected_jit, setup.versions, setup.engine, setup.trial_class]
  end

  private

  def setup_of(port)
    variant = Mohs::Study::Variant.new(name: "it", url: "http://127.0.0.1:#{port}")
    study = Mohs::Study.new(app: "/nowhere", requests: [Mohs::App::Request.build(path: "/")],
                            variants: [variant], env: {})
    Mohs::Trial::Setups.new(env: { "HOME" => "/nowhere" }).for(study, variant)
  end

  def external(port, folder: "/nowhere")
    place = Mohs::Cohort::Layout::Place.new(worker: 0)
    Mohs::Trial::ExternalServer.new(id: 1, setup: setup_of(port), folder:, place:,
                                    spawner: Object.new)
  end

  def with_external(text)
    with_files do |folder|
      Mohs::ServerProcess.boot(text, folder:) do |server|
        trial = external(server.bind.port, folder: File.join(folder, "ours"))
        yield trial, server
      ensure
        trial&.stop
      end
    end
  end
end
