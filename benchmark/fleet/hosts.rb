# frozen_string_literal: true

# How much sooner are so many hosts done than one? Hosts are network namespaces of this machine, and
# servers sleep, so that they do not wait for its cores. The time is that of a whole run.
#
#     ruby benchmark/fleet/hosts.rb HOSTS ROUNDS

require_relative "laboratory"

module Mohs
  # One run by one host and by several.
  class FleetHostsBenchmark
    # Answers after 100 ms without work.
    APP = "run ->(_) { sleep 0.1; [200, {}, [\"Hello\"]] }\n"

    #: (Integer, Integer) -> void
    def initialize(hosts, rounds)
      @hosts = hosts
      @rounds = rounds
    end

    #: () -> void
    def call
      Dir.mktmpdir do |app|
        File.write(File.join(app, "config.ru"), APP)
        far = Array.new(@hosts) { |index| NetworkNamespace.new(index) }
        cluster = PostgresCluster.at(NetworkNamespace::ADDRESS)
        compare(far, laboratory(app), cluster)
      ensure
        cluster&.stop
        far&.each(&:remove)
      end
    end

    private

    def laboratory(app)
      mock = "#{RUBY_VERSION}, mock"
      FleetLaboratory.new(["run", "--app", app, "--rounds", @rounds.to_s, "--variant", mock,
                           "--variant", "b::#{mock}, A=1", "--fleet", "--in-place"])
    end

    def compare(far, laboratory, cluster)
      laboratory.open(cluster:) do
        one, all = [far.first(1), far].map { |hosts| seconds(hosts, laboratory) }
        puts format("%<rounds>d cohorts: %<one>.1f s by one host, %<all>.1f s by %<hosts>d: " \
                    "%<share>.2f of the time",
                    rounds: @rounds, one:, all:, hosts: @hosts, share: all / one)
      end
    end

    def seconds(hosts, laboratory, names = hosts.each_index.map { |index| "host-#{index}" })
      return timed { laboratory.ends([]) } if hosts.empty?

      laboratory.with_worker(names.first, within: hosts.first.within) do
        seconds(hosts.drop(1), laboratory, names.drop(1))
      end
    end

    def timed
      began_ns = Clock.mono_ns
      yield
      (Clock.mono_ns - began_ns) / 1e9
    end
  end
end

Mohs::FleetHostsBenchmark.new(*ARGV.map { |text| Integer(text) }).call if $PROGRAM_NAME == __FILE__
