# frozen_string_literal: true

require "test_helper"
require "mohs/inside/index_digest"

class IndexDigestTest < Mohs::TestCase
  TEXT = "rake 13.4.2\n"
  MD5 = "\"#{Digest::MD5.hexdigest(TEXT)}\"".freeze

  # What Bundler calls to fetch a file of the index.
  Fetcher = Struct.new(:response) do
    prepend MohsIndexDigest

    def call(_path, _headers) = response
  end

  def etag(kind, body = TEXT, **headers)
    response = kind.new("1.1", "200", "OK")
    response.instance_variable_set(:@read, true)
    response.body = body
    headers.each { |name, value| response[name.to_s.tr("_", "-")] = value }
    Fetcher.new(response).call("versions", {})["ETag"]
  end

  test "an index without a digest gets that of its text" do
    assert_equal MD5, etag(Net::HTTPOK)
    assert_equal MD5, etag(Net::HTTPOK, Zlib.gzip(TEXT), Content_Encoding: "gzip")
  end

  test "a digest that is there stays, whatever it says" do
    assert_equal "\"0\"", etag(Net::HTTPOK, ETag: "\"0\"")
  end

  # Bundler then asks for all of it.
  test "a part of an index gets none" do
    assert_nil etag(Net::HTTPPartialContent)
  end
end
