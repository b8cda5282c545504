# frozen_string_literal: true

module Mohs
  # What nobody but the server may read: values of variables and headers that look like secrets.
  # Decides by name and shape; Secrets::Vault keeps them for a run.
  module Secrets
    # Instead of a secret, wherever something is shown.
    MASK = "[secret]"

    # Names whose values are secrets: SECRET_KEY_BASE, STRIPE_API_KEY, Authorization, Cookie.
    NAME = /KEY|SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|AUTH|PRIVATE|COOKIE|SALT/i

    # Shapes that tell by themselves: a long word of letters and digits mixed, and a PEM.
    TOKEN = /\A(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[\w+=-]{20,}\z|-----BEGIN /

    # The password of an address, in its authority (greedy: it may hold an unescaped @) or query.
    IN_ADDRESS = %r{(?<=://)(?<before>[^\s/:@]*:)(?<secret>[^\s/]+)(?=@)|
                    (?<before>[?&][^\s=&]*(?:#{NAME.source})[^\s=&]*=)(?<secret>[^\s&]+)}xi

    # NAME=value in a variant ("3.4.5, A=1, B='x y'"), or alone.
    ASSIGNMENT = /(?<![\w-])(?<name>[A-Za-z_]\w*)=
                  (?<value>(?:"[^"]*"|'[^']*'|\\.|[^\s,"'\\]|,(?=\S))+)/x
    HEADER = /\A(?<option>(?:--header=|-H)?)(?<name>[\w-]+):(?<space>\s*)(?<value>.+)\z/m
    WHOLE = /\A(?<option>(?:--env=)?)(?<name>[A-Za-z_]\w*)=(?<value>.*)\z/m

    # What follows the space after a header's name is as secret as what follows it at once.
    OPTIONS = { "--env" => WHOLE, "--header" => HEADER, "-H" => HEADER }.freeze

    module_function

    # `value` with each secret in it replaced by what the block makes of it.
    #: (String, String) { (String) -> String } -> String
    def replace(name, value)
      return value if value.empty?
      return yield(value) if name.match?(NAME) || value.match?(TOKEN)

      value.gsub(IN_ADDRESS) { "#{$~[:before]}#{yield $~[:secret]}" }
    end

    # `value` as it may be shown.
    #: (String, String) -> String
    def mask(name, value) = replace(name, value) { MASK }

    # A command line as it may be shown.
    #: (Array[String]) -> Array[String]
    def mask_argv(argv)
      [nil, *argv].each_cons(2).map { |option, word| mask_word(word, option) }
    end

    def mask_word(word, option)
      found = OPTIONS[option]&.match(word) || [HEADER, WHOLE].find { |kind| glued?(kind, word) }
                                                             &.match(word)
      return mask_found(found) if found

      word.gsub(ASSIGNMENT) { "#{$~[:name]}=#{mask($~[:name], $~[:value])}" }
          .gsub(IN_ADDRESS) { "#{$~[:before]}#{MASK}" }
    end

    def glued?(kind, word) = !kind.match(word)&.[](:option).to_s.empty?

    def mask_found(found)
      between = found.names.include?("space") ? ":#{found[:space]}" : "="
      "#{found[:option]}#{found[:name]}#{between}#{mask(found[:name], found[:value])}"
    end
    private_class_method :mask_word, :glued?, :mask_found
  end
end
