# frozen_string_literal: true

require "test_helper"

# Files that call themselves a run: cut, changed, made to harm.
class StoreArchiveReaderTest < Mohs::TestCase
  include Mohs::StoreHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-store"

  RUN = { key: "7c1a", state: "finished", app: "/srv/shop", created_ms: 1, finished_ms: 2,
          study: { app: "/srv/shop", requests: [], variants: [], env: {} },
          plan: { seed: 1, cohorts: [] }, fingerprint: {}, provenance: {} }.freeze
  COHORT = { position: 0, round: 1, state: "done", started_ms: 1, finished_ms: 2, spec: {},
             host: nil, look: nil }.freeze
  TRIAL = { ordinal: 1, variant: "a", state: "measured", reason: nil, log_tail: nil,
            started_ms: 1, boot_ns: 5, requests: 7, facts: nil }.freeze
  HEAD = { mohs_run: 1, mohs: "0.1.0" }.freeze

  def setup
    @folder = Dir.mktmpdir("mohs-test")
    @file = File.join(@folder, "x.mohs")
    @url = File.join(@folder, "mohs.db")
  end

  def teardown
    close_stores
    FileUtils.rm_rf(@folder)
  end

  def row(kind, row) = "#{JSON.generate({ kind => row })}\n"

  def lines(*rows, run: RUN)
    ["#{JSON.generate(HEAD)}\n", row(:run, run), *rows.map { |kind, values| row(kind, values) }]
  end

  def write(lines) = File.binwrite(@file, Mohs::Archived.pack(lines))

  # What the import of the file says; nothing of it is in the store afterwards.
  def refused(error = Mohs::StoreError)
    store = open_store
    raised = error == Mohs::Error ? [Mohs::UsageError, Mohs::StoreError] : [error]
    message = assert_raises(*raised) do
      store.import_run(Mohs::Store::ArchiveReader.new(@file))
    end.message
    assert_empty store.runs
    assert_includes message, @file
    message
  ensure
    close_stores
  end

  def refused_lines(*rows, **given)
    write(lines(*rows, **given))
    refused
  end

  WHOLE = [[:cohort, COHORT], [:trial, TRIAL]].freeze

  test "a run without observations is read" do
    write(lines(*WHOLE))
    import = open_store.import_run(Mohs::Store::ArchiveReader.new(@file))

    assert_equal [true, "7c1a"], [import.added, import.run.key]
    assert_equal ["a"], open_store.result(import.run.id).trials.map(&:variant)
  end

  test "a file that was cut anywhere is refused" do
    write(lines(*WHOLE))
    whole = File.binread(@file)
    [whole.size - 1, whole.size - 9, whole.size / 2, 30].each do |size|
      File.binwrite(@file, whole.byteslice(0, size))
      assert_match(/cut short/, refused)
    end
  end

  test "a file with any byte changed is refused" do
    write(lines(*WHOLE))
    whole = File.binread(@file)
    (10...whole.size).step(29) do |at|
      File.binwrite(@file, whole.dup.tap { |bytes| bytes.setbyte(at, bytes.getbyte(at) ^ 0x10) })
      refused(Mohs::Error)
    end
  end

  test "lines that were changed, and packed again, have another checksum" do
    text = Zlib.gunzip(Mohs::Archived.pack(lines(*WHOLE))).sub('"requests":7', '"requests":8')
    File.binwrite(@file, Zlib.gzip(text))
    assert_said(refused)

    File.binwrite(@file, Zlib.gzip(lines(*WHOLE).join))
    assert_said(refused)
  end

  test "nothing may follow the end" do
    bytes = Mohs::Archived.pack(lines(*WHOLE))
    [bytes + "more", bytes + bytes, Zlib.gzip("#{Zlib.gunzip(bytes)}{}\n")].each do |longer|
      File.binwrite(@file, longer)
      assert_said(refused)
    end
  end

  test "a newer version says to update, and any other file that it is none" do
    File.binwrite(@file, Zlib.gzip("{\"mohs_run\":2,\"x\":1}\nwhatever\n"))
    assert_said(refused)

    File.binwrite(@file, Zlib.gzip("x").tap { |bytes| bytes.setbyte(2, 7) }) # compressed otherwise
    assert_match(/not written by mohs export/, refused(Mohs::UsageError))
    ["{\"other\":1}\n", "", "\0" * 50].each do |text|
      File.binwrite(@file, Zlib.gzip(text))
      assert_said(refused(Mohs::UsageError))
    end
  end

  test "a file that unpacks to far more than a run has is given up" do
    File.binwrite(@file, Zlib.gzip("{\"mohs_run\":1}\n#{' ' * (40 << 20)}\n", level: 1))
    assert_said(refused)

    trials = Array.new(8) { row(:trial, { **TRIAL, log_tail: "a" * (10 << 20) }) }
    write([*lines([:cohort, COHORT]), *trials])
    assert_said(refused)
  end

  test "a small file of many values, or of one that has no end, is given up" do
    many = [row(:trial, { **TRIAL, facts: { x: [[]] * 400_000 } })] * 3
    write([*lines([:cohort, COHORT]), *many])
    assert_operator File.size(@file), :<, 20_000
    assert_said(refused)

    assert_said(refused_lines([:cohort, COHORT], [:trial, { **TRIAL, facts: { x: 10**400 } }]))
  end

  test "a profile that unpacks to far more, or to nothing of ours, is refused" do
    data = ->(text) { [[:profile, { data: [text].pack("m0") }]] }
    bomb = Zlib.deflate("\0" * (300 << 20), 1)

    assert_said(refused_lines(*WHOLE, *data[bomb]))
    assert_said(refused_lines(*WHOLE, *data[Zlib.deflate("[1]")]))
    assert_match(/damaged/, refused_lines(*WHOLE, *data["x"]))
    assert_match(/not base64/, refused_lines(*WHOLE, [:profile, { data: "%" }]))
  end

  test "observations that are not what they are said to be are refused" do
    encoded = Mohs::Core::Codec.encode("\0" * 64)
    part = ->(bytes, count) { [:observations, { part: 1, count:, data: [bytes].pack("m0") }] }

    assert_said(refused_lines(*WHOLE, part[encoded, 3]))
    assert_said(refused_lines(*WHOLE, part[encoded[0..-2], 2]))
    assert_said(refused_lines(*WHOLE, part["no frame", 0]))
    many = Mohs::Core::Codec.encode("\0" * (32 * 2_000_000))
    assert_said(refused_lines(*WHOLE, part[many, 2_000_000]))
  end

  test "rows out of order, with other columns or impossible values are refused" do
    [[[:trial, TRIAL]], [[:run, RUN]], [[:cohort, COHORT], [:slice, {}]], [[:evil, {}]],
     [[:cohort, COHORT.except(:look)]], [[:cohort, { **COHORT, id: 1 }]], [[:cohort, [1]]],
     [[:cohort, { **COHORT, position: 2**40 }]], [[:cohort, { **COHORT, state: "running" }]],
     [[:cohort, { **COHORT, spec: "{}" }]],
     [[:cohort, COHORT], [:trial, { **TRIAL, boot_ns: 2**70 }]],
     [[:cohort, COHORT], [:trial, { **TRIAL, variant: "a\0b" }]]]
      .each { |rows| assert_said(refused_lines(*rows)) }
  end

  test "a number beyond those of floats is refused" do
    write(lines([:cohort, COHORT], [:trial, { **TRIAL, facts: { a: [1.25] } }])
            .map { |line| line.sub("1.25", "1e999") })
    assert_said(refused)
  end

  test "keys that could be a path or too long are refused, and so is a study that can't be read" do
    ["../../etc", "7c/1a", "zzzz", "7c1a\n", "a" * 65, 7].each do |key|
      assert_said(refused_lines(run: { **RUN, key: }))
    end
    [{}, { requests: 5 }, { **RUN[:study], variants: [1] }].each do |study|
      assert_said(refused_lines(run: { **RUN, study: }))
    end
  end

  test "JSON that is none, too deep, or no row is refused" do
    { "{\n" => /not JSON/, "#{'[' * 200}\n" => /not JSON/, "5\n" => /not a row/,
      "{\"run\":1,\"b\":2}\n" => /not a row/, "\"\xff\"\n" => /not UTF-8/ }.each do |line, message|
      write([*lines, line])
      assert_match(message, refused)
    end
  end

  test "whether a file is one is seen by its first bytes" do
    write(lines)
    reader = Mohs::Store::ArchiveReader
    assert reader.archive?(@file)
    [Zlib.gzip("{\"a\":1}"), "{\"mohs_run\":1}", ""].each do |bytes|
      File.binwrite(@file, bytes)
      refute reader.archive?(@file)
    end
    refute reader.archive?(@folder)
  end
end
