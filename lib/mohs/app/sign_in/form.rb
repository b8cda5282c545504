# frozen_string_literal: true

require "cgi/escape"
require "uri"

module Mohs
  class App
    class SignIn
      # The form of a page that has a password: where it is sent to, and its fields in order, each
      # a hash of its attributes. Read as far as a browser's defaults matter; pages that build their
      # form in JavaScript have none. Pure.
      class Form < Struct.new(:action, :fields, keyword_init: true)
        include Value

        FORM = %r{<form\b([^<>]{0,2000})>(.{0,100000}?)</form\s{0,9}>}mi
        FIELD = /<(?:input|button)\b([^<>]{0,2000})>/mi
        ATTRIBUTE = /([\w:.-]{1,100})(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/

        # Where passwords are chosen, not asked for.
        CHOOSES = %r{/(?:passwords?|sign[_-]?up|register|registrations?|first_run|users/new)\b}i

        # Types of a field that may have the name of a user.
        NAMES = ["text", "email", "tel", "", nil].freeze

        # What a form that creates a user says of its password, and so do some login forms, against
        # browsers that fill them in (HTML, autofill).
        NEW_PASSWORD = "new-password"

        # Fields that a browser sends only if they were chosen.
        CHOSEN = %w[checkbox radio button reset file image].freeze

        # The first form with a password in the text of a page of this path, one that creates a user
        # only if there is no other; nil if there is none.
        #: (String, String) -> App::SignIn::Form?
        def self.find(text, path)
          forms = text.scan(FORM).filter_map do |own, content|
            fields = fields(content)
            next unless fields.one? { |field| password?(field) }

            new(action: action(attributes(own)["action"], path), fields:)
          end
          forms.min_by { |form| form.creates_user? ? 1 : 0 }
        end

        # Does the page of this path ask for a password that somebody has? Then it may be there in
        # place of another. JavaScript may send a field without a form.
        #: (String, String) -> bool
        def self.login?(text, path)
          form = find(text, path)
          return !form.creates_user? if form

          fields(text.gsub(FORM, "")).any? { |field| password?(field) }
        end

        def self.fields(text) = text.scan(FIELD).map { |(attributes)| attributes(attributes) }

        def self.attributes(text)
          text.scan(ATTRIBUTE).to_h do |name, *values|
            [name.downcase, CGI.unescapeHTML(values.compact.first.to_s)]
          end
        end

        # The path of an address, as seen from the page.
        def self.action(address, path)
          URI.join("http://localhost#{path}", address.to_s).request_uri
        rescue URI::Error
          path
        end

        def self.password?(field) = field["type"].to_s.casecmp?("password")
        private_class_method :fields, :attributes, :action, :password?

        # [name, value] of each field that a browser sends. The user's name goes into the last field
        # of text before the password.
        #: (String, String) -> Array[[String, String]]
        def filled(user, password)
          at = fields.index { |field| type(field) == "password" }
          name = fields.first(at).rindex { |field| NAMES.include?(type(field)) }
          pressed = fields.index { |field| type(field) == "submit" }
          fields.each_with_index.filter_map do |field, index|
            next unless field["name"] && sent?(field, index == pressed)

            [field["name"], { at => password, name => user }.fetch(index) { field["value"].to_s }]
          end
        end

        # Does it create a user, or a new password? Not if its address is one of a login.
        #: () -> bool
        def creates_user?
          return false if Redirect.login?(action)

          action.match?(CHOOSES) || fields.any? do |field|
            field["autocomplete"].to_s.downcase.split.include?(NEW_PASSWORD)
          end
        end

        private

        def type(field) = field["type"]&.downcase

        # Of several buttons the first one is pressed.
        def sent?(field, pressed)
          return pressed if type(field) == "submit"

          !CHOSEN.include?(type(field)) && !field.key?("disabled")
        end
      end
    end
  end
end
