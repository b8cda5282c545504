# frozen_string_literal: true

require "test_helper"

module Mohs
  # A load written to a file and read again.
  class RecordingFileTest < TestCase
    include SampleLoad
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-exporters"

    def setup
      @folder = Dir.mktmpdir("mohs-recording")
      @path = File.join(@folder, "load.mohs")
    end

    def teardown = FileUtils.rm_rf(@folder)

    def write(load_result)
      File.open(@path, "wb") { |io| Exporters::RecordingFile.write(load_result, io) }
    end

    def document(load) = LoadRun::Document.document(load)

    def read = Exporters::RecordingFile.read(@path)

    # Of the file, after the block changed its bytes.
    def fault
      File.binwrite(@path, yield(File.binread(@path)))
      assert_raises(UsageError, StoreError) { read }
    end

    # Yields each field of the header, "steps.0.wall_ns", with the error of a file without it
    # (:delete), or with this value instead; nil if such a file can be read and shown.
    def each_changed_header(value, **load)
      return enum_for(:each_changed_header, value, **load) unless block_given?

      write(sample_load(sample_times, **load))
      _, line, records = File.binread(@path).split("\n", 3)
      paths(JSON.parse(line)).each do |keys|
        changed = JSON.generate(change(JSON.parse(line), keys, value))
        crc = format("%08x", Zlib.crc32(changed))
        File.binwrite(@path, "mohs recording 1 #{changed.bytesize} #{crc}\n#{changed}\n#{records}")
        yield keys.join("."), error_of(keys)
      end
    end

    def paths(value)
      return [] unless value.is_a?(Hash) || value.is_a?(Array)

      pairs = value.is_a?(Hash) ? value.to_a : value.each_index.zip(value)
      pairs.flat_map { |key, inner| [[key], *paths(inner).map { |rest| [key, *rest] }] }
    end

    def change(header, keys, value)
      *outer, last = keys
      around = outer.inject(header) { |inner, key| inner[key] }
      if value != :delete then around[last] = value
      elsif around.is_a?(Hash) then around.delete(last)
      else around.delete_at(last)
      end
      header
    end

    def error_of(keys)
      document(read)
      nil
    rescue StoreError => error
      assert_match(/load\.mohs: .*#{keys.first}.*Restore it from a copy/, error.message)
      error
    rescue StandardError => error
      flunk "#{keys.join('.')}: #{error.class}: #{error.message[0, 100]} (#{error.backtrace.first})"
    end

    test "a file has what was typed, without its secrets, and says how its load is made again" do
      typed = Typed.invocation("127.0.0.1:3000", "-H", "Cookie: a=s3cr3t", "-c", "2", "--raw", "x",
                               command: "load")
      write(Load::Result.new(**sample_load(sample_times).to_h, invocation: typed.to_h))

      assert_equal typed.to_h, read.invocation
      assert_equal "mohs load 127.0.0.1:3000 --header-file FILE -c 2 # in FILE: Cookie: ...",
                   document(read)[:again]
    end

    test "everything that is told of a load is told of its file" do
      load_result = sample_load(sample_times, connections: 3)
      write(load_result)

      assert_equal document(load_result), document(read)
      assert_equal load_result.recording.encode, read.recording.encode
      assert_equal load_result.to_h.slice(:server, :epoch_real_ns, :argv, :host, :versions),
                   read.to_h.slice(:server, :epoch_real_ns, :argv, :host, :versions)
      counted = load_result.step.to_h.except(:cpu_ns, :bytes)
      assert_equal counted, read.step.to_h.slice(*counted.keys)
    end

    test "what the first wrong answer was is, too" do
      failed = Load::FailedResponse.new(error: "wrong_status", status: 500, bytes: "\xFFOh")
      specimen = failed.summary(Secrets::Redaction.new([]))
      write(Load::Result.new(**sample_load([1000]).to_h, specimen:))

      assert_equal({ error: "wrong_status", status: 500, bytes: '"\xFFOh"' },
                   document(read)[:errors][:first_wrong])
    end

    # Members of a result that the file has as steps, answers or records of its own.
    COMPUTED = %i[answers login recording stages step versions].freeze

    # Of another tool's load, and of two loads, which write no recording.
    NEVER = %i[tool slow].freeze

    test "every member of a result is written, or computed from what is" do
      assert_equal Load::Result.members.sort,
                   [*Exporters::RecordingFile::OF_RESULT, *COMPUTED, *NEVER].sort
    end

    test "the reason for wrong responses survives, and with it the failed check" do
      diagnosis = { connections: 8, alone: { asked: 60, wrong: 0 }, workers: [],
                    difference: { request: "GET /", part: "body", offset: 5, right: "user 5",
                                  wrong: "user 7" } }
      times = Array.new(900, 1000) + Array.new(100, "wrong_body")
      write(Load::Result.new(**sample_load(times).to_h, diagnosis:))

      check = document(read)[:checks].find { |one| one[:name] == "answers" }
      assert_match(/\Aright .*, wrong .*: .* instead of "user 5"/, check[:detail])
      assert_equal diagnosis, read.diagnosis
    end

    test "of an open loop too" do
      arrivals = Load::Arrivals.new(kind: :poisson, rate_per_s: 2000, seed: 3)
      load_result = sample_load(Array.new(90) { |number| 300_000 * (number % 7) }, arrivals:)
      write(load_result)

      assert_equal document(load_result), document(read)
      assert_operator read.step.queued, :>, 20
    end

    test "of a list of times, which has no rate" do
      times = Array.new(90) { |number| 1_000_000 * number }
      arrivals = Load::Arrivals.new(kind: :times, times:)
      load_result = sample_load(Array.new(90, 300_000), arrivals:)
      write(load_result)

      assert_equal document(load_result), document(read)
    end

    test "a header whose driver's facts lack one is refused" do
      facts = Exporters::RecordingFile::PULSE_FORM.transform_values { 1 }
      load_result = sample_load(sample_times)
      pulse = { spins: false, **facts.except(:busy) }
      step = Load::StepResult.from_h(**load_result.step.to_h, pulse:)
      write(Load::Result.new(**load_result.to_h, step:))

      assert_said(assert_raises(StoreError) { read }.message)
    end

    test "secrets and bodies are left out" do
      headers = { "Authorization" => "Bearer tops3cret", "X-Vault" => "tops3cret",
                  "Accept" => "text/html" }
      write(sample_load([1000], headers:, confidential: ["X-Vault"]))

      refute_includes File.binread(@path), "tops3cret"
      assert_equal({ "Authorization" => "[secret]", "X-Vault" => "[secret]",
                     "Accept" => "text/html" },
                   read.answers.first.request.headers)
    end

    test "what is not whole, not ours or newer is refused with the reason" do
      write(sample_load(sample_times))
      whole = File.binread(@path)
      header = whole.index("\n", whole.index("\n") + 1)
      { "" => /mohs load --raw/,
        "due_ns,sent_ns\n" => /mohs load --raw/,
        whole[0, 100] => /cut short/,
        "mohs recording 1 999999999999 00000000\n{}\n" => /cut short/,
        "mohs recording 1 #{'9' * 30} 00000000\n{}\n" => /cut short/,
        whole[0, header + 1] => /3000 of 3000/,
        whole[0..-2] => /load\.mohs: .* ends too early\. Restore them/,
        whole.sub("127.0.0.1", "127.0.0.2") => /header .*changed/,
        whole.sub("recording 1", "recording 2") => /newer mohs.* 1, not 2/,
        whole.dup.tap { |text| text.setbyte(-9, text.getbyte(-9) ^ 1) } => /checksum/ }
        .each { |bytes, message| assert_match message, fault { bytes }.message }
    end

    test "a header that lacks a field is refused with the field's name, or needs it not" do
      refused = each_changed_header(:delete).filter_map { |keys, error| keys if error }

      %w[mohs server epoch_real_ns asked.connections answers answers.0.request.path steps
         steps.0.wall_ns steps.0.connections.opened records].each do |field|
        assert_includes refused, field
      end
      arrivals = Load::Arrivals.new(kind: :poisson, rate_per_s: 2000, seed: 3)
      open_loop = each_changed_header(:delete, arrivals:).filter_map { |keys, error| keys if error }

      assert_empty refused - open_loop
      assert_empty refused - each_changed_header(nil).filter_map { |keys, error| keys if error }
    end

    test "a file that is not there, or a folder, is told" do
      assert_match(/none can't be read: No such file/,
                   assert_raises(UsageError) { Exporters::RecordingFile.read("/tmp/none") }.message)
      assert_raises(UsageError) { Exporters::RecordingFile.read(@folder) }
      assert_match(%r{\A/proc/self/mem can't be read: Input/output error\.\z},
                   assert_raises(UsageError) { Exporters::RecordingFile.read("/proc/self/mem") }
                     .message)
    end

    test "a recording may come through a pipe" do
      write(sample_load([1000]))
      reader, writer = IO.pipe
      writing = Thread.new { writer.write(File.binread(@path)) && writer.close }

      assert_equal 1, Exporters::RecordingFile.read("/dev/fd/#{reader.fileno}").recording.size
      writing.join
    ensure
      [reader, writer].each(&:close)
    end
  end
end
