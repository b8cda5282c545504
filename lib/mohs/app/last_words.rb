# frozen_string_literal: true

module Mohs
  class App
    # The relevant lines at the end of a log, without what hides them: backtraces through gems, a
    # crash report's list of loaded files, the server's start-up messages.
    module LastWords
      # How many lines are kept; nobody reads more.
      LINES = 60
      # A crash report, and the number of its lines before the long lists begin.
      CRASH = /\[BUG\] /
      CRASH_LINES = 20

      # Characters of each line that are examined, so that no pattern takes long on a long line.
      READ = 500

      # Backtrace lines in a gem, the standard library or Ruby's internals, as Ruby and Rails write
      # them.
      FOREIGN = %r{\A(?:\[[^\]]*\]\s*|\s*from\s+|\s+)?
                   (?:(?=/\S*?/gems/|/\S*?/lib/ruby/)\S+|<internal:\S+|[\w-]+\ \(\d[\w.]*\)\ \S+)
                   :\d+:in\b}x
      # A line of Rails' log with nothing but its time and tag.
      EMPTY = /\A(?:[A-Z], \[[^\]]*\]\s+[A-Z]+ -- : )?(?:\[[^\]]*\])?\s*\z/

      # "app.rb:3:in `x': undefined method (NoMethodError)", Ruby's last line when it ends with an
      # exception; only the message is kept, here and in Passenger's line.
      RAISED = /\A(?:\S+:\d+:(?:in\s.+?:)?\s|\[\ E\ .+?\ the\ following\ error:\ )?
                (?<what>\S.*\((?:[A-Z]\w*::)*[A-Z]\w*\))\s*\z/x
      # The same, if a server has rescued the exception.
      CAUGHT = /\A!?\s*Unable to load application: (?<what>(?!SystemExit)\S.*)/
      # The same, as JRuby writes it: the line before the first backtrace line, "call at x.rb:3".
      UNCAUGHT = /\A(?:[A-Z]\w*::)*[A-Z]\w*:\s\S/
      JRUBY_FRAME = /\A\s*\S{1,200} at \S+:\d+\z/
      GREETING = /\A\s*(?:\*\s|!\s|-\s|=|Puma starting|Use Ctrl-C|\[\d+\]\s[*+-]\s|\z)/
      module_function

      # The lines worth reading, at most LINES, each cut to fit a screen.
      #: (String) -> String
      def of(log)
        last = uncrashed(log.lines).reverse_each.lazy.reject { |line| noise?(line[0, READ]) }
        last.first(LINES).reverse.map { |line| short(line) }.join
      end

      # The line that says why a server exited while booting; nil if there is none.
      #: (String) -> String?
      def reason(log)
        lines = log.lines.map { |line| line.chomp[0, READ] }
        crash = lines.find { |line| line.match?(CRASH) }
        raised = [RAISED, CAUGHT].filter_map do |kind|
          lines.filter_map { |line| kind.match(line)&.[](:what) }.first
        end
        reason = crash || raised.first || uncaught(lines) ||
                 lines.reject { |line| line.match?(EMPTY) }.last
        Printable.cut(reason.strip) unless reason.nil? || reason.match?(GREETING)
      end

      def uncaught(lines)
        lines.each_cons(2).find { |one, frame|
          one.match?(UNCAUGHT) && frame.match?(JRUBY_FRAME)
        }&.first
      end

      # Drops the long lists: a crash report says what happened in its first lines.
      def uncrashed(lines)
        crash = lines.index { |line| line.match?(CRASH) } or return lines

        lines.first(crash + CRASH_LINES)
      end

      def noise?(line) = line.match?(FOREIGN) || line.match?(EMPTY)

      def short(line)
        text = line.chomp
        "#{Printable.cut(text, Printable::LINE)}#{line.delete_prefix(text)}"
      end
      private_class_method :uncaught, :uncrashed, :noise?, :short
    end
  end
end
