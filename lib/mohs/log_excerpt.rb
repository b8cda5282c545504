# frozen_string_literal: true

module Mohs
  # The relevant lines of a program's output (a server's log, Bundler's, a compiler's, a Ruby that
  # does not start), and the one line that says why the program ended.
  module LogExcerpt
    # How many lines are kept; nobody reads more.
    LINES = 60
    # A crash report, and the number of its lines before the long lists begin.
    CRASH = /\[BUG\] /
    CRASH_LINES = 20

    # Characters of each line that are examined, so that no pattern takes long on a long line.
    READ = 500

    # What programs say if a disk is full: the system's words, Bundler's, or the system's number
    # alone, as MariaDB ("with error 28"; curl's 28 is a timeout).
    DISK_FULL = Regexp.union(/No space left on device/, /(?<!curl )\berr(?:or|no|code):? 28\b/i,
                             /insufficient space remaining on the device/)

    # Backtrace lines in a gem, the standard library or Ruby's internals, as Ruby and Rails write
    # them.
    FOREIGN = %r{\A(?:\[[^\]]*\]\s*|\s*from\s+|\s+)?
                 (?:(?=/\S*?/gems/|/\S*?/lib/ruby/)\S+|<internal:\S+|[\w-]+\ \(\d[\w.]*\)\ \S+)
                 :\d+:in\b}x
    # Any backtrace line, as CRuby, TruffleRuby and Java write them, perhaps tagged.
    FRAME = %r{\A(?:\[[^\]]*\])?\s*(?:\d+:\s+)?
               (?:from\s\S+:\d+|from\s[\w.$]+\(|\S+:\d+:in\s[`'][^']*'\s*\z|at\s[\w.$/@<>]+\()}x
    # Where a backtrace begins, whatever follows in the line.
    PLACE = /\A\S{1,200}:\d+:in [`']/
    # A line of Rails' log with nothing but its time and tag.
    EMPTY = /\A(?:[A-Z], \[[^\]]*\]\s+[A-Z]+ -- : )?(?:\[[^\]]*\])?\s*\z/

    # What error_highlight and Prism draw below a line of code, and lines of code as Prism prints
    # them ("> 3 | gem").
    CARETS = /\A[\s|]*\^[\s^~]*\z/
    CODE = /\A[> ]\s*\d+ \|/
    # What is wrong with a line of code, below it: "    | ^~~ unexpected 'end', ignoring it".
    REMARK = /\A[\s|]*\^[\^~]*\s+(?<what>[[:alpha:]].*)/
    # did_you_mean's proposals, the second one and more on lines of their own.
    HINT = /\ADid you mean\b|\A {15}\S+\z/
    # What programs add to an error: where to report it, and what else they have printed.
    ADVICE = /\A\W*(?:(?:For\ details|See|Read\ more)?:?\s*https?:\S+\W*\z|
                      You\ may\ have\ encountered\ a\ bug|Bug\ reports\ are\ welcome|
                      please\ report\ it\ to\ http|\(?See\ full\ trace\ by|Tasks:\ TOP|
                      Error:\ (?:Could\ not\ create\ the\ Java|A\ fatal\ exception))/x

    CLASS = /(?:[a-z]\w*\.)*(?:[A-Z]\w*(?:::|\$))*[A-Z]\w*/
    # "app.rb:3:in `x': undefined method (NoMethodError)", Ruby's line when it ends with an
    # exception; only the message is kept, here and in Passenger's line. Its first line may be
    # empty.
    RAISED = /\A(?:(?:<internal:\w+>\ )?\S+:\d+:(?:in\s.+?:)?\s{1,2}|
                 \[\ E\ .+?\ the\ following\ error:\ )?
              (?<what>(?:\S.*)?\(#{CLASS}\))\s*\z/x
    # Rake's line before the message: "bin/rails aborted!".
    ABORTED = /\A\S+ aborted!\s*\z(?<what>)/
    # The same, if a server has rescued the exception.
    CAUGHT = /\A(?:\[\d+\] )?!?\s*Unable to load application: (?:SystemExit: )?(?<what>\S.*)/
    # The line before the message if one of Puma's workers can't start: Puma starts another.
    WORKER = /\A\[\d+\] ! Unable to start worker\z/
    TAG = /\A\[\d+\] /
    # The same for a JVM that has ended: "Exception in thread "main" java.lang.Error: x", its crash
    # report, and JRuby's own words for a full heap or stack.
    JVM = /\A(?:Exception\ in\ thread\ "[^"]*"\ |\#\ |Error:\ )
           (?<what>(?:[a-z]\w*\.)+[A-Z]\w*\b.*|A\ fatal\ error\ has\ been\ detected\ .*|
                   Your\ application\ used\ more\ .*)/x
    # The same, as JRuby writes it: the line before the first backtrace line, "call at x.rb:3".
    UNCAUGHT = /\A#{CLASS}: \S/
    JRUBY_FRAME = /\A\s*\S{1,200} at \S+:-?\d+\z/
    # "x.rb:4: syntax errors found (SyntaxError)": the place is part of the reason.
    SYNTAX = /(?:\A|\s)(?<what>[^\s:]\S*:\d+: (?:syntax error|.*\(SyntaxError\)).*)/
    # Words that only call attention, and a heading in a frame, "** SETUP REQUIRED". A name such as
    # REDIS_URL is none.
    LOUD = /(?:ACTION|ATTENTION|CAUTION|CONFIGURATION|ERROR|FAILED|FATAL|IMPORTANT|MISSING|NOTE|
               NOTICE|REQUIRED|SETUP|WARNING)/x
    BANNER = /\A(?:[^[:alnum:]\s(]{2,}[^[:lower:][:digit:]_]*|\W*(?:#{LOUD}\W*)*)\z/
    # What draws a frame around text.
    FRAME_OF_TEXT = /\A[#*=|\s]+|[#*=|\s]+\z/
    # Such a message continues on the next line.
    CONTINUED = /(?::|\.\.\.|\bsyntax errors? found)(?: \(#{CLASS}\))?\z/
    CLASS_ALONE = /\A\s*\(#{CLASS}\)\s*\z/
    ANNOUNCING = /:?(?: \(#{CLASS}\))?\z/
    # What a crash report of the JVM has between its lines and behind the signal.
    FRAMED = /\A[#\s>-]+|, pid=.*/

    # How Ruby introduces itself in a crash report.
    DESCRIPTION = /\A(?:j|truffle)?ruby \d/
    # A server that a script in it has ended without a word.
    EXIT = /\A(?:\[\d+\] )?!?\s*Unable to load application: SystemExit: exit\z/
    GREETING = /\A\s*(?:\*\s|!\s|-\s|=|Puma starting|Use Ctrl-C|\[\d+\]\s[*+-]\s|\z)/
    # What Puma writes whenever it boots and stops, and empty lines.
    USUAL = /\A(?:\[\d+\]\s)?(?:Puma\ starting\ |Use\ Ctrl-C\ to\ stop|=+\ puma\ |
             \*\s+(?:(?:Puma|Ruby)\ version|M(?:in|ax)\ threads|Environment|(?:Master\ )?PID|
                    Workers|Restarts|Preloading|Listening\ on)\b|
             -\ (?:Worker\ \d+\ \(PID|Gracefully\ |Goodbye!)|\s*\z)/x
    private_constant :USUAL

    module_function

    # Is it a line that a server writes whatever happens?
    #: (String) -> bool
    def usual?(line) = line[0, READ].match?(USUAL)

    # The lines worth reading, at most LINES, each cut to fit a screen.
    #: (String) -> String
    def of(log)
      last = uncrashed(log.lines).reverse_each.lazy.reject { |line| noise?(line[0, READ]) }
      last.first(LINES).reverse.map { |line| short(line) }.join
    end

    # The line that says why a program ended: its crash or exception, else the last line that says
    # something; nil if there is none, or if it is a server's usual output.
    #: (String) -> String?
    def reason(log)
      lines = read(log)
      told(lines) { lines.reverse_each.find { |line| telling?(line) } }
    end

    # The same for a program that refused to start: its crash or exception, else the first line that
    # says something (its usage follows).
    #: (String) -> String?
    def refusal(log)
      lines = read(log)
      told(lines) { lines.find { |line| telling?(line) } }
    end

    # Why the workers of a server that still runs end: a crash, or what keeps them from starting;
    # nil if neither is in its log.
    #: (String) -> String?
    def of_workers(log)
      lines = read(log)
      told(lines) { nil } if lines.any? { |line| line.match?(CRASH) || line.match?(WORKER) }
    end

    def told(lines)
      found = (raised(lines) || yield)&.strip
      Printable.cut(found) unless found.nil? || found.match?(GREETING)
    end

    # Without proposals, and without the code that carets point at.
    def read(log)
      lines = Printable.call(log).lines.map { |line| line.chomp[0, READ] }
      [*lines, ""].each_cons(2).reject { |line, following|
        line.match?(HINT) || line.match?(CARETS) || following.match?(CARETS)
      }.map(&:first)
    end

    def raised(lines) = crash(lines) || exception(lines)

    # A crash, with the Ruby's description if that fits.
    def crash(lines)
      at = lines.index { |line| line.match?(CRASH) } or return

      whole = "#{lines[at]}, #{lines[at + 1]}"
      fits = lines[at + 1].to_s.match?(DESCRIPTION) && whole.length <= Printable::FACT
      fits ? whole : lines[at]
    end

    def exception(lines)
      [SYNTAX, ABORTED, RAISED, JVM, CAUGHT].each do |kind|
        at = lines.index { |line| kind.match?(line) && !line.match?(EXIT) } or next

        return message(kind.match(lines[at])[:what], lines[(at + 1)..])
      end
      unstarted(lines) || uncaught(lines)
    end

    # "exit" alone would be no reason: the line that ends the worker is.
    def unstarted(lines)
      at = lines.index { |line| line.match?(WORKER) } or return
      message, place = lines[at + 1, 2].map { |line| line.sub(TAG, "") }
      message == "exit" && place ? "exit in #{place[/\A[^:]+:\d+/]}" : message
    end

    # A message that begins with an empty line or a banner says what is wrong below it, perhaps on
    # several lines.
    def message(what, following)
      what, *following = following.drop_while { |line| line.strip.empty? } if nothing?(what)
      return completed(what.strip, following) unless what.nil? || banner?(what)

      lines = following.take_while { |line| !frame?(line) }
      fitting(lines.select { |line| telling?(line) && !banner?(line) }) || what
    end

    def nothing?(text) = text.sub(CLASS_ALONE, "").strip.empty?

    def banner?(text) = text.sub(ANNOUNCING, "").match?(BANNER)

    def frame?(line) = [PLACE, FRAME, JRUBY_FRAME].any? { |kind| line.match?(kind) }

    # As many lines as are short enough together; nil if there is none.
    def fitting(lines)
      texts = lines.first(CRASH_LINES).map { |line| line.gsub(FRAME_OF_TEXT, "") }
      all = (1..texts.size).map { |count| texts.first(count).join(" ") }
      all.reverse_each.find { |text| text.length <= Printable::FACT } || all.first
    end

    # The message with the line that it announces.
    def completed(what, following)
      return what unless what.match?(CONTINUED)

      what = what.sub(ANNOUNCING, "")
      remark = following.first(CRASH_LINES).filter_map { |line| REMARK.match(line)&.[](:what) }
      more = remark.first || following.find { |line| telling?(line) }
      [what, *more&.gsub(FRAMED, "")].join(": ")
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

    def telling?(line)
      line.match?(/[[:alpha:]]/) && !noise?(line) &&
        [FRAME, JRUBY_FRAME, CODE, REMARK, ADVICE, EXIT].none? { |kind| line.match?(kind) }
    end

    def short(line)
      text = line.chomp
      "#{Printable.cut(text, Printable::LINE)}#{line.delete_prefix(text)}"
    end
    private_class_method :told, :read, :raised, :crash, :exception, :unstarted, :completed,
                         :message, :nothing?, :banner?, :frame?, :fitting, :uncaught, :uncrashed,
                         :noise?, :telling?, :short
  end
end
