# frozen_string_literal: true

require "test_helper"

class ReportNotesTest < Mohs::TestCase

  include Mohs::Screens


  # The golden file of its sentences (Screens#assert_said).

  SAID = "said-notes"

  def notes(rates = { "a" => 1000, "b" => 1000 })
    sample = SampleResult.new(rates, rounds: 2)
    result = sample.to_h
    yield result, sample if block_given?
    by_name = Mohs::Stored.document(result)[:notes].group_by { |note| note[:name] }
    by_name.transform_values { |same| same.map { |note| note[:text] } }
  end

  def each_trial(result, &block)
    result[:cohorts].flat_map { |cohort| cohort[:trials] }.each(&block)
  end

  def facts(result, key, value)
    each_trial(result) { |trial| trial[:facts] = trial[:facts].merge(key => value) }
  end

  test "latency, answers, attestation and host, one line each" do
    assert_equal [1], notes.values.map(&:size).uniq
    assert_said(*notes.map { |name, texts| "#{name}: #{texts.first}" })
  end

  test "with fewer cores than processes, a rate is not what more processes could serve" do
    told = lambda do |cores|
      found = notes do |result|
        result[:run][:study][:variants].last[:processes] = 2
        each_trial(result) { |trial| trial[:cores] = cores }
      end
      found["cores"]
    end

    assert_said(told.call(1))
    assert_equal ["2 cores for each server"], told.call(2)
  end

  # A baseline that runs the JIT that its application turns on, and others that don't.
  def own_jit(others: { "3.4.5 without YJIT" => 1000 }, own_jit: true, jit: "yjit", rounds: 4,
              rate: 2000)
    result = SampleResult.new({ "yours" => rate, **others }, rounds:).to_h
    result[:run][:study][:variants].each { |one| one[:ruby] = "3.4.5" }
    result[:run][:study][:variants].first[:own_jit] = own_jit
    each_trial(result) do |trial|
      attested = { **trial[:facts][:attested], jit: trial[:variant] == "yours" ? jit : "off" }
      trial[:facts] = trial[:facts].merge(attested:)
    end
    Mohs::Stored.document(result)
  end

  def worth(**options)
    own_jit(**options).values_at(:sentence, :jit_worth)
  end

  test "what the JIT of the application is worth, in the direction in which people ask" do
    text, found = worth

    assert_said(text, worth(rate: 4000).first)
    assert_in_delta 2, found[:effect], 0.3
    assert_operator found[:interval].first, :>, 1
    assert_equal ["3.4.5", "yjit"], found.values_at(:ruby, :jit)
    [{ own_jit: false }, { jit: "off" }, { rounds: 2 }, { rate: 1000 }].each do |options|
      assert_nil worth(**options).last, options.inspect
    end
  end

  test "beside a third variant that is a remark" do
    others = { "3.4.5 without YJIT" => 1000, "3.4.5, puma:2x5" => 1500 }
    alone, beside = [own_jit, own_jit(others:)].map do |document|
      document[:notes].find { |note| note[:name] == "JIT" }&.fetch(:text)
    end

    assert_nil alone, "it is the answer"
    assert_said(beside)
    assert_nil worth(others:).last
  end

  test "an answer without the JIT that the application turns on says so" do
    sentence = lambda do |**members|
      result = SampleResult.new({ "3.4.5" => 2000, "4.0.5" => 1000 }, rounds: 4).to_h
      result[:run][:study][:variants].last.merge!(members)
      each_trial(result) do |trial|
        by_app = { jit: "yjit", where: "a.rb:1" }
        trial[:facts] = trial[:facts].merge(attested: { **trial[:facts][:attested],
                                                        jit_by_app: by_app })
      end
      Mohs::Stored.document(result)[:sentence]
    end

    assert_said(sentence.call)
    refute_match(/without YJIT/, sentence.call(own_jit: true))
    refute_match(/without YJIT/, sentence.call(asked_jit: "yjit"))
  end

  # names: of the hosts of the first cohorts.
  def fleet(*names)
    notes { |result, _|
      result[:cohorts].zip(names) { |cohort, name| cohort[:host] = { name: }.compact }
    }["fleet"]
  end

  test "cohorts that were measured without the fleet that began the run are counted" do
    assert_said(*fleet("a"), *fleet("b", "a"))
    assert_nil fleet
  end

  test "what times are is said of variants with a rate of their own" do
    latency = [[], ["b"], %w[a b]].map do |rated|
      notes { |result, _|
        variants = result[:run][:study][:variants]
        variants.select { |one| rated.include?(one[:name]) }.each { |one| one[:rate] = 200 }
      }["latency"]
    end

    assert_equal [1, 1, 1], latency.map(&:size)
    assert_said(*latency.flatten)
  end

  # What the servers of a and of b attested: [processes, threads].
  def shapes(**sides)
    found = notes do |result, _|
      each_trial(result) do |trial|
        workers, threads = sides.fetch(trial[:variant].to_sym)
        attested = { **trial[:facts][:attested], workers:, threads: }
        trial[:facts] = { **trial[:facts], attested: }
      end
    end
    found["attested"].first[/\A(?:interpreter, JIT, )(.*?),? ?glibc/, 1]
  end

  test "processes and threads that differ are listed for each, as far as they are known" do
    { { a: [1, 5], b: [2, 5] } => "processes x threads 1x5, 2x5",
      { a: [1, 5], b: [1, 3] } => "processes x threads 1x3, 1x5",
      { a: [1, 5], b: [2, nil] } => "processes 1, 2",
      { a: [2, 5], b: [2, nil] } => "2 processes",
      { a: [1, nil], b: [1, nil] } => "1 process",
      { a: [1, 5], b: [nil, 5] } => "" }.each do |sides, text|
      assert_equal text, shapes(**sides), sides.inspect
    end
  end

  test "what the study holds equal is said" do
    [{ concurrency: 16 }, { concurrency: 8, memory_bytes: 512_000_000 }].each do |hold|
      assert_said(*notes { |result, _| result[:run][:study][:hold] = hold }["held"])
    end
  end

  test "a scenario is named, with what a rate is of" do
    found = notes do |result, _|
      result[:run][:study][:scenario] = { path: "/srv/forum.yml", digest: "ab" }
    end

    assert_said(*found["scenario"])
  end

  test "that stacks were sampled is said, since it slows the servers" do
    assert_said(notes { |result, _| result[:run][:study][:profile] = true }["profile"].first)
  end

  # cpu_us: { variant => what its front takes for each request }.
  def fronts(cpu_us)
    notes do |result, _|
      variants = result[:run][:study][:variants].select { |one| cpu_us.key?(one[:name]) }
      variants.each { |one| one[:front] = "nginx" }
      each_trial(result) do |trial|
        us = cpu_us[trial[:variant]] or next
        cost = { cpu_ns: us * 1_000_000, requests: 1000, memory_bytes: 5_000_000 }
        trial[:facts] = trial[:facts].merge(front: cost)
      end
    end
  end

  test "what stands in front of several servers has one line" do
    report = fronts({ "a" => 20, "b" => 30 })

    assert_equal 1, report["front"].size
    assert_said(report["front"].first)
  end

  test "what stands in front of a server has a line with what it takes itself" do
    report = fronts({ "b" => 20 })

    assert_equal 1, report["front"].size
    assert_said(report["front"].first)
  end

  test "what private services cost by themselves is told for each variant" do
    service = { service: "postgresql", version: "15.18", settings: {}, address: "unix",
                memory_bytes: 45_000_000, requests: 1000 }
    found = notes({ "a" => 1000, "b" => 900 }) do |result, _|
      each_trial(result) do |trial|
        mine = { **service, cpu_ns: trial[:variant] == "a" ? 120_000_000 : 60_000_000 }
        trial[:facts] = trial[:facts].merge(services: [mine])
      end
    end

    assert_said(*found["services"])
    found = notes { |result, _| facts(result, :services, [{ **service, address: "tcp" }]) }
    assert_match(/, by TCP\. Not .* a: – CPU µs a request/, found["services"].first)
    found = notes do |result, _|
      facts(result, :services, [service])
      each_trial(result) { |one| one[:slices].each { |slice| Mohs::StreamedSlices.streamed(slice) } }
      result[:run][:study] = Mohs::StreamedSlices.study(result[:run][:study])
    end
    assert_match(/ a: – CPU µs a message, /, found["services"].first)
  end

  # Without any right answer in more slices than trimming takes, in one cohort.
  def without_answers(*names)
    rates = { "a" => 1000, "b" => 1000, "c" => 1000 }
    report = notes(rates) do |result, _|
      result[:cohorts].first[:trials].select { |trial| names.include?(trial[:variant]) }
                      .each { |trial| trial[:slices].last(5).each { |slice| slice[:good] = 0 } }
    end
    report["checks"].grep(/no right answer/).map { |text| text[/\A.* no right answer/] }
  end

  test "variants without right answers in whole slices are named, each in a line of its own" do
    assert_said(*without_answers("b", "c"))
    assert_said(*without_answers("a"))
  end

  test "other processes may take the whole CPU" do
    report = notes do |result, _|
      result[:cohorts].each { |cohort| cohort[:host] = { foreign_cpu_share: 1.0 } }
    end
    assert_said(report["host"].first)
  end

  test "a wait for other mohs is told, if one would miss the time" do
    shown = [0.4, 94.6].map do |seconds|
      report = notes do |result, _|
        result[:cohorts].first[:host] = { waited_s: seconds, queued: { seconds: 0.4 } }
      end
      report["waited"]
    end

    assert_nil shown.first
    assert_said(*shown.last)
  end

  test "answers that don't repeat, with what was noticed" do
    login = { request: "GET /", status: 200, length: 9, kind: "status",
              note: "looks like a login page" }
    report = notes { |result, _| facts(result, :answers, [login]) }
    assert_said(report["answers"].first)
  end

  test "what changed in the application's folder is listed, the last state of each file" do
    files = lambda do |*changes|
      changes.map { |path, change, bytes| { path:, change:, bytes: } }
    end
    report = notes do |result, _|
      result[:cohorts][0][:host][:written] = files.call(["log/x.log", "changed", 1000])
      result[:cohorts][1][:host][:written] = files.call(
        ["log/x.log", "changed", 3_100_000], ["db/x", "new", 4096], ["old", "removed", -500],
        ["y", "changed", -12],
      )
    end

    assert_said(*report["files"])
  end

  test "of a cache, of which nobody knows the files, the folder is named" do
    line = lambda do |*paths|
      files = paths.map { |path| { path:, change: "new", bytes: 9, by: nil } }
      notes { |result, _| result[:cohorts][0][:host][:written] = files }["files"].first[/: (.*)/, 1]
    end

    assert_equal "tmp/rack_cache/ (1 file), log/a.log (new)",
                 line.call("tmp/rack_cache/0B7/C11/rack%3A%3Aattack%3A1796025886", "log/a.log")
    assert_equal "tmp/x/ (2 files)", line.call("tmp/x/a", "tmp/x/b")
    assert_equal "tmp/x/a (new), tmp/y/b (new)", line.call("tmp/x/a", "tmp/y/b")
    assert_equal "public/f/ (1 file)", line.call("public/f/9f86d081884c7d659a2f.js")
    assert_equal "db/a (new), db/b (new)", line.call("db/a", "db/b")
  end

  test "what --prepare changed is told apart from what the application did" do
    files = { "db/schema.rb" => "--prepare", "log/a.log" => nil, "db/x.sql" => "--prepare" }
            .map { |path, by| { path:, change: "changed", bytes: 500, by: } }
    report = notes { |result, _| result[:cohorts][0][:host][:written] = files }

    assert_said(*report["files"])
  end

  test "many files of one folder that changed are counted" do
    report = lambda do |count|
      files = Array.new(count) { |i| { path: "db/x/#{i}/x", change: "new", bytes: 9 } }
      other = { path: "log/a.log", change: "changed", bytes: 5 }
      notes { |result, _| result[:cohorts][0][:host][:written] = [*files, other] }["files"].first
    end

    assert_match(%r{: db/x/ \(4 files\), log/a\.log \(\+5 bytes\)\z}, report.call(4))
    assert_match(%r{: db/x/ \(19 files or more\), log/a\.log}, report.call(19))
    assert_match(%r{: db/x/0/x \(new\), db/x/1/x \(new\), db/x/2/x}, report.call(3))
  end

  test "servers that failed while others were warmed up beside them, and not alone, are named" do
    found = [true, false].map do |flawless|
      notes { |result, _|
        failed = { variant: "b", errors: { "timeout" => 2 }, flawless: }
        result[:cohorts][0][:host][:warmed_alone] = [failed]
      }["warm-up"]
    end

    assert_said(*found.first)
    assert_nil found.last
  end

  test "gems that are not the same version everywhere are listed" do
    report = notes do |result, _|
      each_trial(result) do |trial|
        rails = { railties: trial[:variant] == "a" ? "7.1.6" : "8.1.4", rack: "3.2.8" }
        trial[:facts] = trial[:facts].merge(attested: SampleResult::ATTESTED.merge(gems: rails))
      end
    end
    assert_equal ["railties 7.1.6 (a), 8.1.4 (b)"], report["gems"]
    refute notes.key?("gems")
  end

  test "variants that alone answer wrongly are named" do
    check = { name: "answers", ok: false, level: "invalid", code: "answers.wrong",
              values: { share: 0.1, errors: [["wrong_body", 9]] } }
    report = notes({ "a" => 1000, "b" => 1000, "c" => 1000 }) do |result, _|
      each_trial(result) do |trial|
        next unless trial[:variant] == "b"

        trial.merge!(state: "invalid", slices: [], facts: trial[:facts].merge(checks: [check]))
      end
    end

    assert_said(report["answers"].last)
  end

  test "a type that a page does not have is named: a browser may get something else" do
    told = lambda do |type|
      answer = { request: "GET /", status: 200, type:, length: 6207, kind: "body", note: nil }
      notes { |result, _| facts(result, :answers, [answer]) }["answers"].first[/\A.*bytes[^,]*/]
    end

    assert_equal "200, 6 207 bytes of application/hal+json", told.call("application/hal+json")
    [nil, "text/html", "text/plain", "application/json"].each do |usual|
      assert_equal "200, 6 207 bytes", told.call(usual)
    end
  end

  test "a few requests are told one by one, many in numbers" do
    learnt = Array.new(5) do |i|
      { request: "GET /#{i}", status: 200, length: 10 + i, kind: i.zero? ? "length" : "body",
        note: nil }
    end
    two = notes { |result, _| facts(result, :answers, learnt.first(2)) }
    assert_said(two["answers"].first)
    five = notes { |result, _| facts(result, :answers, learnt) }
    assert_said(five["answers"].first)
  end

  test "what is not attested is said" do
    partly = { interpreter: "jruby 9.4", jit: nil, workers: 2, threads: nil, malloc: nil,
               unattested: %w[JIT threads] }
    report = notes { |result, _| facts(result, :attested, partly) }
    assert_equal ["interpreter, 2 processes · not attested: JIT, threads"], report["attested"]
    assert_nil notes { |result, _| facts(result, :attested, {}) }["attested"]
  end

  test "failed checks are told by variant, the worst of the trials" do
    warning = { name: "steady", ok: false, level: "warn",
                detail: "not steady: the cost still changed" }
    report = notes do |result, _|
      trial = result[:cohorts][1][:trials][1]
      trial[:facts] = trial[:facts].merge(checks: [warning])
    end
    assert_said(*report["checks"])
  end

  test "a note about a finding has its code and the names of its variants, whatever its words" do
    result = SampleResult.new({ "a" => 1000, "b, c" => 1000 }, rounds: 2).to_h
    each_trial(result) do |trial|
      check = { name: "steady", ok: false, level: "warn", code: "steady.capped",
                values: { requests: 9, seconds: 30 } }
      trial[:facts] = trial[:facts].merge(checks: [check])
    end
    notes = Mohs::Stored.document(result)[:notes].group_by { |note| note[:code] }

    assert_equal [["steady.capped", ["a", "b, c"]]],
                 notes["checks"].map { |note| [note[:finding], note[:variants].sort] }
    assert_equal [[nil, []]], notes["host"].map { |note| note.values_at(:finding, :variants) }
  end

  test "a check that failed in several variants is one line, about the worst" do
    shares = { "a" => 0.13, "b" => 0.24, "c" => 0.15 }
    report = notes(shares.transform_values { 1000 }) do |result, _|
      each_trial(result) do |trial|
        waits = { name: "driver_waits", ok: false, level: "warn", code: "driver_waits.often",
                  values: { share: shares.fetch(trial[:variant]), preempted: 3 } }
        trial[:facts] = trial[:facts].merge(checks: [waits])
      end
    end

    assert_equal 1, report["checks"].size
    assert_said(report["checks"].first)
  end

  test "what applies to one variant and to many others names them only if they are not all" do
    names = %w[a b c d e]
    texts = [names, names.first(4)].map do |late|
      report = notes(names.to_h { |name| [name, 1000] }) do |result, _|
        each_trial(result) do |trial|
          next unless late.include?(trial[:variant])

          waits = { name: "driver_waits", ok: false, level: "warn", code: "driver_waits.often",
                    values: { share: 0.2, preempted: 3 } }
          trial[:facts] = trial[:facts].merge(checks: [waits])
        end
      end
      report["checks"].first
    end

    assert_match(/\A[a-e] \(also all others\): /, texts.first)
    assert_match(/\A[a-d] \(also [a-d], [a-d], [a-d]\): /, texts.last)
  end

  test "more connections than attested threads are told, with what they do" do
    many = { asked: 8, opened: 8, lost: 0, served: 8 }
    report = notes { |result, _| facts(result, :connections, many) }
    assert_said(report["latency"].first)
    assert_said(report["latency"].last)

    enough = SampleResult::ATTESTED.merge(workers: 2)
    report = notes do |result, _|
      facts(result, :connections, many)
      facts(result, :attested, enough)
    end
    assert_equal 1, report["latency"].size
  end

  test "one connection is no plural" do
    single = { asked: 1, opened: 1, lost: 0, served: 1 }
    one = notes { |result, _| facts(result, :connections, single) }
    assert_said(*one["latency"])
  end

  test "nothing measured, nothing to note" do
    report = notes do |result, sample|
      failed = %w[a b].map { |name| sample.failed(name) }
      result[:cohorts].each { |cohort| cohort.update(host: nil, trials: failed) }
    end
    assert_equal({}, report)
  end

  test "notes are left out by their codes, what other processes took within one of them" do
    result = SampleResult.new({ "a" => 1000, "b" => 1000 }, rounds: 2).to_h
    each_trial(result) do |trial|
      pool = { code: "pool_too_small", values: { size: 5, source: "DATABASE_URL", threads: 9 } }
      trial[:facts] = trial[:facts].merge(notes: [pool])
    end
    run = Mohs::Analysis::Run.new(Mohs::Stored.run(result))
    codes = ->(*without) { Mohs::Report::Notes.new(run, without:).to_a.map { |one| one[:code] } }

    assert_equal %w[latency answers attested pool_too_small host], codes.call
    assert_equal %w[answers attested], codes.call("latency", "pool_too_small", "other_processes")
    assert_equal %w[latency answers attested pool_too_small], codes.call("host")
    assert_empty codes.call("app") - codes.call, "a name is not a code"
  end
end
