# frozen_string_literal: true

require "json"

module Mohs
  # The generated part of docs/servers.md, made from a document of `mohs servers` and from what the
  # members of Servers declare.
  class ServersPage
    PAGE = File.join(Mohs.root, "docs/servers.md")
    DOCUMENT = File.join(__dir__, "servers.json")
    BEGINNING = "<!-- Made by `rake docs:servers`; not to be edited. -->\n"
    ENDING = "<!-- The end of what is made. -->\n"
    TITLES = { processes: "processes", threads: "threads", fibers: "fibers",
               keep_alive: "keep-alive", unix: "unix socket", preload: "preload",
               streaming: "streaming", websocket: "WebSocket",
               connections: "connections held", proxy_needed: "proxy needed" }.freeze

    # The document that the committed page is made from.
    #: () -> Hash[Symbol, untyped]
    def self.document = JSON.parse(File.read(DOCUMENT, encoding: "UTF-8"), symbolize_names: true)

    # Makes the page anew. Logs are left out, since they hold paths of this machine and the page
    # does not show them.
    #: (Hash[Symbol, untyped]) -> void
    def self.write(document)
      document[:servers].flat_map { |server| server[:rubies] }.each { |one| one[:log_tail] = nil }
      File.write(DOCUMENT, "#{JSON.generate(document)}\n")
      File.write(PAGE, new(document).in(File.read(PAGE, encoding: "UTF-8")))
    end

    #: (Hash[Symbol, untyped], ?servers: Array[singleton(Servers::Base)]) -> void
    def initialize(document, servers: Servers.offered)
      @document = document
      @servers = servers
      @matrix = Report::ServersMatrix.new(document)
    end

    # `page` with its generated part made anew.
    #: (String) -> String
    def in(page)
      before, rest = page.split(BEGINNING, 2)
      "#{before}#{BEGINNING}\n#{self}\n#{ENDING}#{rest.split(ENDING, 2).last}"
    end

    #: () -> String
    def to_s = [table, legend, *sections, *@servers.map { |server| section(server) }].join("\n\n")

    private

    def table
      head = ["server", "Rubies", *TITLES.values_at(*Report::ServersMatrix::TITLES.keys)]
      rows = @matrix.rows.map { |row| [row.server, row.rubies.join(", "), *row.marks] }
      [head, ["---"] * head.size, *rows].map { |cells| "| #{cells.join(' | ')} |" }.join("\n")
    end

    def legend
      days = cells.filter_map { |cell| cell[:tried_ms] }.minmax
      days = days.compact.map { |ms| Time.at(ms / 1000).utc.strftime("%Y-%m-%d") }.uniq
      marks = @matrix.legend.map { |mark, text| "`#{mark}` #{text}" }.join("; ")
      "#{marks}. mohs #{@document[:mohs]}, #{days.join(' to ')}."
    end

    def cells = @document[:servers].flat_map { |server| server[:rubies] }

    # All sections except the conduct that was seen, which is listed for each server.
    def sections
      @matrix.sections.except(Report::ServersMatrix::SEEN).map do |heading, notes|
        [heading, notes.map { |note| line(note) }.join("\n")].join("\n\n")
      end
    end

    def line(note)
      "- #{note.servers.join(', ')} on #{note.rubies.join(', ')}: #{note.text.lines.first.chomp}"
    end

    def section(server)
      lines = { "versions" => versions(server), "settings" => settings(server),
                "stops" => stops(server), "seen" => faults(server) }.compact
      "### #{server.label}\n\n#{lines.map { |name, text| "- #{name}: #{text}" }.join("\n")}"
    end

    def versions(server)
      of_server = @document[:servers].find { |one| one[:name] == server.label }.to_h
      tried = of_server.fetch(:rubies, []).select { |cell| cell[:state] == "verified" }
      return "never tried on the machine of this page" if tried.empty?

      tried.group_by { |cell| cell[:version] }.map { |version, some|
        "#{version || 'the system\'s'} on #{some.map { |cell| cell[:ruby] }.join(', ')}"
      }.join("; ")
    end

    def settings(server)
      ["`#{example(server)}`", default(server), ("always preloads" if server::ALWAYS_PRELOADS),
       ("a configuration file by its name" if server::CONFIGURABLE)].compact.join("; ")
    end

    # An example of its notation, with as many numbers as it takes.
    def example(server)
      processes, threads = server.capabilities.values_at(:processes, :threads)
      return server.label unless processes || threads

      numbers = [processes ? 2 : 1, *([server::THREADS.to_i, 4].max if threads)]
      "#{server.label}:#{numbers.join('x')}"
    end

    def default(server)
      each = { nil => "any number of requests at once", 1 => "1 request at a time" }
             .fetch(server::THREADS, "#{server::THREADS} threads")
      "without numbers 1 process, #{each}"
    end

    def stops(server)
      done = server::DRAINS ? "answers requests under way" : "drops requests under way"
      "by SIG#{server::STOP_SIGNAL}, #{done}"
    end

    # What was observed, and on which Rubies.
    def faults(server)
      notes = @matrix.conduct.select { |note| note.servers.include?(server.label) }
      return if notes.empty?

      notes.map { |note| "#{note.text} (#{note.rubies.join(', ')})" }.join("; ")
    end
  end
end
