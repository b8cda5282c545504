# frozen_string_literal: true

require "test_helper"
require "support/page_documents"

module Mohs
  # What every renderer may rely on: the view of each kind of document.
  class ViewsTest < TestCase
    include PageDocuments

    # Terminal sequences, HTML and trailing spaces are a renderer's.
    LAYOUT = /\e|<\/|[ \t]+$|\n\z/

    # Renderers arrange views, and don't read each other.
    RENDERERS = { "report/terminal{.rb,/**/*.rb}" => /\b(Html|Markdown)\b/,
                  "report/html{.rb,/**/*.rb}" => /\b(Terminal|Markdown)\b/,
                  "report/{views,view,sections}{.rb,/**/*.rb}" => /\b(Terminal|Html|Markdown)\b/,
                  "{report/markdown,exporters/documents/markdown}{.rb,/**/*.rb}" =>
                    /\b(Terminal|Html)\b/,
                  "procedures/*/{,*_}section.rb" => /\b(Terminal|Html|Markdown)\b/,
                  # Only what makes the page of a document has one.
                  "report/html/**/*.rb" => /\bdocument\b/,
                  "web/views/*.rb" => /\bTerminal\b/ }.freeze

    def documents
      { run: page_run(requests: 300), cold: page_run(requests: 300, cold: true),
        compare: page_compare(requests: 300), tune: page_tune, repro: page_repro,
        load: page_load(500), steps: recorded("steps"), batches: recorded("batches"),
        rate: page_rate, gate: page_gate, history: page_history }
    end

    # Of a load's recorded requests.
    def recorded(name)
      folder = File.expand_path("../fixtures/documents/loads", __dir__)
      load = Exporters::RecordingFile.read(File.join(folder, "#{name}.raw"))
      Report::Document.envelope("load", LoadRun::Document.document(load))
    end

    def views = documents.transform_values { |document| Report::Views.of(document) }

    test "each has an answer, and the parts are of one kind" do
      views.each do |name, view|
        refute_empty view.headline, name
        assert view.tables.all?(Report::View::Table), name
        assert [*view.cautions, *view.remarks, *view.next].all?(Report::View::Remark), name
      end
    end

    test "a table's cells are in its columns, and every row has a text for each" do
      views.each do |name, view|
        view.tables.each do |table|
          keys = table.columns.map(&:key)

          assert_equal keys, keys.uniq, name
          assert_empty table.rows.flat_map { |row| row.cells.keys } - keys, name
          assert table.texts.all? { |row| row.size == keys.size }, name
        end
      end
    end

    test "no text has a layout" do
      views.each do |name, view|
        texts = [view.headline, *view.tables.flat_map(&:texts).flatten, *view.lines.map(&:text)]
        assert_empty texts.grep(LAYOUT), name
      end
    end

    test "no remark's text begins with its name" do
      lines = views.values.flat_map(&:lines)

      refute_empty lines
      assert_empty(lines.select { |one| one.text.start_with?("#{one.name} ") }.map(&:to_h))
    end

    test "no renderer reads another's output" do
      RENDERERS.each do |glob, others|
        files = Dir[File.join(Mohs.root, "lib/mohs", glob)]

        refute_empty files
        assert_empty(files.select { |file| code(file).match?(others) })
      end
    end

    # What outcomes are called in documents; "equal" is a label of an axis as well.
    OUTCOMES = [*Report::Tone::VERDICTS.keys, *Compare::Tones::MARKS.keys - %w[equal],
                *Compare::Tones::GATES.keys, *Repro::Judge::OUTCOMES,
                *LoadRun::RateView::TONES.keys, *LoadRun::ConnectionView::TONES.keys].freeze

    test "a renderer knows tones, and no outcome" do
      files = Dir[File.join(Mohs.root, "lib/mohs/report/{terminal,html}{.rb,/**/*.{rb,css}}")]
      named = /"(?:#{OUTCOMES.join('|')})"|\bo-(?:#{OUTCOMES.join('|')})\b/
      found = files.to_h { |file| [file, code(file).scan(named)] }

      assert_empty(found.reject { |_, words| words.empty? })
    end

    # As Report::Tone says.
    TONES = %i[good bad even open warn].freeze

    test "what has a colour on a terminal has one in the tables and pictures of a page" do
      css = Report::Html::STYLE
      coloured = Report::Terminal::Style::TONES.keys
      marks = css.scan(/^\.m\.t-(\w+) path/).flatten.map(&:to_sym)

      assert_equal coloured.sort, css.scan(/^td \.t-(\w+)/).flatten.map(&:to_sym).sort
      assert_empty (coloured - %i[warn]) - marks
      assert_empty [*coloured, *marks] - TONES
    end

    test "every outcome that decides has its tone, in tables and in pictures" do
      tones = documents.transform_values do |document|
        sections = Report::Views.page(document).sections.flat_map(&:parts)
        tables = [*Report::Views.of(document).tables, *sections.grep(Report::View::Table)]
        cells = tables.flat_map(&:rows).flat_map { |row| row.cells.values }
        [cells.map(&:tone), drawn(sections)].map { |all| all.compact.uniq.sort }
      end

      assert_empty tones.values.flatten - TONES
      assert_equal [%i[bad good], %i[bad good]], tones[:gate]
      assert_equal [%i[even good], %i[even good]], tones[:compare]
      assert_equal [%i[bad good], %i[bad good]], tones[:rate]
    end

    # Tones of marks.
    def drawn(parts)
      parts.flat_map do |part|
        case part
        when Report::View::Section::Intervals then part.points.map { |one| one[:tone] }
        when Report::View::Section::Chart then part.marks.map(&:tone)
        else []
        end
      end
    end

    # Marks cover whole texts: letters and digits become others of the same width, in their order.
    PLAIN = [*"0".."9", *"A".."Z", *"a".."z"].join.freeze
    MARKS = (0x410...(0x410 + PLAIN.size)).to_a.pack("U*").freeze

    # What is no text: names and kinds for renderers, commands to type, data that is drawn.
    UNMARKED = %i[kind key code command pictures version series unit].freeze

    # A view, page or part of these with marks in place of its texts.
    def marked(value)
      return value if kept?(value)

      case value
      when String then value.tr(PLAIN, MARKS)
      when Array then value.map { |one| marked(one) }
      when Hash then value.to_h { |key, one| [key, UNMARKED.include?(key) ? one : marked(one)] }
      when Value then members(value)
      else value
      end
    end

    # A figure that there is none of, and what a page links to.
    def kept?(value)
      [Report::View::Cell::EMPTY, Report::View::Cell::ABSENT].include?(value) ||
        (value.is_a?(Report::View::Section::Word) && value.kind == :address)
    end

    def members(value) = value.class.new(**marked(value.each_pair.to_h))

    def unmarked(text) = text.tr(MARKS, PLAIN)

    # Lines may break only where Style::SPACE says: not between numbers and their units.
    class Unbroken < Report::Terminal::Style
      def wrap(text, indent: 0) = text.split("\n").map(&:strip).join("\n#{' ' * indent}")
    end

    test "the screen arranges a view whatever its texts say" do
      documents.each do |name, document|
        [60, 100].each do |width|
          style = Unbroken.new(width:, colour: true)
          layout = Report::Terminal.new(style:).send(:layout, document)
          of_marks = layout.class.new(marked(Report::Views.of(document)), style:)

          assert_equal layout.to_s, unmarked(of_marks.to_s), name
          assert_equal layout.so_far, unmarked(of_marks.so_far), name
        end
      end
    end

    test "a page arranges its sections whatever their texts say" do
      documents.each do |name, document|
        page = Report::Views.page(document)
        plain, marks = [page, marked(page)].map do |one|
          one.sections.map do |section|
            Report::Html::Markup.write(Report::Html::ViewSection.new(section).to_element)
          end
        end

        refute_equal plain, marks, name
        assert_equal plain, marks.map { |text| unmarked(text) }, name
      end
    end

    test "Markdown arranges tables whatever their texts say" do
      tables = views.values.flat_map(&:tables)
      rules = [tables, marked(tables)].map do |all|
        all.map { |table| Report::Markdown.table(table).lines[1] }
      end

      assert_equal(*rules)
      assert_operator rules.first.grep(/--:/).size, :>, 5
    end

    # The file without its comments.
    def code(file) = File.readlines(file).grep_v(/^\s*#/).join
  end
end
