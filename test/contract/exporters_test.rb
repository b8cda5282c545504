# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"

module Mohs
  # What every exporter does (exporters/documents.rb, exporters/recordings.rb).
  class ExportersTest < TestCase
    include SampleLoad

    RUN = File.expand_path("../fixtures/screens/run.json", __dir__)

    Exporters::Documents.all.each do |exporter|
      name = exporter.name[/\w+\z/].downcase

      test "#{name}: has an option with a line of help" do
        assert_match(/\A\S.+\S\z/, exporter::HELP)
      end

      test "#{name}: every document becomes text with its last line end" do
        run = JSON.parse(File.read(RUN), symbolize_names: true)
        load = Report::Document.envelope("load", Report::LoadModel.document(sample_load([1, 2])))
        mistake = Report::Document.envelope("run", error: { kind: "UsageError", message: "no" })
        [run, load, mistake].each do |document|
          before = Marshal.dump(document)
          text = exporter.new.call(document)

          assert_predicate text, :valid_encoding?
          assert text.end_with?("\n")
          assert_equal before, Marshal.dump(document)
        end
      end
    end

    Exporters::Recordings.all.each do |exporter|
      name = exporter.name[/\w+\z/].downcase

      test "#{name}: has an option with a line of help" do
        assert_match(/\A\S.+\S\z/, exporter::HELP)
      end

      test "#{name}: the same load is written as the same bytes, more requests as more" do
        few, again, more = [90, 90, 900].map { |count| written(exporter, sample_times(count)) }

        assert_equal few, again
        assert_operator more.bytesize, :>, few.bytesize
        assert_predicate few.dup.force_encoding(Encoding::UTF_8), :valid_encoding? if exporter.text?
      end

      next unless exporter.rows?

      test "#{name}: requests of several servers, one after the other" do
        out = StringIO.new(+"")
        rows = exporter.new(out, origin: ["variant"])
        %w[a b].each { |variant| rows.add(sample_load([1000, 2000]).recording, variant) }
        assert_equal %w[a a b b], out.string.lines.last(4).map { |line| line[/\b[ab]\b/] }
      end
    end

    def written(exporter, times)
      StringIO.new(+"".b).tap { |io| exporter.new(io).write(sample_load(times)) }.string
    end
  end
end
