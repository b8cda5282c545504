# frozen_string_literal: true

require "test_helper"

# The colours of the page: readable by WCAG 2.2 AA in light and dark, and told apart by people who
# see two of the three primary colours.
class PaletteTest < Mohs::TestCase
  CSS = Mohs::Report::Html::STYLE
  LIGHT = CSS[/\A:root \{(.*?)^\}/m, 1]
  DARK = CSS[/prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}/m, 1]
  SCHEMES = { "light" => LIGHT, "dark" => DARK }.transform_values { |text|
    text.scan(/--(\w+): #(\h{6})/).to_h do |name, code|
      [name, code.scan(/../).map { |one| one.hex / 255.0 }]
    end
  }.freeze

  TEXTS = %w[ink soft link good bad even warn].freeze
  GRAPHICS = %w[good bad even open heat s0 s1 s2 s3 s4 s5].freeze
  SERIES = GRAPHICS.grep(/\As\d/)

  # Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
  # Deficiency", 2009: severity 1.
  VISIONS = {
    "protan" => [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                 [-0.003882, -0.048116, 1.051998]],
    "deutan" => [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                 [-0.011820, 0.042940, 0.968881]],
    "everybody" => [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  }.freeze
  # Of the CIE 1976 difference. They differ in shape as well.
  APART = 9

  SCHEMES.each do |scheme, colours|
    test "#{scheme}: every colour of text has a contrast of 4.5 on the page and on its cards" do
      found = TEXTS.product(%w[paper card]).to_h do |text, ground|
        ["#{text} on #{ground}", contrast(colours.fetch(text), colours.fetch(ground))]
      end
      found["ink on margin"] = contrast(colours.fetch("ink"), colours.fetch("margin"))

      assert_empty(found.select { |_, ratio| ratio < 4.5 })
    end

    test "#{scheme}: every colour of a picture has a contrast of 3" do
      found = GRAPHICS.to_h { |name| [name, contrast(colours.fetch(name), colours.fetch("paper"))] }

      assert_empty(found.select { |_, ratio| ratio < 3 })
    end

    VISIONS.each do |vision, matrix|
      test "#{scheme}: #{vision}: series, and better and worse, are told apart" do
        pairs = [*SERIES.combination(2), %w[good bad]]
        near = pairs.to_h do |pair|
          [pair, distance(*pair.map { |name| seen(colours.fetch(name), matrix) })]
        end

        assert_empty(near.select { |_, far| far < APART })
      end
    end
  end

  test "both schemes have the same colours, and nothing else is coloured" do
    assert_equal SCHEMES["light"].keys, SCHEMES["dark"].keys
    assert_equal 2 * SCHEMES["light"].size, CSS.scan(/#\h{3,8}\b/).size
  end

  private

  def linear(colour)
    colour.map { |one| one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055)**2.4 }
  end

  def luminance(colour)
    linear(colour).zip([0.2126, 0.7152, 0.0722]).sum { |one, weight| one * weight }
  end

  def contrast(one, other)
    dark, light = [luminance(one), luminance(other)].minmax
    (light + 0.05) / (dark + 0.05)
  end

  # As linear RGB.
  def seen(colour, matrix)
    matrix.map { |row| row.zip(linear(colour)).sum { |weight, one| weight * one }.clamp(0, 1) }
  end

  def distance(one, other) = Math.sqrt(lab(one).zip(lab(other)).sum { |a, b| (a - b)**2 })

  def lab(rgb)
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = matrix.map { |row| row.zip(rgb).sum { |weight, one| weight * one } }
                    .zip([0.9505, 1.0, 1.089]).map { |one, white| cube(one / white) }
    [(116 * y) - 16, 500 * (x - y), 200 * (y - z)]
  end

  def cube(share) = share > 0.008856 ? Math.cbrt(share) : (7.787 * share) + (16.0 / 116)
end
