# frozen_string_literal: true

module Mohs
  # Studies as Study::Builder makes them from what a user has typed.
  module StudyBuild
    def app(**facts) = App.new(name: "shop", dir: "/srv/shop", **facts)

    def build(app: self.app, rubies: FakeRubies.usual, variants: nil, **declaration)
      declaration[:variants] = variants.map { |text| [nil, notation(text)] } if variants
      Study::Builder.new(app:, rubies:).call({ seed: 1, **declaration })
    end

    def notation(text) = Study::Notation.parse(text)
  end
end
