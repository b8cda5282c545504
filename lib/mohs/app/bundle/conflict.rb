# frozen_string_literal: true

module Mohs
  class App
    class Bundle
      # Why gems don't fit together, from the output of Bundler's resolver, in whole sentences.
      module Conflict
        # The derivation of Bundler 2.4 and later: "Because a and b, c. So, because d and e, version
        # solving has failed."
        TITLE = "Could not find compatible versions\n"
        DERIVED = /\A.*?version\s+solving\s+has\s+failed\./m
        # Where one of its sentences begins; some have a number, which others refer to.
        SENTENCE = /(?<=\.|\))\s+(?=(?:\(\d+\) )?(?:Because|And|So|Thus)\b)/
        # What refers to a sentence that is not shown.
        THUS = /\A(?:\(\d+\) )?(?:Thus, |And (?=because))/
        # Sentences that are shown: what the failure follows from, and the failure.
        SHOWN = 2

        # What Bundler before 2.4 prints: a gem, and the ways that lead to its requirements.
        LISTED = /could not find compatible versions for gem "(\S+)":\n((?:[ ].*\n?|\n)+)/
        WAY = /\A(.+?)(?: was resolved to.*)?\z/

        # A gem that was not found at all.
        NOT_FOUND = /^(?:Could not find (?:gem )?'?\S+.* in |.* could not be found in ).*$/

        module_function

        # The sentences; nil if the output has none. log: its lines are not wrapped.
        #: (String) -> String?
        def sentence(log)
          derived = log.split(TITLE, 2)[1]&.[](DERIVED)
          return conclusion(derived) if derived

          listed = LISTED.match(log)
          listed ? listed_ways(listed[1], listed[2]) : log[NOT_FOUND]&.split&.join(" ")
        end

        def conclusion(derived)
          derived.split.join(" ").split(SENTENCE).last(SHOWN).join(" ").sub(THUS, "")
        end

        def listed_ways(gem, text)
          ways = text.split(/\n\s*\n/).map do |way|
            lines = way.lines.map(&:strip).reject { |line| line.empty? || line.start_with?("In ") }
            [lines.last, *(lines.first[WAY, 1] if lines.size > 1)].join(" for ")
          end
          "No version of #{gem} fits all of these: #{Wording.few(ways, 3)}"
        end
        private_class_method :conclusion, :listed_ways
      end
    end
  end
end
