# frozen_string_literal: true

require "securerandom"
require "json"
require "fileutils"

module Mohs
  # Values that only the server may read: variables, headers, query parameters and fields of bodies
  # that look like secrets, judged by name and shape. Secrets::Vault keeps them for a run.
  module Secrets
    # Replaces a secret in anything that is shown.
    MASK = "[secret]"

    # Short name of a password, with what may precede it in one word: DB_PASS, smtppass; but not
    # compass, bypass, passenger.
    PASS = "(?:admin|db|ftp|ldap|login|mail|my|mysql|new|old|pg|proxy|redis|root|smtp|user)?PASS"

    # Names whose values are secrets: SECRET_KEY_BASE, STRIPE_API_KEY, Authorization, Cookie. But
    # not PWD and OLDPWD, which are folders.
    NAME = /KEY|SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|AUTH|PRIVATE|COOKIE|SALT|
            (?<![A-Z])#{PASS}(?![A-Z])|(?<!\A|OLD)PWD(?![A-Z])/xi

    VARIABLE = /\A[A-Z\d_]+\z/

    # Values that are secrets under any name: a long word that mixes letters and digits, and a PEM.
    TOKEN = /\A(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[\w+=-]{20,}\z|-----BEGIN /

    # The password in a URL, in its authority (greedy: it may contain an unescaped @) or query; and
    # that in a property of a Java virtual machine (-Dkey.password=x).
    IN_ADDRESS = %r{(?<=://)(?<before>[^\s/:@]*:)(?<secret>[^\s/]+)(?=@)|
                    (?<before>[?&](?=[^\s=&?]*(?:#{NAME.source}))[^\s=&?]*=)(?<secret>[^\s&]+)|
                    (?<before>(?<!\S)(?:-J)?-D(?=[^\s=]*(?:#{NAME.source}))[^\s=]*=)
                    (?<secret>(?:"[^"]*"|'[^']*'|\S)+)}xi

    # NAME=value in a variant ("3.4.5, A=1, B='x y'"), or alone.
    ASSIGNMENT = /(?<![\w-])(?<name>[A-Za-z_]\w*)=
                  (?<value>(?:"[^"]*"|'[^']*'|\\.|[^\s,"'\\]|,(?=\S))+)/x
    HEADER = /\A(?<option>(?:--header=|-H)?)(?<name>[\w-]+):(?<space>\s*)(?<value>.+)\z/m
    WHOLE = /\A(?<option>(?:--env=)?)(?<name>[A-Za-z_]\w*)=(?<value>.*)\z/m

    # A plain word, a number or a path, such as that of a socket.
    ORDINARY = %r{\A(?:[a-z]{0,12}|\d{0,6}|/.*|~.*)\z}

    # The header's value may be a separate word after --header or -H: it is just as secret.
    OPTIONS = { "--env" => WHOLE, "--header" => HEADER, "-H" => HEADER }.freeze

    # USER:PASSWORD, of which the password is a secret.
    LOGIN = /\A(?<user>(?:--login=)?[^:]*:).+\z/m

    module_function

    # Does a variable or header of this name contain a secret? Headers such as X-Session are named
    # like fields; PWD and SESSION_STORE are not secrets.
    #: (String) -> bool
    def name?(name) = name.match?(NAME) || (!name.match?(VARIABLE) && Fields.secret?(name))

    # The `value` of a variable or header, with each secret in it replaced by the block's result.
    #: (String, String) { (String) -> String } -> String
    def replace(name, value, &)
      return value if value.empty?
      return yield(value) if name?(name) || value.match?(TOKEN)

      Fields.json?(value) ? Fields.in_json(value, &) : in_addresses(value, &)
    end

    # The same for any kind of `value`: :value of a variable or header, :secret of a header that is
    # one under any name, :path or :body.
    #: (Symbol, String, String) { (String) -> String } -> String
    def replace_in(kind, name, value, &)
      case kind
      when :secret then value.empty? ? value : yield(value)
      when :path then Fields.in_query(value, &)
      when :body then Fields.in_body(value, &)
      else replace(name, value, &)
      end
    end

    # The same for the passwords and parameters of URLs, and for a virtual machine's properties.
    #: (String) { (String) -> String } -> String
    def in_addresses(text) = text.gsub(IN_ADDRESS) { "#{$~[:before]}#{yield $~[:secret]}" }

    # Values, or parts of values, in a process's environment that are secrets. Words that any text
    # may contain ("postgres", "test") don't count: masking them would only reveal where they are.
    #: (Hash[String, String]) -> Array[String]
    def in_environment(env)
      found = []
      env.each { |name, value| replace(name, value) { |secret| secret.tap { found << secret } } }
      found.uniq.grep_v(ORDINARY)
    end

    # `value` in a form that may be shown.
    #: (String, String) -> String
    def mask(name, value) = replace(name, value) { MASK }

    # A path with its query in a form that may be shown, whether it contains secrets or the vault's
    # references to them.
    #: (String) -> String
    def mask_path(path)
      return path unless path.include?("?") && path.valid_encoding?

      Fields.in_query(path.gsub(Vault::REFERENCE, MASK)) { MASK }
    end

    # A command line in a form that may be shown.
    #: (Array[String]) -> Array[String]
    def mask_argv(argv)
      [nil, *argv].each_cons(2).map { |option, word| mask_word(word, option) }
    end

    def mask_word(word, option)
      login = LOGIN.match(word) if option == "--login" || word.start_with?("--login=")
      return "#{login[:user]}#{MASK}" if login

      found = OPTIONS[option]&.match(word) || [HEADER, WHOLE].find { |kind| glued?(kind, word) }
                                                             &.match(word)
      return mask_found(found) if found

      word = Fields.in_query(Fields.in_json(word) { MASK }) { MASK }
      word = word.gsub(ASSIGNMENT) { "#{$~[:name]}=#{mask($~[:name], $~[:value])}" }
      in_addresses(word) { MASK }
    end

    def glued?(kind, word) = !kind.match(word)&.[](:option).to_s.empty?

    def mask_found(found)
      between = found.names.include?("space") ? ":#{found[:space]}" : "="
      "#{found[:option]}#{found[:name]}#{between}#{mask(found[:name], found[:value])}"
    end
    private_class_method :mask_word, :glued?, :mask_found

    # Secrets in queries and bodies, recognised by the names of their fields.
    module Fields
      # A word in the name of a secret field. NAME would match too much here: it would take `author`
      # and `keyword` for secrets.
      WORD = /\A(?:\w*token|\w*passw(?:or)?d\w*|\w*pwd|\w*passphrase|#{PASS}|\w*secret|key|
               \w*(?:api|access|private|secret)key|auth|authorization|signature|sig|session|
               \w*sess(?:ion)?id|sid|credentials?|jwt|csrf|otp|hmac)\z/xin
      BETWEEN_WORDS = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/n
      # A letter of a name, as escaped in a query or JSON.
      ESCAPED = /(?:%|\\u00)(\h\h)/

      BOM = "\xEF\xBB\xBF".b

      # The parts of JSON: "name":, brackets, strings, numbers; values as written. No word may
      # follow a string, as it may follow a quote in a text around JSON.
      JSON_TOKEN = /"(?<name>(?:[^"\\]|\\.)*+)"(?=\s*:)|(?<open>[\[{])|(?<close>[\]}])|
                    (?<before>")(?<value>(?:[^"\\]|\\.)*+)(?<after>"(?!\w)|\z)|
                    (?<=[:\s\[,])(?<value>-?\d[\d.eE+-]*)/mx
      # The same for XML: <name, </name> or />, attribute="value", text.
      XML_TOKEN = %r{<(?<name>[\w:.-]+)|(?<close></|/>)|
                     (?<before>\s(?<attribute>[\w:.-]+)\s*=\s*(?<quote>["']))
                     (?<value>(?:(?!\k<quote>)[^<])+)|
                     (?<=>)(?<before>\s*+)
                     (?<value>(?:<!\[CDATA\[.*?\]\]>|[^<\s]|\s++(?!<|\z))++)}mx
      # Attributes that name what their element's value is: <param name="password">.
      NAMING = %w[name key].freeze
      # name=value in a query. A semicolon is a separator if another name follows it.
      PARAMETER = /(?<before>(?:\A|[?&;])(?<name>[^\s=&?;]+)=)
                   (?<value>(?:[^\s&;]|;(?![^\s=&?;]+=))+)/x
      # The same in a form, which need not be encoded.
      FORM_FIELD = /(?<before>(?:\A|[?&;\r\n])(?<name>[^\s=&?;]+)=)
                    (?<value>(?:[^&;\r\n]|;(?![^\s=&?;]+=))+)/x
      # A part of multipart/form-data: its headers, an empty line, its value.
      PART = /(?<before>\bname=(?:"(?<name>[^"]*)"|(?<name>[^\s";]+))[^\n]*\n
                (?:[^\r\n]+\r?\n)*\r?\n)
              (?<value>.+?)(?=\r?\n--)/imx
      PARTS = /\A--|^--[^\r\n]+\r?\nContent-/i
      # name: "value" in GraphQL, or a number, possibly after a type. Within JSON, its quotes are
      # escaped; so are those of names in JSON within JSON.
      ARGUMENT = /(?<before>\b(?<name>[A-Za-z_]\w*)(?:\\+")?\s*:\s*(?:[\[\]!\w]+\s*=\s*)?
                    (?:(?<quote>\\"\\"\\"|"""|\\"|")|(?=-?\d)))
                  (?<value>(?<=[:=\s])-?\d[\d.]*|(?:(?!\k<quote>)(?:\\\\\\"|\\.|[^\\]))+)/mx

      module_function

      # Does a field of this name contain a secret?
      #: (String) -> bool
      def secret?(name)
        plain = name.b.gsub(ESCAPED) { $1.hex.chr }
        plain.split(BETWEEN_WORDS).any? { |word| word.match?(WORD) }
      end

      #: (String) -> bool
      def json?(text) = text.match?(/\A\s*[\[{]/)

      # A request's path with each secret in its query replaced.
      #: (String) { (String) -> String } -> String
      def in_query(path, &)
        plain, mark, query = path.partition("?")
        "#{plain}#{mark}#{replaced(query, PARAMETER, &)}"
      end

      # A body of JSON, XML, GraphQL, a form or multipart data, with each secret replaced; all other
      # bytes are unchanged.
      #: (String) { (String) -> String } -> String
      def in_body(body, &)
        mark = body.b.start_with?(BOM) ? BOM.bytesize : 0
        plain = in_form(body.byteslice(mark..), &)
        body.byteslice(0, mark) + replaced(plain, ARGUMENT, &)
      end

      # Everything below a secret field is secret. In other fields, URLs may contain secrets.
      #: (String) { (String) -> String } -> String
      def in_json(text, &)
        secret = false
        around = []
        text.gsub(JSON_TOKEN) do |token|
          found = $~
          next token.tap { secret = around.last || secret?(found[:name]) } if found[:name]

          around.push(secret) if found[:open]
          around.pop if found[:close]
          token = "#{put(found, secret, &)}#{found[:after]}" unless found[:value].to_s.empty?
          secret = around.last
          token
        end
      end

      def in_form(body, &)
        return in_json(body, &) if json?(body)
        return in_xml(body, &) if body.match?(/\A\s*</)

        form = body.match?(PARTS) ? PART : FORM_FIELD
        replaced(body, form, otherwise: ->(value) { Secrets.in_addresses(value, &) }, &)
      end

      # Like in_json. Attributes of a secret element are not secret themselves, except `value`.
      def in_xml(text, &)
        around = [false]
        text.gsub(XML_TOKEN) do |token|
          found = $~
          around.push(around.last || secret?(found[:name])) if found[:name]
          around.pop if found[:close] && around.size > 1
          next token unless found[:value]
          next put(found, around.last, &) unless (attribute = found[:attribute])

          around[-1] ||= NAMING.include?(attribute) && secret?(found[:value])
          own = attribute == "value" && around.last
          put(found, own || around[-2] || secret?(attribute), &)
        end
      end

      def put(found, secret, &block)
        value = found[:value]
        value = secret ? yield(value) : Secrets.in_addresses(value, &block)
        "#{found[:before]}#{value}"
      end

      def replaced(text, form, otherwise: :itself.to_proc)
        text.gsub(form) do
          before, name, value = $~.values_at(:before, :name, :value)
          "#{before}#{secret?(name) ? yield(value) : otherwise.call(value)}"
        end
      end
      private_class_method :in_form, :in_xml, :put, :replaced
    end

    # Keeps the secrets of an unfinished run out of the store, which may be a database that others
    # read: in a file that only the user can read. The stored study has references in their place,
    # "[secret 5f3c9a1b2c3d4e5f/0]".
    class Vault
      REFERENCE = %r{\[secret (?<file>\h{16})/(?<number>\d+)\]}

      #: (?env: Hash[String, String]) -> void
      def initialize(env: ENV.to_h)
        @env = env
      end

      # The study as it may be stored. Writes the file if there are secrets.
      #: (Study) -> Study
      def seal(study)
        id = SecureRandom.hex(8)
        secrets = []
        sealed = study.map_secrets do |secret|
          secrets << secret unless secrets.include?(secret)
          "[secret #{id}/#{secrets.index(secret)}]"
        end
        write(id, secrets) if secrets.any?
        sealed
      end

      # The study with its secrets. Raises EnvironmentError if they are not on this machine.
      #: (Study) -> Study
      def open(study)
        study.map_values { |name, value| opened(value, name) }
      end

      # Deletes the run's secrets.
      #: (Study) -> void
      def forget(study)
        ids = []
        study.map_values do |_, value|
          value.tap { ids |= value.scan(REFERENCE).map(&:first) }
        end
        ids.each { |id| FileUtils.rm_f(path(id)) }
      end

      private

      # A secret may contain another one: a field that contains a URL, for example.
      def opened(value, name)
        value.gsub(REFERENCE) { opened(read($~[:file], name).fetch($~[:number].to_i), name) }
      end

      def write(id, secrets)
        FileUtils.mkdir_p(folder, mode: 0o700)
        File.write(path(id), JSON.generate(secrets), perm: 0o600)
      end

      def read(id, name)
        JSON.parse(File.read(path(id)))
      rescue SystemCallError
        raise EnvironmentError, "the value of #{name} is a secret, kept only for the user and on " \
                                "the machine that started the run (#{path(id)}): start a new run"
      end

      def path(id) = File.join(folder, "#{id}.json")

      def folder = File.join(Folders.data(@env), "secrets")
    end
  end
end
