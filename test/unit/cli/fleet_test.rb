# frozen_string_literal: true

require "test_helper"

class CLIFleetTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-cli-fleet"

  FOUND = { ruby: "3.1.2", engine: "ruby", os: "linux-gnu", name: "db7", lacks: [], gems: "/g",
            settings: "/c/worker.env", unit: "/u", there: false }.freeze

  # A machine that was found so.
  Remote = Struct.new(:host, :found) do
    def call(_program, _input) = found
  end

  # A store that hosts share, as far as the command asks.
  Shared = Struct.new(:shared?)

  def fleet(*argv, found: {}, shared: true)
    mohs("fleet", *argv, store: -> { Shared.new(shared) },
                         env: { "MOHS_DATABASE_URL" => "postgres://lab:secret@db/lab" },
                         remote: ->(host, ruby:) { Remote.new(host, { **FOUND, ruby:, **found }) })
  end

  test "the help and the page name the same gems, role and database" do
    page = File.read(File.join(Mohs.root, "docs/fleet.md"), encoding: "UTF-8")
    said = [page, mohs("help", "fleet").out].map do |text|
      [/gem install [^`\n]+/, %r{postgres://\w+@\S+/lab\b}].map { |found| text[found] }
    end

    assert_equal [['gem install pg que:"~> 2.4"', "postgres://mohs@db.example/lab"]], said.uniq
    assert_equal %w[lab], page.scan(%r{postgres://\S+/(\w+)}).flatten.uniq
  end

  test "a dry run says what would be done on each host, and the address of the store nowhere" do
    output = fleet("init", "lab@a", "lab@b", "--dry-run", "--ruby", "3.2.1")

    assert_equal 0, output.status
    assert_equal <<~TEXT, output.out
      lab@a (db7 in the fleet, Ruby 3.2.1): planned
        installs mohs #{Mohs::VERSION} and the gems that it needs into /g
        writes the store's address into /c/worker.env, which only its owner reads
        writes /u and starts it
      lab@b (db7 in the fleet, Ruby 3.2.1): planned
        installs mohs #{Mohs::VERSION} and the gems that it needs into /g
        writes the store's address into /c/worker.env, which only its owner reads
        writes /u and starts it
    TEXT
    refute_includes output.out + output.err, "secret"
  end

  test "where a host is refused, the command fails, and nothing is installed on it" do
    output = fleet("init", "a", found: { ruby: "2.7.4" })

    assert_equal [4, ""], [output.status, output.err]
    assert_said(output.out)
  end

  test "its document has what the table has" do
    document = fleet("init", "a", "--dry-run", "--json", "--ruby", "3.3.0").json

    assert_empty Mohs::JSONContract.new("`fleet`").faults(document)
    host = document[:hosts].first
    assert_equal ["a", "db7", "planned", "3.3.0", 3],
                 [*host.values_at(:host, :name, :state, :ruby), host[:plan].size]
  end

  test "mistakes are told with what to type" do
    assert_said(mistake("inti", "a"))
    assert_match(/Usage: mohs fleet init/, mistake("init"))
    assert_match(/--name .*one host\./, mistake("init", "a", "b", "--name", "x"))
    assert_said(mistake("init", "a", "--name", "x y"))
    assert_match(/set MOHS_DATABASE_URL=/, fleet("init", "a", shared: false).err)
  end

  test "a host that ssh would read as an option is none" do
    ["-oProxyCommand=x", "", "a b"].each do |host|
      assert_raises(Mohs::UsageError) { Mohs::Fleet::Remote.new(host) }
    end
  end

  private

  def mistake(*argv)
    output = fleet(*argv)
    assert_equal 2, output.status
    output.err
  end
end
