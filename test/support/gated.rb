# frozen_string_literal: true

require_relative "compare_result"

# Made-up comparisons of `mohs gate`: each page of two revisions with the log differences of its
# cohorts (bigger is better), judged as real ones are.
class Gated
  # pages: { path => limits, as typed }. differences: { path => log differences }, used until the
  # comparison is over; `:stop` instead is a Ctrl-C. options: of CompareResult, by path.
  def initialize(pages, differences, options: {})
    @pages = pages
    @differences = differences
    @options = options
    @asked = []
  end

  # [page, rules, budget_s] of each comparison so far.
  attr_reader :asked

  def pages
    @pages.map do |path, texts|
      limits = texts.map { |text| Mohs::Compare::Condition.parse(text) }
      Mohs::Study::GatedPage.new(request: Mohs::App::Request.build(path:), limits:)
    end
  end

  # Does what Gate::Measurement does in reality.
  def call(page, rules, budget_s)
    @asked << [page, rules, budget_s]
    path = page.request.path
    differences = @differences[path]
    raise Interrupt if differences == :stop

    (1..differences.size).each do |count|
      run = run(differences.first(count), rules, budget_s, @options.fetch(path, {}))
      return run if run.result.over? || count == differences.size
    end
  end

  def result(**options) = Mohs::Gate::Gating.new(pages:, measure: self, **options).call

  private

  def run(differences, rules, budget_s, options)
    made = CompareResult.new(differences, comparison: rules, budget_s:, **options)
    Mohs::Analysis::Run.new(Mohs::Stored.run(made.to_h))
  end
end
