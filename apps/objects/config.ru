# frozen_string_literal: true

# Objects of one KIND. KEEP of them stay in memory from the boot on, and a request collects garbage,
# so that the memory of the server at rest is theirs. Or each request makes MAKE and forgets them.
# Both are rounded up to thousands. BLOCKS in place of KEEP keeps as many as so many of the garbage
# collector's blocks have slots. With TAG only objects are kept whose references end in these bits.
require_relative "objects"

kind = ENV.fetch("KIND", "nil")
factory = ENV.key?("TAG") ? Objects.tagged(kind, ENV.fetch("TAG")) : Objects.factory(kind)
count = ENV.key?("BLOCKS") ? Objects.slots(Integer(ENV.fetch("BLOCKS"))) : ENV.fetch("KEEP", "0")
keep, make = [count, ENV.fetch("MAKE", "0")].map { |one| Integer(one).fdiv(Objects::ROW).ceil }
KEPT = Array.new(keep) { factory.call }

BODY = "done\n"
HEADERS = { "content-type" => "text/plain", "content-length" => BODY.bytesize.to_s }.freeze

run lambda { |_env|
  make.zero? ? GC.start : make.times { factory.call }
  [200, HEADERS.dup, [BODY]] # new headers for each response: servers and middleware may add to them
}
