# frozen_string_literal: true

module Mohs
  class Comparison
    module Doubts
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

        #: (Comparison) -> Comparison::Doubts::Doubt?
        def call(comparison)
          pair = comparison.pairs.last or return
          a, b = [pair.a, pair.b].map { |trials| trials.last.attested }
          found = facts(a, b, comparison.declared) + gems(a, b, comparison.declared)
          return if found.empty?

          more = " and #{found.size - FEW} more" if found.size > FEW
          Doubt.new(text: "beyond what is compared, these differ too: " \
                          "#{found.first(FEW).join(', ')}#{more}", fatal: false)
        end

        def facts(a, b, declared)
          differing = FACTS.reject { |_, causes| causes.intersect?(declared) }.keys.select do |key|
            values = [a, b].map { |facts| facts[key] }
            values.none?(&:nil?) && values.uniq.size > 1
          end
          differing.map { |key| "#{key} (#{a[key]}, #{b[key]})" }
        end

        def gems(a, b, declared)
          return [] if GEMS.intersect?(declared)

          one, other = [a, b].map { |facts| facts[:gems] || {} }
          differing = (one.keys | other.keys).reject { |name| one[name] == other[name] }
          differing.map { |name| "#{name} #{version(one, name)} / #{version(other, name)}" }
        end

        def version(gems, name) = gems[name] || "none"
        private_class_method :facts, :gems, :version
      end
    end
  end
end
