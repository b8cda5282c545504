# frozen_string_literal: true

require "cgi/escape"
require "net/http"
require "securerandom"
require "socket"

module Mohs
  class App
    class Bundle
      # Fetches over https for a Bundler whose Ruby was built without OpenSSL, which would stop at
      # the first source: "You must recompile Ruby with OpenSSL support." It is a server on this
      # machine, in the Ruby that runs mohs, for the time of an installation. Bundler asks it over
      # http for /TOKEN/https/gems.example/versions (inside/bundle.rb rewrites its sources so)
      # and gets what that server answers. So the lock, the index and the gems all take their usual
      # way, and the lock names the sources that the Gemfile names. A folder of gems that another
      # Ruby has fetched would only do for installing what is already resolved.
      class Relay
        # Other users of this machine can reach the port, too: without the token they get nothing,
        # least of all with the credentials of a private source.
        TOKEN_BYTES = 16
        HOST = "127.0.0.1"
        PATH = %r{\A/(?<token>\h+)/https/(?<rest>[^/\s]+/\S*)\z}
        REQUEST = %r{\AGET (?<path>\S+) HTTP/1\.[01]\r?\n\z}
        FIELD = /\A([\w-]+):\s*(.*?)\r?\n\z/

        # Fields that concern one connection only (RFC 9110, 7.6.1), or that are set anew; and the
        # one in which Bundler sends to a mirror, for which it takes the relay, the address of the
        # source in the Gemfile, credentials included.
        OWN = %w[connection keep-alive proxy-connection te trailer transfer-encoding upgrade host
                 content-length x-gemfile-source].freeze

        # Each may also be written in capitals.
        PROXIES = %w[http_proxy https_proxy no_proxy].freeze

        # A larger or slower head is no request of Bundler's.
        HEAD_BYTES = 65_536
        HEAD_S = 5

        # How many connections to serve at a time, and how long to wait if there can't be another.
        CONNECTIONS = 32
        PAUSE_S = 0.01

        # How many redirections to follow, as in RubyGems.
        REDIRECTIONS = 10
        TIMEOUT_S = 60
        DENIED = { "401" => :denied, "403" => :forbidden }.freeze
        BAD_GATEWAY = "502"

        # What Bundler prints of a source that denies access (Bundler::Fetcher): its host alone, in
        # a sentence and in what to do about it.
        SENTENCE = /(?:Authentication is required|Bad username or password) for /
        FORBIDDEN = /Access token could not be authenticated for /
        COMMAND = /bundle config set (?:--global\s+)?/
        HOST_ALONE = /(?:(?<denied>#{SENTENCE})|(?<forbidden>#{FORBIDDEN})|(?<command>#{COMMAND}))
                      #{Regexp.escape(HOST)}(?=\.?\s)|
                      (?<variable>BUNDLE_)#{HOST.gsub('.', '__')}\b/x

        # Seconds that the end may take: Ruby 3.1 can't end a thread that resolves a name.
        CLOSE_S = 1

        # A file that the settings name and that is not what it should be.
        Unusable = Class.new(Error)
        private_constant :Unusable

        # Yields a relay, which answers until the block ends.
        #: (?env: Hash[String, String], ?dir: String, ?head_s: Numeric) { (Relay) -> untyped } -> untyped
        def self.during(env: ENV.to_h, dir: Dir.pwd, head_s: HEAD_S)
          relay = new(env:, dir:, head_s:)
          yield relay
        ensure
          relay&.close
        end

        # env: the shell's variables and Bundler's settings. dir: the folder that Bundler runs in.
        # head_s: how long a client may take for the head of its request.
        #: (?env: Hash[String, String], ?dir: String, ?head_s: Numeric) -> void
        def initialize(env: ENV.to_h, dir: Dir.pwd, head_s: HEAD_S)
          @head_s = head_s
          @env = env
          @dir = dir
          @proxies = PROXIES.to_h { |name| [name, env[name] || env[name.upcase]] }.compact
          @denied = DENIED.values.to_h { |kind| [kind, []] }
          @token = SecureRandom.hex(TOKEN_BYTES)
          @server = TCPServer.new(HOST, 0)
          @connections = ThreadGroup.new
          @thread = Thread.new { listen }
        end

        # The variables with which inside/bundle.rb finds it, whatever proxy the user has.
        #: () -> Hash[String, String]
        def variables
          { "MOHS_RELAY" => address, "no_proxy" => [*@proxies["no_proxy"], HOST].join(",") }
        end

        # "http://127.0.0.1:4711/3f2a.../https", below which are all sources.
        #: () -> String
        def address = "http://#{HOST}:#{@server.addr[1]}/#{@token}/https"

        # What Bundler printed, with the sources themselves instead of their addresses here, which
        # may contain credentials; and with the hosts of those that denied access.
        #: (String) -> String
        def restore(text)
          own = Regexp.escape(address.delete_prefix("http://"))
          text = text.gsub(%r{http://(?<userinfo>[^\s/]+@)?#{own}/}, 'https://\k<userinfo>')
          @denied.values.all?(&:empty?) ? text : name_denied(text)
        end

        # A thread that doesn't end in time is abandoned: nobody waits for what it does.
        #: () -> void
        def close
          deadline = Clock.deadline(CLOSE_S)
          [@thread, *@connections.list].each(&:kill).each do |thread|
            thread.join([(deadline - Clock.mono_ns) / 1e9, 0].max)
          end
          @server.close
        end

        private

        # Bundler prints one sentence for each server, in the order in which they denied access.
        def name_denied(text)
          hosts = @denied.transform_values { |all| all.chunk_while(&:==).map(&:first) }
          host = nil
          text.gsub(HOST_ALONE) do |printed|
            found = $~
            kind = hosts.keys.find { |key| found[key] }
            host = hosts[kind].shift || host if kind
            next printed unless host # it is about another server
            next "BUNDLE_#{host.upcase.gsub('-', '___').gsub('.', '__')}" if found[:variable]

            printed.delete_suffix(HOST) + host
          end
        end

        # Bundler fetches several gems at once.
        def listen
          loop do
            make_room
            socket = @server.accept
            @connections.add(Thread.new { converse(socket) })
          rescue SystemCallError
            sleep PAUSE_S # no file descriptor is free
          end
        end

        # Whoever has been connected longest without asking for anything has to go. Nobody who has
        # no token gets beyond that for long.
        def make_room
          while (all = @connections.list).size >= CONNECTIONS
            silent = all.find { |thread| !thread[:asked] }
            silent ? silent.kill.join : sleep(PAUSE_S)
          end
        end

        def converse(socket)
          first, *lines = head(socket)&.lines
          return unless first

          Thread.current[:asked] = true
          path = first[REQUEST, :path]
          uri = path && target(path)
          uri ? pass(socket, uri, fields(lines)) : refuse(socket, "404", "not found")
        rescue SystemCallError, IOError
          nil # Bundler has gone
        ensure
          socket.close
        end

        # nil if it is too large or too slow.
        def head(socket)
          deadline = Clock.deadline(@head_s)
          head = +""
          until head.end_with?("\r\n\r\n")
            left_s = (deadline - Clock.mono_ns) / 1e9
            return if left_s <= 0 || head.bytesize > HEAD_BYTES || !socket.wait_readable(left_s)

            head << socket.read_nonblock(HEAD_BYTES)
          end
          head
        end

        def fields(lines)
          found = lines.filter_map { |field| field.match(FIELD)&.captures }
          passed(found.to_h { |name, value| [name.downcase, value] })
        end

        def passed(fields) = fields.reject { |name, _| OWN.include?(name) }

        def target(path)
          found = PATH.match(path)
          URI("https://#{found[:rest]}") if found && found[:token] == @token
        rescue URI::InvalidURIError
          nil
        end

        # Redirections are followed here, where TLS is; credentials are for the first host only.
        # One that leaves https is refused, as by RubyGems: from there on anybody could send gems.
        def pass(socket, uri, fields)
          REDIRECTIONS.times do
            place = get(uri, fields) { |found| redirection(socket, found, uri) }
            return unless place

            to = URI.join(uri.to_s, place)
            return misled(socket, uri) unless to.is_a?(URI::HTTPS) && to.host

            fields = fields.except("authorization") unless
              [to.host, to.port] == [uri.host, uri.port]
            uri = to
          end
          refuse(socket, BAD_GATEWAY, "too many redirections")
        rescue LoadError
          refuse(socket, BAD_GATEWAY, "the Ruby that runs mohs has no OpenSSL, either")
        rescue Unusable => error
          refuse(socket, BAD_GATEWAY, error.message)
        rescue Net::HTTPExceptions => error # raised for a proxy's response only
          at = proxy(uri)
          refuse(socket, BAD_GATEWAY, "the proxy #{at.host}:#{at.port} answered: #{error.message}")
        rescue SystemCallError, SocketError, IOError, Timeout::Error,
               OpenSSL::SSL::SSLError => error
          refuse(socket, BAD_GATEWAY, "#{uri.host} could not be reached: #{error.message}")
        rescue StandardError => error # whatever Net::HTTP raises if it can't read a response
          refuse(socket, BAD_GATEWAY, "#{uri.host} sent no valid response: #{error.message}")
        end

        # Where to ask instead; nil if the response has been passed on.
        def redirection(socket, found, uri)
          return found["location"] if found.code.start_with?("3") && found.key?("location")

          @denied[DENIED[found.code]]&.push(uri.host)
          forward(socket, found)
          nil
        end

        def misled(socket, uri)
          refuse(socket, BAD_GATEWAY, "#{uri.host} redirects to an address that is not over https")
        end

        # Yields the response before its body is read, and returns what the block does. What Bundler
        # accepts compressed stays so: Net::HTTP leaves that alone if asked for an encoding. It
        # would ask a second time on an error, when half of the body has been sent.
        def get(uri, fields)
          proxy = proxy(uri)
          login = [proxy&.user, proxy&.password].map do |part|
            part && CGI.unescape(part, Encoding::UTF_8) # as RubyGems does
          end
          options = { use_ssl: true, max_retries: 0, open_timeout: TIMEOUT_S,
                      read_timeout: TIMEOUT_S, **authorities, **verification, **identity }
          request = Net::HTTP::Get.new(uri, { "accept-encoding" => "identity", **fields })
          Net::HTTP.start(uri.host, uri.port, proxy&.host, proxy&.port, *login,
                          **options) do |http|
            http.request(request) { |found| return yield(found) }
          end
        end

        # The settings for TLS have the meaning that Bundler gives them (Bundler::Fetcher).
        def setting(name) = @env["BUNDLE_SSL_#{name}"].to_s.then { |text| text unless text.empty? }

        def authorities
          path = setting("CA_CERT")
          return { ca_file: @env["SSL_CERT_FILE"] }.compact unless path

          path = File.expand_path(path, @dir)
          { (File.directory?(path) ? :ca_path : :ca_file) => path }
        end

        def verification = { verify_mode: setting("VERIFY_MODE")&.to_i }.compact

        def identity
          path = setting("CLIENT_CERT") or return {}
          pem = File.read(File.expand_path(path, @dir))
          { cert: OpenSSL::X509::Certificate.new(pem), key: OpenSSL::PKey.read(pem) }
        rescue SystemCallError, OpenSSL::OpenSSLError => error
          raise Unusable, "ssl_client_cert #{path} can't be used: #{error.message}"
        end

        # As RubyGems has it: the proxy for http serves https as well if there is no other.
        def proxy(uri)
          uri.find_proxy(@proxies) || URI::HTTP.build(host: uri.host).find_proxy(@proxies)
        end

        # The phrase is all that Bundler prints of an error.
        def refuse(socket, status, phrase)
          socket.write(response_head(status, phrase, "content-length" => 0))
        end

        # The body is framed as the server has framed it, so that Bundler notices if it breaks off.
        def forward(socket, found)
          framing = found.chunked? ? "transfer-encoding" : "content-length"
          value = found.chunked? ? "chunked" : found.content_length
          fields = { **passed(found.to_hash.transform_values(&:first)), framing => value }.compact
          socket.write(response_head(found.code, found.message.to_s, fields))
          stream(socket, found)
        end

        # As it comes: a gem may be large, and Bundler doesn't wait for its first byte for ever.
        def stream(socket, found)
          found.read_body do |part|
            socket.write(found.chunked? ? "#{part.bytesize.to_s(16)}\r\n#{part}\r\n" : part)
          end
          socket.write("0\r\n\r\n") if found.chunked?
        rescue StandardError
          nil # the head has been sent, so there is no other way to say this than to end
        end

        def response_head(status, phrase, fields)
          phrase = Printable.cut(Printable.call(phrase).tr("\n", " "), Printable::LINE).b
          fields = { **fields, "connection" => "close" }
          lines = fields.map { |name, value| "#{name}: #{value}\r\n" }
          "HTTP/1.1 #{status} #{phrase}\r\n#{lines.join}\r\n"
        end
      end
    end
  end
end
