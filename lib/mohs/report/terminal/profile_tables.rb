# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The profile in a document of `mohs explain`: microseconds per request by category, and the
      # methods that moved most, for time on a core and time that requests waited.
      class ProfileTables
        TITLES = { "cpu" => "CPU time, µs a request", "wait" => "waiting, µs a request" }.freeze
        # Most methods of each kind.
        FEW = 8
        # Categories and methods below this are not worth a line, in microseconds per request.
        LEAST_US = 0.05
        MOVED = " moved"
        NO_WAITS = "not known: a process of a server computed for more than half of the time, so " \
                   "its threads waited for the GVL, and samples can't tell that from other waits"
        FIGURES = (1..3)

        #: (Hash[Symbol, untyped], style: Terminal::Style) -> void
        def initialize(profile, style:)
          @profile = profile
          @style = style
        end

        #: () -> Array[String]
        def parts
          tables = TITLES.flat_map do |kind, title|
            [table(title, categories(kind)) { |one| one[:name] },
             table("#{title}, by method", methods(kind)) { |one| place(one) }]
          end
          [*tables.compact, *waits, *files]
        end

        private

        def categories(kind)
          @profile[:categories].select { |one| one[:kind] == kind && size(one) >= LEAST_US }
        end

        def methods(kind)
          @profile[:methods].select { |one| one[:kind] == kind && size(one) >= LEAST_US }.first(FEW)
        end

        def size(part) = [part[:a], part[:b]].max

        def table(title, parts)
          return if parts.empty?

          rows = parts.map { |part| row(part, yield(part)) }
          lines = Columns.new([[title, "A", "B", "B - A", ""], *rows], figures: FIGURES).lines
          lines.map { |line| @style.cut(line) }.join("\n")
        end

        def row(part, name)
          [name, Numbers.figure(part[:a]), Numbers.figure(part[:b]), change(part), interval(part)]
        end

        def change(part)
          "#{part[:change].negative? ? '-' : '+'}#{Numbers.figure(part[:change].abs)}"
        end

        def interval(part)
          return "" unless part[:interval]

          bounds = part[:interval].map { |bound| Numbers.number(bound) }.join(", ")
          "[#{bounds}]#{MOVED if part[:significant]}"
        end

        def place(part)
          where = [part[:path], part[:line]].compact.join(":")
          @style.squeeze("#{part[:name]} #{where}".strip, @style.width / 2)
        end

        def waits
          @profile[:waits] ? [] : [@style.named("waiting", NO_WAITS)]
        end

        def files
          return [] if @profile[:files].empty?

          @profile[:files].map { |path| @style.named("profile", "#{path} (speedscope.app)") }
                          .join("\n").then { |text| [text] }
        end
      end
    end
  end
end
