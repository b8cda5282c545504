# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      module Formats
        # Rails' own log, in which each request has several lines, and the lines of concurrent
        # requests are interleaved:
        #
        #     I, [2024-05-01T10:00:00.12 #71]  INFO -- : [5f3c] Started GET "/x" for ::1 at 2024-...
        #     I, [2024-05-01T10:00:00.13 #71]  INFO -- : [5f3c] Completed 200 OK in 5ms (...)
        #
        # Lines are matched by their tags and process id. If that is not enough (threads without
        # tags), an end is matched with the request that began last, so that a request without an
        # end does not corrupt later ones.
        class Rails < Base
          START = /\A(?>(?<before>.*?)\bStarted\ (?<method>[A-Z]+)\ ")
                  (?<target>.*)"\ for\ \S*\ ?at\ \d{4}-/xn
          BEGUN = /(?:\A|[\s\]])Started [A-Z]+ "/n
          FINISH = /\A(?>(?<before>.*?)\bCompleted\ (?<status>\d{3})\b).*\ in\ [\d.]+\ ?ms/xn
          # A request without a route has no end in the log. This pattern matches a later line of
          # its message, which has no process id.
          UNROUTED = /\bActionController::RoutingError \(No route matches \[(\w+)\] "(.*)"\)/n
          GROUP = /\[([^\[\]]*)\]/n
          TIME = /\A\d{4}-\d\d-\d\dT\S+ ?/n

          # Most requests in progress at a time; beyond that, the oldest is considered unfinished.
          MOST = 10_000

          UNFINISHED = "whose end is not in the log"
          UNBEGUN = "whose beginning is not in the log"

          #: (String) -> bool
          def self.line?(line) = line.match?(START) || line.match?(FINISH)

          #: () -> void
          def initialize
            super
            @open = Hash.new { |all, key| all[key] = [] }
            @count = 0
          end

          #: (Traffic::Lines) { (Traffic::Entry) -> void } -> void
          def read(lines, &)
            lines.each { |line| line(line, &) }
            @open.values.flatten(1).each { |entry| yield unfinished(entry) }
          end

          private

          def line(line, &)
            if line.match?(BEGUN)
              begun(line, &)
            elsif line.include?("Completed ")
              FINISH.match(line)&.then { |found| finished(found, &) }
            elsif line.include?("RoutingError ")
              UNROUTED.match(line)&.then { |found| unrouted(*found.captures, &) }
            end
          end

          def begun(line)
            found = START.match(line) or return yield(Entry.unreadable(line))
            @open[key(found[:before])] << Entry.new(method: found[:method], target: found[:target])
            @count += 1
            yield unfinished(close(@open.first.first, 0)) if @count > MOST
          end

          def finished(found)
            key = key(found[:before])
            return yield(Entry.new(fault: UNBEGUN)) unless @open.key?(key)

            yield Entry.new(**close(key, -1).to_h, status: found[:status].to_i)
          end

          def unrouted(method, path)
            @open.each do |key, entries|
              index = entries.rindex do |entry|
                entry.method == method && entry.target.split("?", 2).first == path
              end
              return yield(Entry.new(**close(key, index).to_h, status: 404)) if index
            end
          end

          def close(key, index)
            @count -= 1
            entries = @open.fetch(key)
            entries.delete_at(index).tap { @open.delete(key) if entries.empty? }
          end

          def unfinished(entry) = Entry.new(**entry.to_h, fault: UNFINISHED)

          # "#71" and "5f3c" in the example above. The time is removed, since it differs on each
          # line.
          def key(before) = before.scan(GROUP).map { |(text)| text.sub(TIME, "") }
        end
      end
    end
  end
end
