# frozen_string_literal: true

module Mohs
  module Analysis
    module Warnings
      # What the servers attest differs in more than what was declared: a person who compares YJIT
      # with no YJIT doesn't want another version of a gem compared with it.
      module Beyond
        # Attested facts, and what of a variant declares that they differ.
        FACTS = {
          interpreter: %i[ruby flags env url], version: %i[ruby url], jit: %i[ruby flags env url],
          malloc: %i[env url], workers: %i[server processes config env revision url],
          threads: %i[server threads config env revision url],
        }.freeze
        GEMS = %i[ruby server gemfile revision url].freeze
        FEW = 3

        module_function

        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          pair = comparison.pairs.last or return
          a, b = [pair.a, pair.b].map { |trials| trials.last.attested }
          found = facts(a, b, comparison.declared) + gems(a, b, comparison.declared)
          return if found.empty?

          Finding.new(code: "differ_beyond", severity: :warn,
                      values: { differing: found.first(FEW), more: [found.size - FEW, 0].max })
        end

        def facts(a, b, declared)
          FACTS.reject { |_, causes| causes.intersect?(declared) }.keys.filter_map do |name|
            one, other = a[name], b[name]
            { name: name.to_s, a: one, b: other } unless [one, other].any?(&:nil?) || one == other
          end
        end

        def gems(a, b, declared)
          return [] if GEMS.intersect?(declared)

          one, other = [a, b].map { |facts| facts[:gems] || {} }
          differing = (one.keys | other.keys).reject { |name| one[name] == other[name] }
          differing.map { |name| { gem: name.to_s, a: one[name], b: other[name] } }
        end

        private_class_method :facts, :gems
      end
    end
  end
end
