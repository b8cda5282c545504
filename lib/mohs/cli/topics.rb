# frozen_string_literal: true

module Mohs
  class CLI
    # Topics of `mohs help` that belong to several commands or options.
    module Topics
      VARIANTS = <<~'TEXT'
        How to write a variant, for --variant, --baseline, mohs compare A B and
        mohs bisect --on.

          3.4.5  3.4  jruby-9.4   a Ruby: its name or the beginning of one (mohs rubies)
          /opt/ruby/bin/ruby      a Ruby by its path
          "3.4.5 --yjit"          a Ruby with flags, in quotes
          ruby  "ruby --yjit"     the application's own Ruby; with flags
          yours                   the application's own Ruby, with the JIT that the
                                  application turns on by itself
          "3.4.5 own-jit"         that Ruby, with the JIT of the application
          "3.4.5 without YJIT"    the same as 3.4.5: no JIT
          puma:2x5                a server, 2 processes x 5 threads (mohs servers); 2x5
                                  alone means puma:2x5
          unicorn:2  webrick      processes only; one process
          "puma:2x5 preload"      the application is loaded before the server forks
          "puma:2x5 unix"         listening on a unix socket
          "pitchfork:4 refork"    the workers are forked anew from a warm one
          "puma:2x5 compact"      GC.compact before the load; with preload, before the
                                  server forks
          "puma:2x5 warmup"       the same with Process.warmup (Ruby 3.3)
          "puma:2x5, nginx"       behind nginx (or thruster), which gets the load and
                                  passes it on
          MALLOC_ARENA_MAX=2      an environment variable
          LD_PRELOAD=jemalloc     another memory allocator: jemalloc, tcmalloc,
                                  mimalloc, or a path
          @main  @v1.2  @HEAD~2   the application at a commit of its git repository
          Gemfile.next            another Gemfile, with its lock beside it
          config/puma-4.rb        a configuration file for Puma
          postgresql  mysql       a private service beside it; also redis, memcached
                                  (mohs docs services)
          connections=6           a different number of connections
          rate=200                requests a second, sent however long responses take
          get=/about              a different path
          close                   a connection for each request
          http://127.0.0.1:3000   a server that already runs on this machine, alone
          name::3.4.5             the same under a name of your own

        Join several with a comma and a space. Anything left out takes its default: the
        application's own Ruby, puma:1x5, the folder as it is. A Ruby without a JIT
        flag runs without a JIT, even if the application turns one on (Rails 7.2 and
        later do). If no variant names a Ruby or a JIT, the application runs as it is.

          mohs compare 3.4.5 "3.4.5 --yjit"
          mohs compare puma:1x5 puma:2x5
          mohs compare "3.4.5 --yjit, puma:2x5" "3.4.5 --yjit, puma:1x5"
          mohs compare @main @HEAD
          mohs --variant 3.1.2 --variant "3.4.5 --yjit" --variant jruby-9.4
      TEXT

      RATES = <<~'TEXT'
        How many requests a second mohs load sends.

          -c 10                   closed loop, the default: each of 10 connections sends
                                  its next request when it has its response
          --rate 500              open loop: 500 a second fall due, however long
                                  responses take; latencies include the wait for a free
                                  connection
          --rate 100..500         a ramp
          --rate 100,200,400      steps that share the time equally
          --times FILE            each request falls due at a time of this file
          --arrivals poisson      at random moments, as from independent clients
                                  (or --poisson)
          --burst 10              10 fall due together
          --max-connections 200   opens more connections than -c while all are busy
          --spin                  never sleeps: sends sooner, uses a whole core

          --find-rate "p99 < 50ms"
                                  finds the highest rate that meets this limit on
                                  response times: p50, p90, p95, p99, p99.9 or mean. -d
                                  is its time in all (1m, at least 10s); -c,
                                  --max-connections and --arrivals (poisson unless
                                  given) apply. It writes no files and takes no
                                  --driver, -n, --batches or --scenario.

          mohs load localhost:3000/products --rate 200 -d 30s
          mohs load localhost:3000/products --find-rate "p99 < 50ms" -d 2m
      TEXT

      # { word => what it means }.
      MEANINGS = {
        "variant" => "what is compared: a Ruby, its flags, a server, its settings (mohs help " \
                     "variants)",
        "baseline" => "the variant that the others are compared with",
        "workers" => "processes of a server: puma:2x5 has 2, with 5 threads each",
        "trial" => "one boot of a variant: it starts, is checked, warms up, is loaded and stops",
        "slice" => "a part of a trial's load; servers that are measured together take turns, " \
                   "slice by slice",
        "round" => "a trial of each variant (mohs, mohs run)",
        "cohort" => "servers of A and B side by side, which take turns (mohs compare): what the " \
                    "machine does to one, it does to the other",
        "look" => "where mohs checks whether it knows enough, planned beforehand",
        "interval" => "[5, 21]: in 95 of 100 such measurements it contains the true value",
        "equal" => "the interval lies within 1 %, or the margin that you chose",
        "undecided" => "the interval allows either answer",
        "attested" => "reported by the running server, not taken from its flags",
        "yours" => "your application's Ruby, with the JIT that it turns on by itself",
        "own-jit" => "another Ruby with the application's JIT",
        "closed loop" => "each connection sends its next request when it has its response",
        "open loop" => "requests are sent at a given rate, however long responses take",
        "service time" => "from when a request is sent until its response is complete",
        "p50, p99" => "50 and 99 of 100 requests take no longer than this",
        "run" => "everything that one command measured: mohs show KEY",
      }.freeze

      # As wide as the other pages.
      WIDTH = 80
      ROWS = MEANINGS.map { |word, meaning| ["  #{word}", meaning] }.freeze
      private_constant :WIDTH, :ROWS

      WORDS = "Words in tables and messages.\n\n" \
              "#{Report::Terminal::Columns.wrapped(ROWS, width: WIDTH)}\n" \
              "docs/method.md has the definitions.\n"

      # { name => [line of the list, text] }.
      ALL = {
        "variants" => ["how to write a variant: Rubies, flags, servers, commits", VARIANTS],
        "rates" => ["requests a second: --rate, --find-rate and related options", RATES],
        "words" => ["words in tables and messages: cohort, slice, attested", WORDS],
      }.freeze

      # What WORDS explains, and no other topic.
      EXPLAINED = (MEANINGS.keys.flat_map { |word| word.split(", ") } - %w[variant]).freeze

      # Is this one of the words, in the singular or the plural?
      #: (String) -> bool
      def self.explains?(word)
        [word, word.delete_suffix("s")].any? { |one| EXPLAINED.include?(one) }
      end
    end
  end
end
