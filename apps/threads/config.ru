# frozen_string_literal: true

# What threads do to three applications, chosen by APPLICATION:
#
#     half    (default) work of which half waits, as a request that calls other services does
#     posts   ../posts: Rails, one record as JSON; in PostgreSQL (a short query is all its waiting)
#     forum   ../forum: Rails, HTML pages of several queries; in SQLite, which does not wait at all
case application = ENV.fetch("APPLICATION", "half")
when "half"
  require_relative "half"
  run Half.new
when "posts", "forum"
  require_relative "../#{application}/config/environment"
  run Rails.application
else
  abort "APPLICATION=#{application}: half, posts or forum"
end
