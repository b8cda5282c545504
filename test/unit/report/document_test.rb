# frozen_string_literal: true

require "test_helper"
require "shellwords"

module Mohs
  module Report
    class DocumentTest < TestCase
      include SampleLoad
      include SampleStreams
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-report"

      def again(*argv, command:, **options)
        Document.again(Typed.invocation(*argv, command:).to_h, **options)
      end

      test "the command is the one that was typed, without what is about its output" do
        assert_said(again("shop", "--against", "@v1", "--check", "--json", command: "track"))
        assert_equal "mohs jobs --count 2", again("--count", "2", "--quiet", command: "jobs")
        assert_equal "mohs load 127.0.0.1:3000 -d 5s --close=fin --rate 100",
                     again("127.0.0.1:3000", "--duration=5s", "--close=fin", "--raw", "a.raw",
                           "--report", "a.html", "--rate", "100", command: "load")
      end

      test "a value that is called like an option of the output stays" do
        words = ["mohs", "bisect", "a", "b", "--expect", "--quiet", "--on", "--json"]

        assert_equal words, Shellwords.split(again(*words.drop(2), "--quiet", command: "bisect"))
      end

      test "a secret is read from a file, and what to write there follows" do
        assert_equal "mohs load 127.0.0.1:3000 --header-file FILE # in FILE: Cookie: ...",
                     again("127.0.0.1:3000", "-H", "Cookie: a=s3cr3t", command: "load")
      end

      test "what it leaves out, and ends with, is that of the document" do
        assert_equal "mohs gate --get /a --base 1a2b",
                     again("--get", "/a", "--base", "main", "--quiet", command: "gate",
                           without: %w[revisions output], base: "1a2b")
      end

      test "without values that were typed, it is unknown" do
        assert_nil Document.again(nil)
        older = Load::Result.new(**sample_load([1000]).to_h, invocation: nil)

        assert_nil LoadRun::Document.document(older).fetch(:again)
      end

      test "each kind of load says how it is made again" do
        argv = ["127.0.0.1:3000", "-n", "1"]
        invocation = Typed.invocation(*argv, "--raw", "a", command: "load")
        load = sample_load([1000])
        load = Load::Result.new(**load.to_h, invocation: invocation.to_h)
        documents = [LoadRun::Document.document(load), streams_document(invocation:)]

        assert_equal ["mohs load 127.0.0.1:3000 -n 1"] * 2, (documents.map { |one| one[:again] })
        assert_equal [invocation.to_h] * 2,
                     (documents.map { |one| one[:provenance][:invocation] })
      end
    end
  end
end
