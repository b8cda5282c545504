# frozen_string_literal: true

module Mohs
  module Drivers
    module Peer
      # One execution of a tool: its files are written, its commands run one after the other, and
      # their output is read. Nothing of it remains, however it ends; what a killed mohs leaves, the
      # next one removes.
      class Execution
        # The result; times in ns. cpu_ns: of the command that makes the load, its start included.
        Ended = Struct.new(:output, :started_ns, :cpu_ns, keyword_init: true)

        # The tool has not ended in time.
        Hang = Class.new(Error)

        EVERY_S = 0.1

        # where: how to install the tool if it is missing. limit_s: after this long it counts as
        # hung.
        #: (String, Peer::Base::Launch, where: String, limit_s: Numeric, cpus: Array[Integer]?, spawner: Process::Spawner) -> void
        def initialize(tool, launch, where:, limit_s:, cpus:, spawner:)
          @tool = tool
          @launch = launch
          @where = where
          @limit_s = limit_s
          @cpus = cpus
          @spawner = spawner
        end

        # Yields about every 100 ms; if the block raises, the tool is ended.
        #: () { () -> void } -> Ended
        def call(&block)
          Mohs::Process::ScratchFolder.with do |folder|
            @launch.files.each { |name, text| File.binwrite(File.join(folder, name), text) }
            lives = @launch.commands.map { |argv| life(argv, folder, &block) }
            stdout, stderr = %w[stdout stderr].map { |name| read(folder, name) }
            output = Output.new(tool: @tool, stdout:, stderr:, files: files(folder))
            Ended.new(output:, **lives.first)
          end
        end

        private

        # { started_ns:, cpu_ns: } of one command.
        def life(argv, folder, &block)
          before = children_ns
          child = start(argv, folder)
          attend(child, &block)
          child.kill # which also adds its CPU time to that of our children
          verify(child, folder)
          { started_ns: child.started_ns, cpu_ns: children_ns - before }
        ensure
          child&.kill
        end

        def start(argv, folder)
          command = Mohs::Process::Command.new(argv:, chdir: folder, env: @launch.env)
          out, err = %w[stdout stderr].map { |name| File.open(File.join(folder, name), "w") }
          @spawner.start(command, out:, err:, cpus: @cpus)
        ensure
          [out, err].compact.each(&:close)
        end

        def attend(child)
          until child.wait(EVERY_S)
            yield
            next if Clock.mono_ns - child.started_ns < @limit_s * 1e9

            raise Hang, "#{@tool} has not ended after #{@limit_s} s: it hangs."
          end
        end

        def verify(child, folder)
          raise EnvironmentError, "#{@tool} is not installed: #{@where}" \
            if child.failure&.error.is_a?(Errno::ENOENT)
          return if child.exit_status.success?

          stdout, stderr = %w[stdout stderr].map { |name| read(folder, name) }
          lines = Output.new(tool: @tool, stdout:, stderr:).first_lines
          raise Error, "#{@tool} ended with #{child.exit_status}. Its output:\n#{lines}"
        end

        def files(folder)
          there = @launch.reads.select { |name| File.exist?(File.join(folder, name)) }
          there.to_h { |name| [name, read(folder, name)] }
        end

        def read(folder, name) = Mohs::Process::Text.utf8(File.binread(File.join(folder, name)))

        def children_ns
          times = ::Process.times
          ((times.cutime + times.cstime) * 1e9).round
        end
      end
    end
  end
end
