# frozen_string_literal: true

module Mohs
  class App
    # Production traffic: the requests in access logs and HAR files, each weighted by how often it
    # occurs. Read line by line, so that a log may be larger than memory.
    class Traffic
      # How many different requests are kept, the most frequent ones. Each kept request has to be
      # sent several times before load begins.
      TOP = 50
      # Characters shown of a line that can't be parsed.
      SHOWN = 80

      # A request as it is in a log, unchecked: `method` and `target` (path and query), nil if they
      # aren't valid; `status` of the response; `whole`, true if the log contains `headers` and
      # `body` too, with `dropped`, the names of headers that are not sent again; `fault`, why the
      # request can't be repeated; `line`, the text that could not be parsed (then nothing else is
      # known).
      class Entry < Struct.new(:method, :target, :status, :whole, :headers, :body, :dropped, :fault,
                               :line, keyword_init: true)
        NONE = {}.freeze

        # For a line that should be a request but can't be parsed.
        #: (String) -> Traffic::Entry
        def self.unreadable(line) = new(line:)

        #: (?method: String?, ?target: String?, ?status: Integer?, ?whole: bool?, ?headers: Hash[String, String], ?body: String?, ?dropped: Array[String], ?fault: String?, ?line: String?) -> void
        def initialize(headers: NONE, dropped: [].freeze, **)
          super
          freeze
        end
      end

      # Raises UsageError if a file doesn't exist, has no known format, or if no request can be
      # repeated. dir: the folder that paths are relative to. format: the name of a format; nil:
      # detected for each file.
      #: (Array[String], ?dir: String, ?format: String?, ?top: Integer, ?writes: bool, ?assets: bool) -> Traffic::Mix
      def self.read(paths, dir: ".", format: nil, top: TOP, writes: false, assets: false)
        traffic = new(format, Filter.new(writes:, assets:))
        paths.each { |path| traffic.read(path, dir:) }
        traffic.mix(top)
      end

      #: (String?, Traffic::Filter, ?tally: Traffic::LossyCount) -> void
      def initialize(format, filter, tally: LossyCount.new)
        @format = format && Formats.fetch(format)
        @filter = filter
        @tally = tally
        @files = []
        @left_out = Hash.new(0)
        @unreadable = { lines: 0, first: nil }
        @dropped = { headers: Hash.new(0), parameters: Hash.new(0) }
      end

      # Counts one more file.
      #: (String, ?dir: String) -> void
      def read(path, dir: ".")
        Lines.open(File.expand_path(path, dir)) do |lines|
          format = @format || recognise(lines)
          format.new.read(lines) { |entry| take(entry, path, lines) }
          @files << { path:, format: format.label, lines: lines.count }
        end
      rescue SystemCallError => error
        raise UsageError, "#{path}: #{Error.system(error)}"
      rescue Zlib::Error => error
        raise UsageError, "#{path} is damaged: #{error.message}. gunzip -t shows where."
      rescue UsageError => error
        raise UsageError, "#{path}: #{error.message}"
      end

      # The mix of everything read so far.
      #: (Integer) -> Traffic::Mix
      def mix(top)
        raise UsageError, nothing if @tally.total.zero?

        counted = @tally.top(top)
        Mix.new(requests: counted.map { |what, weight| request(*what, weight) }, files: @files,
                logged: @tally.total + @left_out.values.sum, repeatable: @tally.total,
                distinct: @tally.distinct, short_by: @tally.short_by, kept: counted.sum(&:last),
                left_out: @left_out, unreadable: @unreadable, dropped: @dropped)
      end

      private

      def recognise(lines)
        head = lines.head
        raise UsageError, "it is empty" if head.empty?
        raise UsageError, "it is not a text file: unpack it first" if head.join.include?("\0")

        Formats.recognise(head) or
          raise UsageError, "unknown log format (#{Formats.names.join(', ')}: --log-format). " \
                            "It begins with #{shown(head.first)}"
      end

      def take(entry, path, lines)
        return unread(entry.line, path, lines.count) if entry.line

        reason = @filter.reason(entry)
        return @left_out[reason] += 1 if reason

        target, secrets = @filter.target(entry.target)
        secrets.each { |name| @dropped[:parameters][name] += 1 }
        entry.dropped.each { |name| @dropped[:headers][name] += 1 }
        @tally << [entry.method, target, entry.headers, entry.body]
      end

      def unread(line, path, number)
        @unreadable[:first] ||= "#{path}:#{number}: #{shown(line)}"
        @unreadable[:lines] += 1
      end

      # The line without secrets, safe to print on a terminal.
      def shown(line)
        text = Process::Text.utf8(line.byteslice(0, 4 * SHOWN)).gsub(/[^[:print:]]/, "?")
        Secrets.mask_argv([text]).first[0, SHOWN].inspect
      end

      def request(method, path, headers, body, weight)
        Request.build(method:, path:, headers:, body:, weight:, optional: true)
      end

      def nothing
        reasons = @left_out.map { |reason, count| "#{count} #{reason}" }
        unread = @unreadable[:lines]
        reasons << "#{unread} lines that could not be read" if unread.positive?
        "#{@files.map { |file| file[:path] }.join(', ')}: no request that can be repeated" \
          "#{": #{reasons.join(', ')}" if reasons.any?}"
      end

      # Counts many different things in bounded memory (lossy counting: Manku and Motwani, VLDB
      # 2002): if there are too many, the least frequent ones are dropped. Every count is exact as
      # long as there are at most `limit` different things.
      class LossyCount
        # About 50 MB of paths.
        LIMIT = 200_000

        # `total`: number of things counted; `short_by`: the most by which a count may be too low.
        attr_reader :total, :short_by

        #: (?limit: Integer) -> void
        def initialize(limit: LIMIT)
          @limit = limit
          @counts = Hash.new(0)
          @total = 0
          @short_by = 0
        end

        #: (Object) -> void
        def <<(thing)
          @total += 1
          @counts[thing] += 1
          let_go if @counts.size > @limit
        end

        # Number of different things; there were more if `short_by` isn't 0.
        #: () -> Integer
        def distinct = @counts.size

        # [[thing, count]] of the `number` most frequent things; among equals, the earliest first.
        #: (Integer) -> Array[[Object, Integer]]
        def top(number)
          @counts.each_with_index.max_by(number) { |(_, count), index| [count, -index] }
                 .map(&:first)
        end

        private

        def let_go
          least = @counts.values.sort[@counts.size / 2]
          @counts.delete_if { |_, count| count <= least }
          @short_by += least
        end
      end

      # Removes secrets from query strings, since logs contain other people's. Secrets in a path are
      # not recognised.
      module Query
        # What Rails writes instead of a secret.
        FILTERED = /\A(?:\[|%5B)FILTERED(?:\]|%5D)\z/in

        module_function

        # [the request's target without secrets, the names of the secrets].
        #: (String) -> [String, Array[String]]
        def clean(target)
          path, query = target.split("?", 2)
          return [target, []] if query.nil? || query.empty?

          secrets, rest = query.split("&").partition { |pair| secret?(*pair.split("=", 2)) }
          return [target, []] if secrets.empty?

          kept = rest.empty? ? path : "#{path}?#{rest.join('&')}"
          [kept, secrets.map { |pair| pair.split("=", 2).first }]
        end

        def secret?(name, value = "")
          value.match?(FILTERED) || (!value.empty? && Secrets::Fields.secret?(name.to_s))
        end
        private_class_method :secret?
      end
    end
  end
end
