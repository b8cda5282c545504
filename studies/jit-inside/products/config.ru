# frozen_string_literal: true

# GET /two, /three or /four multiplies so many Floats a thousand times, by a method that does
# nothing else: after a thousand requests it has been called a million times.
require_relative "two"
require_relative "three"
require_relative "four"

CALLS = 1000

PRODUCTS = { "/two" => Two.new, "/three" => Three.new, "/four" => Four.new }.freeze

run lambda { |env|
  headers = { "content-type" => "text/plain" }
  product = PRODUCTS[env["PATH_INFO"]]
  next [404, headers.merge("content-length" => "0"), []] unless product

  body = "#{product.repeat(CALLS)}\n"
  [200, headers.merge("content-length" => body.bytesize.to_s), [body]]
}
