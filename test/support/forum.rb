# frozen_string_literal: true

require "securerandom"
require "socket"
require "uri"

module Mohs
  # A forum on a free port, as strict as Rails: sessions in cookies that a login replaces, and in
  # each form a token that is valid once, in that session. Records what was done to it: `logins`
  # [user], `posts` [text], `requests` ["GET /new"], `refused` how many tokens were wrong.
  class Forum
    Answer = Struct.new(:status, :headers, :body)

    attr_reader :port, :logins, :posts, :requests, :refused

    # Yields a forum that is gone after the block. `close_every`: n to close the connection after
    # every n-th response; `drop_every`: n to close it instead of every n-th response to a post,
    # which was accepted.
    #: (?close_every: Integer?, ?drop_every: Integer?) { (Forum) -> untyped } -> untyped
    def self.open(**options)
      forum = new(**options)
      yield forum
    ensure
      forum&.stop
    end

    def initialize(close_every: nil, drop_every: nil)
      @server = TCPServer.new("127.0.0.1", 0)
      @port = @server.addr[1]
      @close_every = close_every
      @drop_every = drop_every
      @logins = []
      @posts = []
      @requests = []
      @refused = 0
      @sessions = {}
      @lock = Mutex.new
      @talks = Queue.new
      @accepting = Thread.new { loop { accept } }
    end

    def stop
      @accepting.kill.join
      @talks.pop.kill.join until @talks.empty?
      @server.close
    end

    private

    def accept = @talks << Thread.new(@server.accept) { |socket| talk(socket) }

    def talk(socket)
      while (head = socket.gets("\r\n\r\n"))
        body = socket.read(head[/^Content-Length: (\d+)/i, 1].to_i)
        answer, number = @lock.synchronize { [answer(head, body), @requests.size] }
        break if dropped?(head)

        closing = @close_every && (number % @close_every).zero?
        send_to(socket, answer, closing)
        break if closing
      end
    rescue SystemCallError, IOError
      nil # the other end has seen enough
    ensure
      socket.close
    end

    def dropped?(head)
      @drop_every && head.start_with?("POST /posts") && (@posts.size % @drop_every).zero?
    end

    def send_to(socket, answer, closing)
      lines = ["HTTP/1.1 #{answer.status} Said", *answer.headers, *("Connection: close" if closing),
               "Content-Length: #{answer.body.bytesize}"]
      socket.write("#{lines.join("\r\n")}\r\n\r\n#{answer.body}")
    end

    def answer(head, body)
      method, path = head.split(" ", 3)
      @requests << "#{method} #{path}"
      key = head[/^Cookie:.*\bsid=(\w+)/i, 1]
      session = @sessions[key] || { tokens: [] }
      form = URI.decode_www_form(body).to_h
      case [method, path]
      in ["GET", "/login"] then login_page(session)
      in ["POST", "/login"] then login(key, session, form)
      else session[:user] ? inside(session, method, path, form) : redirect("/login")
      end
    end

    def login_page(session)
      key = SecureRandom.hex
      @sessions[key] = session
      page(session, ["Set-Cookie: sid=#{key}; path=/; HttpOnly", "Set-Cookie: flash=1; path=/"])
    end

    def login(key, session, form)
      good = form["password"] == "#{form['user']}!" && valid?(session, form)
      return Answer.new(422, [], "wrong token or password") unless good

      @logins << form["user"]
      @sessions.delete(key)
      @sessions[fresh = SecureRandom.hex] = { user: form["user"], tokens: [] }
      redirect("/", ["Set-Cookie: sid=#{fresh}; path=/",
                     "Set-Cookie: flash=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    end

    def inside(session, method, path, form)
      case [method, path]
      in ["GET", "/new"] then page(session, [])
      in ["GET", "/latest.json"] then Answer.new(200, [], %({"topics":[{"id":"#{@posts.size}"}]}))
      in ["GET", %r{\A/posts/\d+\z} | "/read"] then Answer.new(200, [], "a post")
      in ["POST", "/posts"] then post(session, form)
      else Answer.new(404, [], "nothing here")
      end
    end

    def post(session, form)
      return Answer.new(422, [], "wrong token") unless valid?(session, form)

      @posts << form["text"]
      redirect("/posts/#{@posts.size}")
    end

    # As Rails shows it: base64, whose + / and = must be encoded in a form.
    def page(session, headers)
      session[:tokens] << (token = "+/#{SecureRandom.base64(16)}&'")
      shown = token.gsub("&", "&amp;").gsub("'", "&#39;")
      field = %(<input type="hidden" name="token" value="#{shown}" />)
      Answer.new(200, headers, "<form>#{'x' * 3000}#{field}</form>")
    end

    def valid?(session, form)
      found = session[:tokens].delete(form["token"])
      @refused += 1 unless found
      found
    end

    def redirect(place, headers = []) = Answer.new(302, ["Location: #{place}", *headers], "")
  end
end
