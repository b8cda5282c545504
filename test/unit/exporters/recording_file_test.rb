# frozen_string_literal: true

require "test_helper"

module Mohs
  # A load written to a file and read again.
  class RecordingFileTest < TestCase
    include SampleLoad

    def setup
      @folder = Dir.mktmpdir("mohs-recording")
      @path = File.join(@folder, "load.mohs")
    end

    def teardown = FileUtils.rm_rf(@folder)

    def write(load_result)
      File.open(@path, "wb") { |io| Exporters::RecordingFile.write(load_result, io) }
    end

    def document(load) = Report::LoadModel.document(load)

    def read = Exporters::RecordingFile.read(@path)

    # Of the file, after the block changed its bytes.
    def fault
      File.binwrite(@path, yield(File.binread(@path)))
      assert_raises(UsageError, StoreError) { read }
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
      write(Load::Result.new(**sample_load([1000]).to_h, specimen: failed.summary))

      assert_equal({ error: "wrong_status", status: 500, bytes: '"\xFFOh"' },
                   document(read)[:errors][:first_wrong])
    end

    test "of an open loop too" do
      arrivals = Load::Arrivals.new(kind: :poisson, rate_per_s: 2000, seed: 3)
      load_result = sample_load(Array.new(90) { |number| 300_000 * (number % 7) }, arrivals:)
      write(load_result)

      assert_equal document(load_result), document(read)
      assert_operator read.step.queued, :>, 20
    end

    test "secrets and bodies are left out" do
      headers = { "Authorization" => "Bearer tops3cret", "Accept" => "text/html" }
      write(sample_load([1000], headers:))

      refute_includes File.binread(@path), "tops3cret"
      assert_equal({ "Authorization" => "[secret]", "Accept" => "text/html" },
                   read.answers.first.request.headers)
    end

    test "what is not whole, not ours or newer is refused with the reason" do
      write(sample_load(sample_times))
      whole = File.binread(@path)
      header = whole.index("\n", whole.index("\n") + 1)
      { "" => /was not written by mohs load --raw/,
        "due_ns,sent_ns\n" => /was not written by mohs load --raw/,
        whole[0, 100] => /its header was cut short/,
        whole[0, header + 1] => /3000 of 3000 requests are missing/,
        whole[0..-2] => /load\.mohs: .* ends too early\. Restore them/,
        whole.sub("127.0.0.1", "127.0.0.2") => /its header was changed/,
        whole.sub("recording 1", "recording 2") => /written by a newer mohs.* up to 1, not 2/,
        whole.dup.tap { |text| text.setbyte(-9, text.getbyte(-9) ^ 1) } => /checksum/ }
        .each { |bytes, message| assert_match message, fault { bytes }.message }
    end

    test "a file that is not there, or a folder, is told" do
      assert_match(/none can't be read: No such file/,
                   assert_raises(UsageError) { Exporters::RecordingFile.read("/tmp/none") }.message)
      assert_raises(UsageError) { Exporters::RecordingFile.read(@folder) }
    end
  end
end
