# frozen_string_literal: true

require "test_helper"

class CLIWorkerTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-worker"

  STEAL = Mohs::Analysis::Finding.new(
    code: "steal.measured", severity: :bad, subject: nil, values: { value: 0.4 },
  )

  # A doctor that has found this.
  Doctor = Struct.new(:found) do
    def examine(wait:) = wait.arity == 1 ? found : nil
  end

  # shared: the store is one that hosts share, as far as it says.
  def worker(*argv, found: [], shared: false, **env)
    with_files do |dir|
      store = Mohs::Store.open(File.join(dir, "mohs.db"))
      store.define_singleton_method(:shared?) { shared }
      return mohs("worker", *argv, store: -> { store }, doctor: Doctor.new(found),
                                   env: { "HOME" => dir, **env.transform_keys(&:to_s) })
    ensure
      store&.close
    end
  end

  test "a host that mohs doctor finds bad does not work, unless it is told to" do
    noisy = worker(found: [STEAL], shared: true)

    assert_equal 4, noisy.status
    assert_said(noisy.err)
    refute_includes worker("--noisy", found: [STEAL]).err, "too noisy"
  end

  test "an address that is missing is found before any load" do
    alone = worker(found: [STEAL])

    assert_equal 4, alone.status
    assert_match(/\Amohs: a fleet .*share: /, alone.err)
  end

  test "a host without a home takes no jobs, since it could measure none of them" do
    homeless = worker("--noisy", HOME: "")

    assert_equal 4, homeless.status
    assert_match(/^mohs: HOME is empty: /, homeless.err)
  end

  test "a store of one machine, and a name that no queue may have, are mistakes" do
    alone = worker
    assert_equal 4, alone.status
    assert_includes alone.err, "MOHS_DATABASE_URL=postgres://HOST/DATABASE"

    named = worker("--name", "a b")
    assert_equal 2, named.status
    assert_said(named.err)
  end
end
