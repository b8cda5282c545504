# frozen_string_literal: true

require "fileutils"

module Mohs
  class App
    class Bundle
      # Runs Bundler under the bundle's own Ruby, reports what it installs as it goes, and keeps its
      # log.
      class Installer
        SCRIPT = File.expand_path("../../inside/bundle.rb", __dir__)

        # TruffleRuby compiled a Rails application's extensions for ten minutes; a build that takes
        # an hour is stuck.
        TIMEOUT_S = 3600
        POLL_S = 0.2
        # "/.../gems/sassc-2.4.0/ext"
        BUILT = %r{/gems/([\w.-]+-\d[\w.]*)/}
        STEP = /^Installing (\S+) (\d\S*)(.*)$/

        # Otherwise JRuby's gems would have Maven fetch jars that most of them contain.
        ENV = { "JARS_SKIP" => "true", "BUNDLE_FROZEN" => "false" }.freeze

        #: (ruby: Rubies::Ruby, env: Hash[String, String], dir: String, log: String, ?spawner: Process::Spawner) -> void
        def initialize(ruby:, env:, dir:, log:, spawner: Process::Spawner.new)
          @ruby = ruby
          @env = env
          @dir = dir
          @log = log
          @spawner = spawner
        end

        # Does `action` ("lock", "install"), which writes its result to the file `report`. True if
        # Bundler succeeded; otherwise the log says why.
        #: (String, String) { (String) -> void } -> bool
        def call(action, report, &progress)
          command = @ruby.command(env: { **ENV, **@env }, script: SCRIPT, args: [action, report],
                                  chdir: @dir)
          log = File.open(@log, "rb").tap { |file| file.seek(0, IO::SEEK_END) }
          child = @spawner.spawn(command, log: @log)
          watch(child, log, &progress) && child.exit_status.success?
        ensure
          child&.kill
          log&.close
        end

        private

        # False when time is up.
        def watch(child, log, &progress)
          deadline = Clock.deadline(TIMEOUT_S)
          half_line = +""
          until (ended = child.wait(POLL_S)) || Clock.mono_ns > deadline
            half_line = tell(half_line << log.read, &progress)
            tell_compiling(child, &progress)
          end
          tell(half_line << log.read, &progress)
          ended ? true : give_up
        end

        # Returns what comes after the last whole line.
        def tell(text)
          whole, _, rest = text.rpartition("\n")
          whole.force_encoding(Encoding::UTF_8).scrub("?").scan(STEP) do |name, version, more|
            compiling = more.include?("native extensions") ? " (compiling)" : ""
            yield "installing for #{@ruby.name}: #{name} #{version}#{compiling}"
          end
          +rest
        end

        # Bundler prints nothing while a compiler runs, perhaps for minutes. The folders in which
        # compilers run tell which gems they build.
        def tell_compiling(child)
          gems = child.pids.filter_map { |pid| working_folder(pid)[BUILT, 1] }.uniq.sort
          return if gems.empty? || gems == @compiling

          @compiling = gems
          yield "installing for #{@ruby.name}: compiling #{gems.join(', ')}"
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
