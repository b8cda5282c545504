# frozen_string_literal: true

require "test_helper"

module Mohs
  # Where a run goes as a file; what is in it, test/unit/cli/archives_test.rb has.
  class StoreArchiveWriterTest < TestCase
    # Has room for the header of gzip.
    Full = Class.new do
      def write(bytes) = bytes.bytesize > 10 ? raise(Errno::ENOSPC) : bytes.bytesize
    end

    test "on a full disk the failure is told once, and cleaning up is none" do
      writer = Store::ArchiveWriter.new(Full.new)
      data = Random.bytes(1 << 20)

      assert_raises(Errno::ENOSPC) { writer.add(:profile, { data: }) }
      assert_nil writer.close
    end
  end
end
