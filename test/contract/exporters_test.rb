# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"

module Mohs
  # What every exporter does (exporters/documents.rb, exporters/recordings.rb).
  class ExportersTest < TestCase
    include SampleDocuments

    Exporters::Documents.all.each do |exporter|
      name = exporter.label

      test "#{name}: says what it is, where it goes and by which files it is chosen" do
        assert_match(/\A\S.+[^.]\z/, exporter::HELP)
        assert_match(%r{\A[a-z]+/[a-z0-9.+-]+(; [a-z]+=[\w.-]+)*\z}, exporter::MEDIA_TYPE)
        assert exporter::ENDINGS.all?(/\A(\.[a-z0-9-]+)+\z/)
        assert_equal exporter, Exporters::Documents.of_file("a/B#{exporter::ENDINGS[0].upcase}")
        assert_empty exporter.kinds.to_a - Exporters::Documents.kinds
      end

      test "#{name}: a document becomes the same text each time, with its last line end" do
        sample_documents.slice(*exporter.kinds || Exporters::Documents.kinds)
                        .each do |kind, document|
          before = Marshal.dump(document)
          text, again = [exporter.new, exporter.new].map { |one| one.call(document) }

          assert_predicate text, :valid_encoding?, kind
          assert text.end_with?("\n"), kind
          assert_equal [text, before], [again, Marshal.dump(document)], kind
        end
      end

      test "#{name}: what it can't write is a mistake, with the formats that can" do
        kinds = Exporters::Documents.kinds
        others = kinds - (exporter.kinds || kinds)
        others.each do |kind|
          error = assert_raises(UsageError) { exporter.new.call(sample_document(kind)) }
          assert_match(/\A#{name} can't write this: .+\. (\w+, )*json.* can write it\.\z/,
                       error.message)
        end
        assert(others.none? { |kind| exporter.writes?(kind) })
      end

      next unless exporter.writes?("run")

      test "#{name}: text of others does not act upon a terminal" do
        run = sample_document("run")
        hostile = "#{HostileText::TEXT} \uFFFE"
        rows = run[:rows].map.with_index do |row, at|
          { **row, variant: "#{at}#{hostile}", baseline: at.zero? }
        end
        text = exporter.new.call(run.merge(rows:, app: hostile, baseline: "0#{hostile}"))

        assert_predicate text, :valid_encoding?
        refute_match HostileText::FORBIDDEN, text
      end
    end

    test "no two members have the same ending" do
      endings = Exporters::Documents.all.flat_map { |member| member::ENDINGS }
      assert_equal endings.uniq, endings
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
