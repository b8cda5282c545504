# frozen_string_literal: true

module Mohs
  module Drivers
    # ApacheBench 2.3.
    class Ab < Peer::Base
      CAPABILITIES = Set[:lines, :count, :duration, :remainder, :close_for_a_time].freeze
      WHERE = "apt install apache2-utils."
      GOOD = (200..299) # support/ab.c, read_connection: `respcode < 200 || respcode >= 300`
      CAVEAT = "ab speaks HTTP/1.0; it counts one failure up to three times"

      # A timed load ends early when -n is reached, so -n is more than any client sends. Each
      # request costs ab 32 bytes of memory that it does not touch before it is used.
      MOST_PER_S = 300_000
      FAILURES = %w[connect receive length exceptions].freeze
      SHARES = { 0.0 => 0, 0.5 => 50, 0.9 => 90, 0.99 => 99, 1.0 => 100 }.freeze

      # -l: other lengths are not failures; -r: no failure ends the load; -e: quantiles in us, which
      # it prints in ms.
      #: (Load::Step) -> Peer::Base::Launch
      def launch(step)
        argv = ["ab", "-q", "-l", "-r", "-e", "times.csv", "-s", target.timeout_s.ceil, "-c",
                target.connections, *length(step), *options_and_type]
        argv.push("-k") unless close?
        Launch.new(commands: [[*argv, *method_options, url]], reads: ["times.csv"],
                         files: body_file)
      end

      #: (Peer::Output) -> Peer::Base::Figures
      def figures(output)
        completed = output.count(/^Complete requests: +(\d+)/)
        wrong = output.rare(/^Non-2xx responses: +(\d+)/)
        failed = output.count(/^Failed requests: +(\d+)/)
        Figures.new(
          wall_ns: wall(output, completed), completed:,
          good: failed.zero? ? completed - wrong : nil,
          bytes: output.count(/^HTML transferred: +(\d+)/),
          times: times(output.files.fetch("times.csv", ""), completed),
          errors: { **errors(output), "wrong_status" => wrong }
        )
      end

      private

      # -t sets -n to 50 000, so -n comes after it.
      def length(step)
        return ["-n", step.count] if step.count

        ["-t", seconds(step).ceil, "-n", [seconds(step) * MOST_PER_S, target.connections].max]
      end

      def method_options
        return request.method == "GET" ? [] : ["-m", request.method] unless request.body

        ["-p", "body", "-m", request.method]
      end

      def wall(output, completed)
        output.wall_ns(completed, output.number(/^Requests per second: +([\d.]+)/),
                       output.number(/^Time taken for tests: +([\d.]+)/))
      end

      # "   (Connect: 0, Receive: 1, Length: 0, Exceptions: 1)", printed after a number above zero.
      def errors(output)
        failures = FAILURES.to_h { |name| [name, output.rare(/^ +\(.*#{name.capitalize}: (\d+)/)] }
        { **failures, "write" => output.rare(/^Write errors: +(\d+)/) }
      end

      # For few requests the upper rows are garbage from the memory after ab's times: it reads the
      # one with index 0.5 + count * share, rounded down.
      def times(table, count)
        rows = table.lines.drop(1).to_h { |line| line.chomp.split(",") }
        there = SHARES.select { |share, _| share == 1 || (0.5 + (count * share)).floor < count }
        there.transform_values { |row| rows[row.to_s] && (rows[row.to_s].to_f * 1e6).round }
      end
    end
  end
end
