# frozen_string_literal: true

require "test_helper"

module Mohs
  module Probes
    # What a JVM says of itself. test/integration/probes/figures_test.rb has CRuby.
    class JvmFiguresTest < TestCase
      LIMIT_S = 120
      OBEY = "$stdout.sync = true; puts 'up'; while (line = $stdin.gets); eval(line); " \
             "puts 'done'; end"
      NAMES = %i[allocated_bytes gc_count gc_major_count gc_pause_ns heap_bytes jit_code_bytes
                 jit_elapsed_ns].freeze

      Rubies.all.select(&:ok?).reject { |ruby| %w[ruby mock].include?(ruby.engine) }.each do |ruby|
        test "#{ruby.name} tells of its heap and its compilers, and its counters grow" do
          inside(ruby) do |folder, pid, tell|
            figures = InsideFigures.new(Inquiry.new(folder, answer_s: LIMIT_S))
            first = figures.read([pid])
            tell.call("@kept = Array.new(200_000) { |i| 'text ' + i.to_s }; GC.start")
            change = figures.read([pid]).to_h { |name, value| [name, value - first[name]] }

            assert_equal NAMES, change.keys.sort - [:jit_compiled_methods]
            assert_operator change[:allocated_bytes], :>, 5_000_000
            assert(change.except(:heap_bytes, :jit_code_bytes).values.all? { |grown| grown >= 0 })
            assert_operator first[:jit_code_bytes], :>, 0
          end
        end
      end

      private

      # A zombie has ended.
      def ended?(pid, limit_s = LIMIT_S)
        deadline = Clock.deadline(limit_s)
        sleep 0.1 until (ended = zombie?(pid)) || Clock.mono_ns > deadline
        ended
      end

      def zombie?(pid)
        File.read("/proc/#{pid}/stat").rpartition(")").last.split.first == "Z"
      end

      def inside(ruby)
        with_files do |folder|
          engine = Rubies::Engines.named(ruby.engine)
          File.write("#{folder}/attest.rb", Inside.script(engine:, server: Servers::Puma))
          FileUtils.mkdir(answers = "#{folder}/inside")
          command = ruby.command(args: ["-e", OBEY], env: { "MOHS_INSIDE" => answers,
                                                            "RUBYOPT" => "-r#{folder}/attest.rb" })
          pipe = IO.popen([command.env, *command.argv], "r+")
          assert_equal "up\n", pipe.gets
          pid = Dir.children(answers).first[/\d+/].to_i
          yield answers, pid, ->(line) { pipe.puts(line) || assert_equal("done\n", pipe.gets) }
          pipe.close_write
          assert ended?(pipe.pid), "it does not end by itself"
        ensure
          ::Process.kill("KILL", pid) if pid && !ended?(pid, 0)
          pipe&.close
        end
      end
    end
  end
end
