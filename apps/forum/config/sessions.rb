# frozen_string_literal: true

require "action_dispatch"

module Forum
  # Sessions in cookies that are signed but not encrypted: what a session holds is no secret.
  # Besides, in a Ruby built with a different OpenSSL than its Puma, ciphers may be wrong,
  # differently in each process.
  class Sessions < ActionDispatch::Session::CookieStore
    private

    # Rails before 5 passes the environment.
    def cookie_jar(request)
      request = ActionDispatch::Request.new(request) if request.is_a?(Hash)
      request.cookie_jar.signed
    end
  end
end
