# frozen_string_literal: true

module Mohs
  class Study
    # Who signs in to each server, with the application's own form (App::SignIn).
    class Credentials < Struct.new(:user, :password, keyword_init: true)
      include Value

      # Parses "user:password". Raises UsageError, without the text.
      #: (String) -> Study::Credentials
      def self.parse(text)
        user, password = text.split(":", 2)
        raise UsageError, "write it as USER:PASSWORD" if
          [user, password].any? { |part| part.to_s.empty? }

        least = Secrets::Redaction::LEAST
        raise UsageError, "the password has fewer than #{least} characters: mohs could not mask " \
                          "it in logs and pages, where it would be part of other words" if
          password.length < least

        new(user:, password:)
      end

      # The same with the block's result in place of its password.
      #: () { (String) -> String } -> Study::Credentials
      def map_password = self.class.new(user:, password: yield(password))
    end
  end
end
