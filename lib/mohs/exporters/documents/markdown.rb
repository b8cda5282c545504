# frozen_string_literal: true

module Mohs
  module Exporters
    module Documents
      # A comment on a pull request: the answer and the table, then, folded, the notes and how it
      # was measured.
      class Markdown < Base
        HELP = "GitHub Markdown, for a pull request"
        MEDIA_TYPE = "text/markdown; charset=utf-8"
        ENDINGS = %w[.md .markdown].freeze

        #: () -> Array[String]
        def self.kinds = Documents.kinds

        private

        def text(document)
          kind = Documents.kind(document)
          own = Procedure.parts("comment").find { |one| one::KIND == kind }
          return own.new(document).to_s if own

          view = Report::Views.of(document)
          # Those that everybody should see are not folded.
          open, notes = view.lines.partition { |one| one.code == :open }
          ["**#{Report::Markdown.escape(view.headline)}**",
           *(Report::Markdown.paragraph(view.subject) if view.subject), *list(open),
           *tables(view), *folded("Notes", items(notes)),
           *folded("How it was measured", measured(document, view)), ""].join("\n\n")[0...-1]
        end

        # Those that say more about others are folded.
        def tables(view)
          details, open = view.tables.partition(&:detail)
          parts = details.flat_map { |table| table(table) }
          [*open.flat_map { |table| table(table) },
           *folded("Details", parts.any? ? [parts.join("\n\n")] : [])]
        end

        # With what belongs to it: above it, which variants its columns are.
        def table(table)
          texts = [*table.caption, *(table.above.join(" · ") if table.above.any?)]
          [*texts.map { |text| Report::Markdown.paragraph(text) },
           Report::Markdown.table(table).chomp, *list(table.remarks)]
        end

        def list(remarks) = (items(remarks).join("\n") if remarks.any?)

        def items(remarks)
          remarks.map do |one|
            [item(one.name, one.text).rstrip,
             *(one.command && Report::Markdown.code(one.command.line))].join(" ")
          end
        end

        def item(name, text)
          name, text = [name, text].map { |one| Report::Markdown.escape(one) }
          "- **#{name}**: #{text}"
        end

        # GitHub renders Markdown inside the element only after a blank line.
        def folded(title, items)
          return if items.empty?

          "<details>\n<summary>#{title}</summary>\n\n#{items.join("\n")}\n\n</details>"
        end

        def measured(document, view)
          facts = { "measured" => view.basis, "host" => host(document),
                    "against it" => against(document), "ended" => ended(document),
                    "seed" => document.dig(:provenance, :seed)&.to_s,
                    "versions" => versions(document) }
          items = facts.reject { |_, text| text.to_s.empty? }.map { |one| item(*one) }
          command = document[:again] or return items

          [*items, "- **command**: #{Report::Markdown.code(command)}"]
        end

        def host(document)
          facts = document.dig(:host, :fingerprint).to_h
          cores = facts[:cores] && Report::Numbers.counted(facts[:cores], "core")
          kernel = facts[:kernel] && "kernel #{facts[:kernel]}"
          [facts[:cpu], cores, kernel, ("a virtual machine" if facts[:virtual])].compact.join(", ")
        end

        # Problems of the host, as the doctor names them.
        def against(document)
          document.dig(:host, :against).to_a.map { |one| "#{one[:label]}: #{one[:detail]}" }
                  .join("; ")
        end

        def ended(document)
          ended_ms = document[:finished_ms] or return
          Time.at(ended_ms / 1000, in: "UTC").strftime("%Y-%m-%d %H:%M UTC")
        end

        def versions(document)
          known = document.dig(:provenance, :versions).to_h
          { mohs: document[:mohs], **known }.map { |name, one| "#{name} #{one}" }.join(", ")
        end
      end
    end
  end
end
