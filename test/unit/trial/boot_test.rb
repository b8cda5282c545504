# frozen_string_literal: true

require "test_helper"

# A boot that ends before anything is spawned.
class TrialBootTest < Mohs::TestCase
  LACK = "no executable rackup"

  # Without the server's executable.
  class Bundle
    def env = {}
    def versions = {}
    def version(_gem) = nil
    def executable(_name) = raise(Mohs::EnvironmentError, LACK)
  end

  test "what only this variant lacks is its own result: refused, with the reason" do
    Dir.mktmpdir("mohs-boot") do |folder|
      trial = trial(folder)
      error = assert_raises(Mohs::TrialError) { trial.boot }
      trial.end_as(error)

      assert_equal ["refused", LACK], [trial.outcome[:state], trial.outcome[:reason].to_s]
    end
  end

  private

  def trial(folder)
    variant = Mohs::Study::Variant.new(name: "jruby", ruby: "3.1.2", server: "puma", processes: 1,
                                       threads: 5, unix: true)
    study = Mohs::Study.new(app: folder, requests: [], env: {}, variants: [variant])
    app = Mohs::App.new(name: "hello", dir: folder)
    setup = Mohs::Trial::Setup.new(study:, variant:, app:, ruby: Mohs::FakeRubies.ruby("3.1.2"),
                                   bundle: Bundle.new, shell: {})
    Mohs::Trial.new(id: 1, setup:, folder:, spawner: Mohs::Process::Spawner.new,
                    place: Mohs::Cohort::Layout::Place.new(worker: 0))
  end
end
