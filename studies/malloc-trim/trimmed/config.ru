# frozen_string_literal: true

require_relative "trim"

# apps/posts, whose processes give memory back as TRIM says: never, after each full mark, or after
# each collection.
Trim.after(ENV.fetch("TRIM")) unless ENV.fetch("TRIM") == "never"

require_relative "../../../apps/posts/config/environment"

run Rails.application
