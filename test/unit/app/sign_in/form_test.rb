# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class SignIn
      class FormTest < TestCase
        # As Devise makes it, below a form without a password.
        DEVISE = <<~HTML
          <form action="/search"><input name=q></form>
          <form class="new_user" action="/users/sign_in?x=1&amp;y=2" method="post">
            <input type="hidden" name="authenticity_token" value="a&amp;b==" autocomplete="off" />
            <input type="text" name="nickname" disabled>
            <input name="user[email]" type="email" value="">
            <INPUT TYPE=hidden NAME='user[remember_me]' VALUE=0>
            <input type="checkbox" name="user[remember_me]" value="1">
            <input name="user[password]" type="password"><input type="submit" value="nameless">
            <button name="commit" type="submit" value="Log in">Log in</button>
          </form>
        HTML

        test "what a browser sends, with the user and the password in their fields" do
          form = Form.find(DEVISE, "/users/sign_in")

          assert_equal "/users/sign_in?x=1&y=2", form.action
          assert_equal [["authenticity_token", "a&b=="], ["user[email]", "ann"],
                        ["user[remember_me]", "0"], ["user[password]", "s: é"]],
                       form.filled("ann", "s: é")
        end

        test "the first button with a name is pressed, and no other" do
          text = "<form><input name=u><input type=password name=p>" \
                 "<input type=submit name=commit value=In><input type=submit name=out></form>"
          assert_equal [%w[u a], %w[p b], %w[commit In]], Form.find(text, "/l").filled("a", "b")
        end

        test "an address is one of the page's server, whatever it says" do
          form = ->(action) { Form.find("<form #{action}><input type=password></form>", "/a/in") }

          { "" => "/a/in", 'action="out"' => "/a/out", 'action="/x"' => "/x",
            'action="https://x.example/y"' => "/y", 'action="%%"' => "/a/in" }.each do |text, path|
            assert_equal path, form.(text).action
          end
        end

        test "a page without a password, or with a form to choose one, has none" do
          assert_nil Form.find("<form><input type=text></form>", "/")
          assert_nil Form.find("<input type=password>", "/")
          two = "<form>#{'<input type=password>' * 2}</form>"
          assert_nil Form.find(two, "/")
          assert Form.find("#{two}<form><input type=password></form>", "/")
        end

        test "one with a new password creates a user, unless it is sent to a login" do
          creates = lambda do |action, autocomplete|
            Form.find("<form action=#{action}><input type=password " \
                      "autocomplete='#{autocomplete}'></form>", "/").creates_user?
          end

          assert creates.call("/first_run", "new-password")
          assert creates.call("/users", "section-a New-Password")
          refute creates.call("/session", "new-password")
          refute creates.call("/users", "current-password")
          refute creates.call("/users", "")
          both = "<form action=/users><input type=password autocomplete=new-password></form>" \
                 "<form action=/in><input type=password></form>"
          assert_equal "/in", Form.find(both, "/").action
        end

        test "one that is sent to where passwords are chosen creates a user, too" do
          text = "<form action=/setup/password><input type=password></form>"
          assert_predicate Form.find(text, "/"), :creates_user?
          assert_predicate Form.find(text.sub("/setup/password", "/users/new"), "/"), :creates_user?
          refute_predicate Form.find(text.sub("/setup/password", "/register/login"), "/"),
                           :creates_user?
        end

        test "a login page asks for a password that somebody has" do
          asks = ->(text) { Form.login?(text, "/") }
          form = "<form action=/in><input type='password'></form>"

          assert asks.call(form)
          assert asks.call("<div><INPUT Type = \"password\" name=p></div>"), "built by JavaScript"
          refute asks.call("<form><input type=text></form>")
          refute asks.call(form.sub("<input", "<input autocomplete=new-password"))
          refute asks.call("<form>#{'<input type=password>' * 2}</form>"), "it is repeated: chosen"
          assert asks.call("<form>#{'<input type=password>' * 2}</form>#{form}")
        end

        test "hostile text is read in linear time" do
          ["<form " * 20_000, "<form>#{'<input ' * 20_000}", "<form>#{'<input a="' * 9000}</form>",
           "<input #{'a=' * 20_000}>"].each do |text|
            assert_nil Timeout.timeout(5) { Form.find(text, "/") }
            refute Timeout.timeout(5) { Form.login?(text, "/") }
          end
        end
      end
    end
  end
end
