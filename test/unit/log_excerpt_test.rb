# frozen_string_literal: true

require "test_helper"

module Mohs
  # The logs are pieces of real ones, their paths shortened.
  class LastWordsTest < TestCase
    PUMA = "Puma starting in single mode...\n* Environment: production\n*          PID: 7136\n"
    DEEP = Array.new(80) do |line|
      ["\tfrom /c/gems/3.1.2/ruby/3.1.0/gems/rack-2.2.6/lib/rack/builder.rb:#{line}:in `eval'\n",
       "\tfrom /opt/ruby/lib/ruby/3.4.0/bundled_gems.rb:#{line}:in 'Kernel.require'\n",
       "\tfrom <internal:kernel>:#{line}:in 'Kernel#then'\n"]
    end.join

    # What is in a log => why the server did not boot.
    REASONS = {
      "#{PUMA}/a/config/x.rb:1:in `fetch': uninitialized constant Shop (NameError)\n#{DEEP}" \
      "! Unable to load application: SystemExit: exit\n" =>
        "uninitialized constant Shop (NameError)",
      "#{PUMA}/r/insn.rb:15:in 'RubyVM::RJIT#opt': uninitialized constant CHash (NameError)\n\n" \
      "      ctx.push(CHash)\n               ^^^^^\n#{DEEP}" =>
        "uninitialized constant CHash (NameError)",
      "#{PUMA}! Unable to load application: SyntaxError: /a/user.rb:91: syntax error\n#{DEEP}" =>
        "/a/user.rb:91: syntax error",
      "[ E 2026-11-22 12:35:55.2987 25142/Tf age/Cor/App/Implementation.cpp:221 ]: Could not " \
      "spawn process for application /a: The application encountered the following error: " \
      "no such plan (RuntimeError)\n  Error ID: f899448d\n" => "no such plan (RuntimeError)",
      "#{PUMA}licence expired\n" => "licence expired",
      "warning: unknown property\nNoMethodError: undefined method 'exists?' for class File\n" \
      "  create_hosts at /c/gems/trinidad/server.rb:365\n        <main> at /c/bin/trinidad:6\n" =>
        "NoMethodError: undefined method 'exists?' for class File",
      "[BUG] Segmentation fault at 0x0\nruby 3.3.8\n7f00-7f01 r--p 0000 fe:00 3 /lib/libz.so\n" =>
        "[BUG] Segmentation fault at 0x0, ruby 3.3.8",
      PUMA => nil,
      "#{PUMA}! Unable to load application: SystemExit: exit\n" => nil,
      "" => nil,
    }.freeze

    REASONS.each_with_index do |(log, reason), index|
      test "#{index}: the reason is #{reason.inspect}" do
        reason ? assert_equal(reason, LogExcerpt.reason(log)) : assert_nil(LogExcerpt.reason(log))
      end
    end

    test "a long message is cut to one line" do
      output = LogExcerpt.reason("it broke: #{'x' * 1000}\n")

      assert_equal "it broke: #{'x' * 189}…", output
      assert_equal Printable::FACT, output.length
    end

    test "a long line is cut, whatever it is, and the lines around it stay" do
      long = "x" * 40_000

      assert_equal "a\n#{'x' * (Printable::LINE - 1)}…\nb", LogExcerpt.of("a\n#{long}\nb")
      assert_equal "a\r\n#{'x' * Printable::LINE}\r\n",
                   LogExcerpt.of("a\r\n#{'x' * Printable::LINE}\r\n")
    end

    test "a backtrace of two hundred lines doesn't hide the lines before it" do
      own = "\tfrom /srv/shop/config/environment.rb:5:in `<top (required)>'\n"
      log = "#{PUMA}/srv/shop/x.rb:1:in `fetch': key not found (KeyError)\n#{DEEP}#{own}#{DEEP}"

      assert_equal "#{PUMA}/srv/shop/x.rb:1:in `fetch': key not found (KeyError)\n#{own}",
                   LogExcerpt.of(log)
    end

    test "frames of gems and lines with only tags are left out of Rails' log" do
      log = <<~LOG
        F, [2026-11-20T12:38:09.74 #7353] FATAL -- : [5cb5-45]
        [5cb5-45] ActionController::InvalidAuthenticityToken (Can't verify CSRF):
        [5cb5-45]
        [5cb5-45] app/controllers/users_controller.rb:11:in `show'
        [5cb5-45] actionpack (7.0.4) lib/action_dispatch/executor.rb:14:in `call'
        [5cb5-45] rack (2.2.6.2) lib/rack/sendfile.rb:110:in `call'
      LOG

      assert_equal [1, 3].map { |index| log.lines[index] }.join, LogExcerpt.of(log)
    end

    test "the beginning of a crash report is kept, not its list of loaded files" do
      maps = "7f62-7f63 r--p 00000000 fe:00 355594   /usr/lib/libgcc_s.so.1\n" * 5000
      log = "#{PUMA}[BUG] Segmentation fault at 0x8\nruby 3.3.8 (2025) +RJIT\n#{maps}"
      kept = LogExcerpt.of(log).lines

      assert_includes kept, "[BUG] Segmentation fault at 0x8\n"
      assert_operator kept.size, :<, 40
    end

    test "what a server writes whenever it boots is usual, what it complains of is not" do
      usual = ["Puma starting in single mode...", "*  Environment: production",
               "*          PID: 2368", "[7] * Listening on http://127.0.0.1:28373", " ",
               "[7] - Worker 0 (PID: 9) booted in 0.1s, phase: 0", "Use Ctrl-C to stop"]

      assert_equal usual, usual.select { |line| LogExcerpt.usual?(line) }
      ["! Unable to load application: x", "* KEY is missing", "- kafka:9092: refused",
       "Password Pusher Version: 2.11.4"].each { |line| refute LogExcerpt.usual?(line), line }
    end

    test "it is not longer than somebody would read" do
      assert_equal LogExcerpt::LINES, LogExcerpt.of("said\n" * 1000).lines.size
    end
  end
end
