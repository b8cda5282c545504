# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs fleet init`: makes other machines hosts of the fleet.
    class Fleet < Base
      SUMMARY = "Sets up other machines, over ssh, as hosts of the fleet."
      USAGE = "mohs fleet init [USER@]HOST... [options]"
      ARGUMENTS = (2..)
      WORDS = %w[init].freeze

      MANUAL = <<~'TEXT'

        Several hosts can measure one run: all variants of a comparison (a cohort) are
        measured on the same host. The hosts share a PostgreSQL store; they and your own
        machine need the gems pg and que (a checkout has both).

          export MOHS_DATABASE_URL=postgres://mohs@db.example/lab
                                  on every host and on your own machine
          gem install pg que:"~> 2.4"

          mohs fleet init lab@a   sets up a host over ssh: gems, worker (--dry-run)
          mohs worker --name a    or start a worker by hand; Ctrl-C stops it (--noisy:
                                  also on a noisy machine, for a try-out)
          mohs hosts              which hosts are there, and what they do

          mohs run --fleet        on all hosts of one kind (processor, cores, memory)
          mohs compare A B --hosts 5
                                  on five, of whatever kind
          mohs run --same-host a  on one
          mohs run --fleet slurm  on nodes of Slurm, without workers

          mohs run --load-from lab@a
                                  servers here, load from there

        mohs sends the application's folder, without its secrets, to each host
        (--in-place: it is already there, at the same path). If a host or worker dies,
        another host measures its cohort again; only one result counts.

      TEXT
      private_constant :MANUAL

      # Exit status where a host lacks something.
      MISSING = 4
      # States of a host with which nothing is wrong.
      FINE = %i[planned installed ready].freeze
      # What a host's steps have done.
      DONE = { "gems" => "gems installed", "database" => "the store answers",
               "worker" => "the worker runs" }.freeze

      private

      def banner = "#{super}\n#{MANUAL}"

      def options(parser)
        parser.on("--name NAME", "the host's name in the fleet (default: its host name)") do |name|
          @host_name = Mohs::Fleet.verified_name(name)
        end
        parser.on("--ruby PATH", "the Ruby that runs mohs there (default: ruby)") do |path|
          @ruby = path
        end
        parser.on("--noisy", "let the hosts measure even if they are noisy") { @noisy = true }
        parser.on("--dry-run", "print what would be done there, and do nothing") { @dry_run = true }
      end

      def execute
        hosts = host_setups
        hosts.each(&:look)
        install(hosts) unless @dry_run
        document = { hosts: hosts.map(&:to_h) }
        answer("fleet", document) { text(document) }
        hosts.all? { |host| FINE.include?(host.state) } ? 0 : MISSING
      end

      def host_setups
        word, *hosts = arguments
        hint = Suggest.hint(word, WORDS, otherwise: "It has init.") { |near| "mohs fleet #{near}" }
        raise UsageError, "mohs fleet has no #{word.inspect}. #{hint}" unless WORDS.include?(word)
        raise UsageError, "--name is for one host." if @host_name && hosts.size > 1

        url = context.env["MOHS_DATABASE_URL"].to_s
        Mohs::Fleet.shared(context.store.call)
        hosts.map do |host|
          remote = context.remote.call(host, ruby: @ruby || "ruby")
          Mohs::Fleet::HostSetup.new(remote, url:, name: @host_name, noisy: @noisy || false)
        end
      end

      # On those that can be hosts, one after the other: ssh may ask for a password.
      def install(hosts)
        fit = hosts.select { |host| host.state == :planned }
        return if fit.empty?

        tell(text(hosts: fit.map(&:to_h)).lines(chomp: true))
        package = Mohs::Fleet::HostSetup.package
        fit.each { |host| host.install(package:) { |step| tell(done(host, step)) } }
      end

      def done(host, step)
        took = Report::Numbers.duration(step[:seconds])
        "#{host.to_h[:host]}: #{DONE.fetch(step[:step], step[:step])} (#{took})"
      end

      def text(document)
        Report::Terminal::FleetScreen.new(document, style: context.style(context.out)).to_s
      end
    end
  end
end
