# frozen_string_literal: true

module Mohs
  # Which file of the C core (ext/mohs/core) may use which: only those before it in ORDER, so there
  # is no cycle. Checked in two ways: by what files include, and by what their object files call.
  class CoreLayers
    ORDER = %w[
      clock error random times fields http sse sha1 websocket cable parts fan_out talk listener
      escape pattern json cookies search check scenario client tls target socket record recording
      select codec ranking fold rows arrivals core_speed step_fields thread_stats tally loop job
      connection lane detach shield watchdog supervisor worker slow storm publisher stream streams
      engine fixed_work_probe null_server
    ].freeze

    INCLUDE = /^\s*#\s*include\s+"([^"]+)"/

    #: (?order: Array[String]) -> void
    def initialize(order: ORDER)
      @place = order.each_with_index.to_h
    end

    # The problems of files { "lane.h" => its text }, one sentence each.
    #: (Hash[String, String]) -> Array[String]
    def of_includes(files)
      files.flat_map do |name, text|
        text.scan(INCLUDE).flatten.filter_map do |included|
          problem(name, "includes", included) unless name.sub(/c\z/, "h") == included
        end
      end
    end

    # The same for object files { "lane" => [symbols that it defines, symbols that it uses] }.
    #: (Hash[String, [Array[String], Array[String]]]) -> Array[String]
    def of_calls(objects)
      owner = objects.flat_map { |name, (defined, _)| defined.map { |one| [one, name] } }.to_h
      objects.flat_map do |name, (_, used)|
        used.filter_map do |symbol|
          problem(name, "calls #{symbol} of", owner[symbol]) if owner.fetch(symbol, name) != name
        end
      end
    end

    private

    def problem(user, verb, used)
      above, below = [user, used].map { |file| @place[file[/\A(.*?)(\.[ch])?\z/, 1]] }
      return "#{user} #{verb} #{used}: not both are in ORDER" unless above && below

      "#{user} #{verb} #{used}, which comes after it" unless below < above
    end
  end
end
