# frozen_string_literal: true

require "test_helper"

class NotationTest < Mohs::TestCase
  include Mohs::Screens

  # What is typed => what of it is not the default.
  TEXTS = {
    "3.4.5" => { ruby: "3.4.5" },
    "3.4.5 --yjit" => { ruby: "3.4.5", flags: ["--yjit"] },
    "yjit::3.4.5 --yjit" => { label: "yjit", ruby: "3.4.5", flags: ["--yjit"] },
    "two words::3.4" => { label: "two words", ruby: "3.4" },
    "jruby-9.4" => { ruby: "jruby-9.4" },
    "jruby" => { ruby: "jruby" },
    "puma:2x5" => { server: "puma:2x5" },
    "2x5" => { server: "puma:2x5" },
    "3.4.5 --yjit, 2x5 preload" => { ruby: "3.4.5", flags: ["--yjit"], server: "puma:2x5",
                                     preload: true },
    "few::1x5" => { label: "few", server: "puma:1x5" },
    "falcon" => { server: "falcon" },
    "falcon:2" => { server: "falcon:2" },
    "MALLOC_ARENA_MAX=2" => { env: { "MALLOC_ARENA_MAX" => "2" } },
    "A=b=c" => { env: { "A" => "b=c" } },
    "3.4.5 --yjit, puma:2x5" => { ruby: "3.4.5", flags: ["--yjit"], server: "puma:2x5" },
    "puma:2x5, 3.4.5 --yjit, A=1" => { ruby: "3.4.5", flags: ["--yjit"], server: "puma:2x5",
                                       env: { "A" => "1" } },
    "  3.4.5  " => { ruby: "3.4.5" },
    "3.4.5 --yjit --yjit-exec-mem-size=64" => { ruby: "3.4.5",
                                                flags: ["--yjit", "--yjit-exec-mem-size=64"] },
    "jruby -J-Xmx512m -Xcompile.mode=OFF" => { ruby: "jruby",
                                               flags: ["-J-Xmx512m", "-Xcompile.mode=OFF"] },
    "/opt/ruby/bin/ruby, webrick" => { ruby: "/opt/ruby/bin/ruby", server: "webrick" },
    "puma:2x5 preload" => { server: "puma:2x5", preload: true },
    "3.4.5, unicorn:2 unix preload, A=1" => { ruby: "3.4.5", server: "unicorn:2", preload: true,
                                              unix: true, env: { "A" => "1" } },
    "unix" => { unix: true },
    "pitchfork:2 refork" => { server: "pitchfork:2", refork: true },
    "puma:2 preload compact" => { server: "puma:2", preload: true, compact: true },
    "warmup" => { warmup: true },
    "connections=6" => { connections: 6 },
    "3.4.5, get=/delay?ms=5&to=a, A=1" => { ruby: "3.4.5", get: "/delay?ms=5&to=a",
                                            env: { "A" => "1" } },
    "rate=200" => { rate: 200 },
    "3.4.5, connections=2, close" => { ruby: "3.4.5", connections: 2, close: true },
    "GET=/x" => { env: { "GET" => "/x" } },
    "nginx" => { front: "nginx" },
    "puma:2x5 unix, nginx" => { server: "puma:2x5", unix: true, front: "nginx" },
    "3.4.5, thruster, puma, A=1" => { ruby: "3.4.5", front: "thruster", server: "puma",
                                      env: { "A" => "1" } },
    "mock" => { server: "mock" },
    "@main" => { revision: "@main" },
    "@HEAD~2" => { revision: "@HEAD~2" },
    "@feature/a-b" => { revision: "@feature/a-b" },
    "Gemfile.next" => { gemfile: "Gemfile.next" },
    "Gemfile_next" => { gemfile: "Gemfile_next" },
    "gemfiles/rails_8.0.gemfile" => { gemfile: "gemfiles/rails_8.0.gemfile" },
    "gems.rb" => { gemfile: "gems.rb" },
    "config/puma-4.rb" => { config: "config/puma-4.rb" },
    "./puma.rb" => { config: "./puma.rb" },
    "http://127.0.0.1:3000" => { url: "http://127.0.0.1:3000" },
    "mine::http://[::1]:3000" => { label: "mine", url: "http://[::1]:3000" },
    "old::3.4.5 --yjit, @v1.2, Gemfile.next, puma, config/big.rb, A=1" =>
      { label: "old", ruby: "3.4.5", flags: ["--yjit"], revision: "@v1.2", server: "puma",
        gemfile: "Gemfile.next", config: "config/big.rb", env: { "A" => "1" } },
    "a@b" => { ruby: "a@b" },
    ",x::3.4.5" => { ruby: ",x::3.4.5" },
    "x:" => { ruby: "x:" },
    "'x:2 y'" => { ruby: "x:2 y" },
    "myGemfile.lock" => { ruby: "myGemfile.lock" },
    ".gemfile.lock" => { ruby: ".gemfile.lock" },
    "1a://b" => { ruby: "1a://b" },
    "big.rb.old" => { ruby: "big.rb.old" },
    "1://a" => { ruby: "1://a" },
    "://a" => { ruby: "://a" },
    "HTTP://127.0.0.1" => { url: "HTTP://127.0.0.1" },
    "1A=2" => { ruby: "1A=2" },
    "A1_=2" => { env: { "A1_" => "2" } },
    "A=" => { env: { "A" => "" } },
    "get=/a?x=B::c" => { get: "/a?x=B::c" },
    "a::B::c" => { label: "a", ruby: "B::c" },
    " padded ::3.4.5" => { label: "padded", ruby: "3.4.5" },
    "3.4.5,\n --yjit" => { ruby: "3.4.5", flags: ["--yjit"] },
    "old.lock" => { ruby: "old.lock" },
    "Gemfile.lock.old" => { gemfile: "Gemfile.lock.old" },
    "3.4.5, postgresql" => { ruby: "3.4.5", services: ["postgresql"] },
    "yours" => { ruby: "yours" },
    "yours, puma:2x5" => { ruby: "yours", server: "puma:2x5" },
    "3.4.5 own-jit" => { ruby: "3.4.5", jit: "own-jit" },
    "own-jit, puma:2x5" => { jit: "own-jit", server: "puma:2x5" },
    "3.4.5 without YJIT" => { ruby: "3.4.5", without: "YJIT" },
    "3.4.5 without zjit, A=1" => { ruby: "3.4.5", without: "ZJIT", env: { "A" => "1" } },
    "without YJIT" => { without: "YJIT" },
    "no-yjit" => { without: "YJIT" },
    "noyjit" => { without: "YJIT" },
    "no yjit" => { without: "YJIT" },
    "3.4.5 --no-jit, puma:2" => { ruby: "3.4.5", without: "JIT", server: "puma:2" },
    "redis, postgresql, redis" => { services: %w[redis postgresql] },
    "3.4.5, RUBYOPT='-W0 -rset'" => { ruby: "3.4.5", env: { "RUBYOPT" => "-W0 -rset" } },
  }.freeze

  TEXTS.each_with_index do |(text, expected), index|
    test "reads text #{index + 1}, #{text.inspect}" do
      notation = Mohs::Study::Notation.parse(text)

      assert_equal({ flags: [], env: {}, **expected }, notation.to_h.compact)
    end
  end

  # What is said of each is in mistakes-notation.txt.
  REFUSED = [
    "@main, @HEAD", "Gemfile.next, Gemfile", "a.rb, b.rb", "Gemfile.next.lock",
    "gemfiles/Gemfile.lock", "Gemfile.lock", "a/b.gemfile.lock", "x:2", "pu_ma:2", "label::",
    "  ", "3.4.5 \xFF", "http://a, http://b", "pumaa:2x5", "pumma", "puma:1, ngnix", "nginx:2",
    "puma:1, nginx, thruster", "3.4.5, 3.3.8", "3.4.5 jits", "3.4.5, jemalloc", "tcmalloc",
    "mimaloc, 3.4.5", "pg", "3.4.5, postgres", "3.4.5, rediss", "3.4.5, mariadb", "3.4.5, mongo",
    "puma:1, falcon:2", "falcon:2, 2x5", "2x5, 1x5", "", "3.4.5, A='b",
    "puma:2x5, workers=3", "puma, threads=auto",
    "connections=many", "connections=0", "rate=0.5", "yours without YJIT", "yours --yjit",
    "4.0.5 own-jit --yjit", "3.4.5 own-jit without YJIT", "rate=1, rate=2",
    "connections=1, connections=2", "get=/a, get=/b", "get=delay", "puma 2 horses",
    "puma 2 workers, falcon yjit", "stable horses yjit",
  ].freeze

  # What people type who know other tools => the spelling that works.
  MEANT = {
    "puma -w 2" => "puma:2",
    "puma -w 2 -t 5:5" => "puma:2x5",
    "puma --workers=2 --threads 1:5, 3.4.5" => "3.4.5, puma:2x5",
    "puma -t5" => "puma:1x5",
    "2*5" => "puma:2x5",
    "3.4.5 2*5" => "3.4.5, puma:2x5",
    "puma2x5" => "puma:2x5",
    "puma-2x5" => "puma:2x5",
    "puma 2x5" => "puma:2x5",
    "puma 2" => "puma:2",
    "puma:2:5" => "puma:2x5",
    "puma:2*5 unix" => "puma:2x5 unix",
    "Puma:2" => "puma:2",
    "falcon2" => "falcon:2",
    "3.4.5 yjit" => "3.4.5 --yjit",
    "3.4.5 rjit" => "3.4.5 --rjit",
    "3.4.5 jit" => "3.4.5 --jit",
    "3.4.5 -yjit" => "3.4.5 --yjit",
    "3.4.5 +yjit, puma:2" => "3.4.5 --yjit, puma:2",
    "3.4.5+YJIT" => "3.4.5 --yjit",
    "3.4.5-yjit" => "3.4.5 --yjit",
    "yjit" => "ruby --yjit",
    "yjit, puma:2" => "ruby --yjit, puma:2",
    "fast::3.4.5 yjit" => "fast::3.4.5 --yjit",
    "3.1.2 --env X=1" => "3.1.2, X=1",
    "3.1.2 --env=X=1" => "3.1.2, X=1",
    "puma:2 preload --env 'X=a b'" => "puma:2 preload, 'X=a b'",
    "ruby 3.4.5 --yjit" => "3.4.5 --yjit",
    "3.4.5,puma:2x5" => "3.4.5, puma:2x5",
    "3.4.5,--yjit" => "3.4.5 --yjit",
    "3.4.5,,puma:2x5" => "3.4.5, puma:2x5",
    "puma:2 behind nginx" => "puma:2, nginx",
    "puma:2 unix, front: nginx" => "puma:2 unix, nginx",
    "puma front=nginx" => "puma, nginx",
    "puma:1 with thruster" => "puma:1, thruster",
    "main" => "@main",
    "HEAD" => "@HEAD",
    "HEAD~2" => "@HEAD~2",
    "3.4.5, master^" => "3.4.5, @master^",
    "origin/topic" => "@origin/topic",
    "localhost:3000" => "http://localhost:3000",
    "127.0.0.1:3000" => "http://127.0.0.1:3000",
    "localhost:3000/" => "http://localhost:3000",
    "a::localhost:3000" => "a::http://localhost:3000",
    "puma 2 workers" => "puma:2",
    "puma, with 2 workers and 5 threads" => "puma:2x5",
    "puma 5 threads, 2 processes" => "puma:2x5",
    "3.4.5 --yjit, 1 worker" => "3.4.5 --yjit, puma:1",
    "falcon 2 processes" => "falcon:2",
    "1 worker" => "puma:1",
    "2workers" => "puma:2",
    "puma:2, 5 threads" => "puma:2x5",
    "puma workers=2" => "puma:2",
    "puma processes 3" => "puma:3",
    "threads=5" => "puma:1x5",
    "3.4.5, workers=2, threads=5, A=1" => "3.4.5, puma:2x5, A=1",
    "3.4.5 with yjit" => "3.4.5 --yjit",
    "with yjit" => "ruby --yjit",
    "3.4.5 with puma:2" => "3.4.5, puma:2",
    "puma:2x5,3.4.5,A=1,2" => "3.4.5, puma:2x5, A=1,2",
  }.freeze

  MEANT.each_with_index do |(text, meant), index|
    test "says what to type instead of text #{index + 1}, #{text.inspect}" do
      error = assert_raises(Mohs::UsageError) { Mohs::Study::Notation.parse(text) }

      said = [text.inspect, "Did you mean #{meant.inspect}? (mohs help variants)"]
      assert_match(/\A#{said.map { |part| Regexp.escape(part) }.join(".*")}\z/, error.message)
      assert Mohs::Study::Notation.parse(meant)
    end
  end

  test "numbers alone are of the server that a variant without one has" do
    text = Mohs::Study::Resolver::SERVER
    assert_equal text, Mohs::Study::Notation.parse(text[/\d.*/]).server
    assert_equal({ server: text, unix: true },
                 Mohs::Study::Notation.of_server("#{text[/\d.*/]} unix"))
  end

  # Values and flags that look like such mistakes.
  ["3.4.5, A=yjit", "A='puma -w 2'", "3.4.5 -w, puma:2", "puma -w, 3.4.5", "3.4.5 --yjit, puma",
   "A=1,2x5", "/opt/yjit/bin/ruby", "@2x5", "@yjit", "yjit::3.4.5", "2x5::puma:2x5",
   "config/puma-2.rb", "A='2 workers'", "A='with 2 threads'",
   "WORKERS=2"].each_with_index do |text, index|
    test "takes text #{index + 1} as it is, #{text.inspect}" do
      assert Mohs::Study::Notation.parse(text)
    end
  end

  test "what is no variant is refused with what could be meant" do
    assert_told "mistakes-notation", REFUSED.to_h { |text| [text.inspect, refusal(text)] }
  end

  def refusal(text)
    assert_raises(Mohs::UsageError, text) { Mohs::Study::Notation.parse(text) }.message
  end
end
