# frozen_string_literal: true

require "test_helper"

# Private services as a person has them: beside each server of a run, and gone with it.
class ServicesTest < Mohs::TestCase
  include Mohs::Leftovers

  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  ARGUMENTS = ["--variant", "a::#{RUBY_VERSION}, mock", "--rounds", "1", "--seed", "7",
               *%w[--service postgresql --service redis]].freeze

  # Another mohs may measure on this machine first.
  WAIT_S = 400

  def setup
    super
    refusal = %w[postgresql redis].filter_map { |name| Mohs::Services.fetch(name).refusal }.first
    skip refusal.to_s if refusal
  end

  test "a run has them beside its server, says what they cost, and leaves none" do
    with_files(APP) do |dir|
      document = Mohs::MohsCommand.new(dir).call(*ARGUMENTS, "--json", limit_s: WAIT_S).json
      services = document[:rows].first[:services]

      assert_equal [%w[postgresql unix], %w[redis unix]],
                   services.map { |one| one.values_at(:service, :address) }
      assert(services.all? { |one| one[:memory_bytes][:value].positive? && one[:version] })
      assert_equal %w[off no], [services[0][:settings][:fsync], services[1][:settings][:appendonly]]
      assert_equal 2, document[:notes].count { |note| note[:name] == "services" }
      assert_empty leftovers(dir)
    end
  end

  test "kill -9 leaves no process of theirs, and the next mohs removes their folder" do
    with_files(APP) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      pid = mohs.start(*ARGUMENTS)
      wait_for(WAIT_S) { processes(dir).grep(%r{redis-server .*/4/}).any? }
      mine = processes(dir).join("\n")[%r{/mohs-t\w+-\d+-\w+}]
      ::Process.kill("KILL", pid)
      mohs.finish(5)

      assert mine
      assert_empty leftovers(dir, 5)
      Mohs::Process::ScratchFolder.with { refute_path_exists File.join(Dir.tmpdir, mine) }
    end
  end

  # As pkill -9 -f mohs does: mohs, its supervisor and their guard, all at once.
  slow_test "kill -9 of everything of mohs's leaves no process of theirs" do
    with_files(APP) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      pid = mohs.start(*ARGUMENTS)
      wait_for(WAIT_S) { processes(dir).grep(%r{redis-server .*/4/}).any? }
      ours = running(dir).select { |_, command| command.include?("exe/mohs") }.keys
      assert_includes ours, pid
      ours.each do |one|
        ::Process.kill("KILL", one)
      rescue Errno::ESRCH
        nil # it ended as soon as mohs had
      end
      mohs.finish(5)

      assert_empty leftovers(dir, 5)
    end
  end

  test "an unknown one is said before anything is measured" do
    with_files(APP) do |dir|
      result = Mohs::MohsCommand.new(dir).call("--service", "postgres")

      assert_equal 2, result.status.exitstatus
      assert_includes result.err, "unknown service \"postgres\". Did you mean postgresql?"
    end
  end
end
