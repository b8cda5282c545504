# frozen_string_literal: true

require "digest"
require "net/http"
require "stringio"
require "zlib"

# Gives the index of a gem server a digest if it comes without one, as from a mirror. Old Bundlers
# would not believe it, and read the old index instead: half a minute and 1.5 GB, for an index that
# does not say which Ruby a gem needs. Prepended to what fetches, in every Ruby from 2.0 on.
module MohsIndexDigest
  def call(path, headers)
    super.tap do |response|
      next if response["ETag"] || !response.is_a?(Net::HTTPOK)

      text = response.body
      text = Zlib::GzipReader.new(StringIO.new(text)).read if response["Content-Encoding"] == "gzip"
      response["ETag"] = %("#{Digest::MD5.hexdigest(text)}")
    end
  end
end
