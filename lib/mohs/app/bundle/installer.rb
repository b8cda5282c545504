# frozen_string_literal: true

require "etc"

module Mohs
  class App
    class Bundle
      # Runs Bundler under the bundle's own Ruby, reports each gem as it is installed, and keeps
      # Bundler's log.
      class Installer
        SCRIPT = File.expand_path("../../inside/bundle.rb", __dir__)

        # TruffleRuby took ten minutes to compile a Rails application's extensions; a build that
        # takes an hour is stuck.
        TIMEOUT_S = 3600
        POLL_S = 0.2
        SECOND_NS = 1_000_000_000
        # Below GEM_HOME: "gems/sassc-2.4.0/ext".
        BUILT = %r{\Agems/([\w.-]+)-(\d[\w.]*)/}
        # A gem from git: "bundler/gems/rails-751d60a1b2c3/actioncable/ext". The folder is called
        # after the repository.
        CHECKED_OUT = %r{\Abundler/gems/(?<repository>[\w.-]+)-(?<revision>\h{7,40})(?:/|\z)}
        REVISION_DIGITS = 7
        STEP = /^Installing (\S+) (\d\S*).*$/

        # As inside/bundle.rb prints it.
        COPYING = /^Copying (\d+) installed gems$/

        # Without JARS_SKIP, JRuby's gems would have Maven fetch jars that most of them contain.
        ENV = { "JARS_SKIP" => "true", "BUNDLE_FROZEN" => "false" }.freeze

        # env: the bundle's variables; shell: the user's; settings: those of the bundle; gems: how
        # many will be installed, nil if that is not known yet.
        #: (ruby: Rubies::Ruby, env: Hash[String, String], dir: String, log: String, ?shell: Hash[String, String], ?settings: Hash[String, String], ?gems: Integer?, ?spawner: Process::Spawner, ?clock: Module) -> void
        def initialize(ruby:, env:, dir:, log:, shell: {}, settings: {}, gems: nil,
                       spawner: Process::Spawner.new, clock: Clock)
          @ruby = ruby
          @env = { **ENV, **parallel(shell), **env }
          @relayed = { **shell, **settings }
          @dir = dir
          @log = log
          @gems = gems
          @spawner = spawner
          @clock = clock
          @begun = []
          @compiling = []
          @since_ns = {}
        end

        # Names of the gems that are installed by now, as far as that is known: all begun before the
        # last one but those that are still compiled.
        #: () -> Array[String]
        def done = @begun[0...-1] - @compiling.map(&:first)

        # Names of the gems that are compiled now, each with the seconds since that was seen first.
        #: () -> Hash[String, Float]
        def compiling
          now = @clock.mono_ns
          @compiling.to_h { |gem| [gem.first, (now - (@since_ns[gem] ||= now)) / 1e9] }
        end

        # Runs `action` ("lock", "install"), which writes its result to the file `report`. True if
        # Bundler succeeded; otherwise the log says why.
        #: (String, String) { (String) -> void } -> bool
        def call(action, report, &)
          # If mohs is killed, the next mohs removes the folder with whatever compilers left in it.
          Process::ScratchFolder.with do |folder|
            env = { **@env, "TMPDIR" => folder }
            next run([action, report], env, &) if Rubies::Engines.of(@ruby).https?

            relayed([action, report], env, &)
          end
        end

        private

        # The log names the gem servers, not the relay, which is gone when somebody reads it.
        def relayed(args, env, &)
          Relay.during(env: @relayed, dir: @dir) do |relay|
            run(args, { **env, **relay.variables }, &).tap do
              File.write(@log, relay.restore(File.binread(@log)))
            end
          end
        end

        def run(args, env, &progress)
          command = @ruby.command(env:, script: SCRIPT, args:, chdir: @dir)
          log = File.open(@log, "rb").tap { |file| file.seek(0, IO::SEEK_END) }
          child = @spawner.spawn(command, log: @log)
          watch(child, log, &progress) && child.exit_status.success?
        ensure
          child&.kill
          log&.close
        end

        # Uses all available cores, for Bundler and in each compilation. If make runs mohs, its
        # MAKEFLAGS name a jobserver that is not meant for us.
        def parallel(shell)
          cores = Etc.nprocessors
          make = shell["MAKEFLAGS"].to_s
          make = "-j#{cores}" if make.empty? || make.include?("jobserver")
          { "BUNDLE_JOBS" => cores.to_s, "MAKEFLAGS" => make }
        end

        # False if it timed out.
        def watch(child, log, &progress)
          deadline = Clock.deadline(TIMEOUT_S)
          half_line = +""
          until (ended = child.wait(POLL_S)) || Clock.mono_ns > deadline
            @compiling = child.pids.filter_map { |pid| gem_in(working_folder(pid)) }.uniq
            half_line = tell(half_line << log.read, &progress)
            tell_compiling(&progress)
          end
          @compiling = []
          tell(half_line << log.read, &progress)
          ended ? true : give_up
        end

        # Returns what follows the last complete line.
        def tell(text)
          whole, _, rest = text.rpartition("\n")
          whole = whole.force_encoding(Encoding::UTF_8).scrub("?")
          copying = whole[COPYING, 1]
          gems = copying == "1" ? "gem" : "gems"
          yield "installing for #{@ruby.name}: copying #{copying} installed #{gems}" if copying
          whole.scan(STEP) do |name, version|
            @begun << name
            yield "installing for #{@ruby.name}: #{name} #{version}#{count}"
          end
          +rest
        end

        # Bundler prints nothing while a compiler runs, perhaps for minutes. The working folders of
        # the compilers show which gems are being built.
        def tell_compiling
          return if @compiling.empty?

          now = @clock.mono_ns
          times = @compiling.sort.map do |gem|
            "#{gem.join(' ')}, #{(now - (@since_ns[gem] ||= now)) / SECOND_NS} s"
          end
          line = "installing for #{@ruby.name}: compiling #{times.join('; ')}#{count}"
          yield @told = line unless line == @told
        end

        # The gem that is built in this folder, as [name, version].
        def gem_in(folder)
          home = "#{real(@env['GEM_HOME'])}/"
          return unless folder.start_with?(home)

          path = folder.delete_prefix(home)
          found = path.match(CHECKED_OUT) or return path.match(BUILT)&.captures

          name = gemspec(folder, File.join(home, found[0]).chomp("/")) || found[:repository]
          [name, "(#{found[:revision][0, REVISION_DIGITS]} from git)"]
        end

        # The name of the nearest gemspec, from `folder` up to the root of its checkout; nil if
        # there is none, or more than one.
        def gemspec(folder, root)
          folders = [folder]
          folders << File.dirname(folders.last) until folders.last == root
          found = folders.map { |dir| Dir.glob("*.gemspec", base: dir) }.find(&:any?).to_a
          File.basename(found.first, ".gemspec") if found.one?
        end

        # Processes name their folders without links.
        def real(folder)
          File.realpath(folder.to_s)
        rescue SystemCallError
          folder # nothing has been installed into it yet
        end

        # " (12 of 74 gems)": how many Bundler has begun.
        def count
          return unless @gems

          gems = [@gems, @begun.size].max
          " (#{@begun.size} of #{gems} #{gems == 1 ? 'gem' : 'gems'})"
        end

        def working_folder(pid)
          File.readlink("/proc/#{pid}/cwd")
        rescue SystemCallError
          "" # it has ended
        end

        def give_up
          File.write(@log, "mohs: gave up after #{TIMEOUT_S} s\n", mode: "a")
          false
        end
      end
    end
  end
end
