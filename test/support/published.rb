# frozen_string_literal: true

module Mohs
  # Published studies in their own folders, and made-up runs of them.
  module Published
    STUDY = <<~YAML
      app: .
      variants:
        - "old::2.7.4"
        - "new::3.4.5"
        - "jit::3.4.5 --yjit"
      baseline: old
    YAML
    HEAD = <<~YAML
      title: Rubies under a shop
      source: {authors: [A. Author, B. Author], year: 2023, title: A thesis, address: "https://example.org"}
    YAML

    # claims: YAML of the list, in which a claim may leave out its id if it has its text as such;
    # more: what else the file has.
    def published_files(claims, more: "", study: STUDY, name: "shop-2023")
      claims = claims.gsub(/^- \{text: ("[^"]*"|[^,\n]+)/, '- {id: \1, text: \1')
      { "config.ru" => "", "#{name}/config.ru" => "", "#{name}/study.yml" => study,
        "#{name}/published.yml" => "#{HEAD}#{more}\nclaims:\n#{claims.gsub(/^(?=.)/, '  ')}" }
    end

    # The publication of those files.
    def publication(claims, **options)
      with_files(published_files(claims, **options)) do |folder|
        return Repro::File.load(File.join(folder, "shop-2023"))
      end
    end

    # The part of it that can be tested, on the Rubies that are found.
    def choose(publication, only: nil, rubies: FakeRubies.usual, cores: 2, instead: {}, without: [],
               lost: {})
      Repro::Selection.new(publication, rubies:, cores:, instead:, lost:).call(only, without:)
    end

    # A run of its variants at these rates; the block changes the stored rows.
    def reproduced(publication, rates, tests: choose(publication).tests, **noise)
      result = SampleResult.new(rates, **noise).to_h
      order = { name: publication.name, file: publication.file, size: nil, only: nil,
                levels: publication.levels.size, tests: tests.map(&:to_h),
                claims: publication.claims.map(&:stored) }
      result[:run][:study][:published] = JSON.parse(JSON.generate(order), symbolize_names: true)
      result[:run][:provenance][:invocation] = typed(publication)
      yield result if block_given?
      Stored.analysis(result)
    end

    def typed(publication)
      Typed.invocation(publication.name, "--quiet", command: "repro").to_h
    end

    # The judgements of these claims, in a run at these rates.
    def judged(claims, rates, more: "", **options, &block)
      publication = publication(claims, more:)
      run = reproduced(publication, rates, **options, &block)
      Repro::Judge.new(publication, Repro::Order.tests(run.stored), run).call
    end
  end
end
