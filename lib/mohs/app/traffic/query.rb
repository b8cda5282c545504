# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # Removes secrets from query strings: logs contain those of strangers. Secrets in a path are
      # not recognised.
      module Query
        # A word in the name of a secret parameter. Secrets::NAME would match too much here: it
        # takes `author` and `keyword` for secrets, and without them another page would be
        # requested.
        WORD = /\A(?:\w*token|passw(?:or)?d|passwd|pwd|passphrase|secret|(?:api|access|private)?key|
                 auth|authorization|signature|sig|session|sessionid|sid|credentials?|jwt|csrf|otp|
                 hmac)\z/xin
        BETWEEN_WORDS = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/n
        # What Rails writes instead of a secret.
        FILTERED = /\A(?:\[|%5B)FILTERED(?:\]|%5D)\z/in

        module_function

        # [the target of a request without secrets, the names of the secrets].
        #: (String) -> [String, Array[String]]
        def clean(target)
          path, query = target.split("?", 2)
          return [target, []] if query.nil? || query.empty?

          secrets, rest = query.split("&").partition { |pair| secret?(*pair.split("=", 2)) }
          return [target, []] if secrets.empty?

          kept = rest.empty? ? path : "#{path}?#{rest.join('&')}"
          [kept, secrets.map { |pair| pair.split("=", 2).first }]
        end

        # Does a parameter of this name contain a secret?
        #: (String) -> bool
        def secret_name?(name)
          # %5B and %5D are brackets.
          name.gsub(/%5[bd]/i, " ").split(BETWEEN_WORDS).any? { |word| word.match?(WORD) }
        end

        def secret?(name, value = "")
          value.match?(FILTERED) || (!value.empty? && secret_name?(name.to_s))
        end
        private_class_method :secret?
      end
    end
  end
end
