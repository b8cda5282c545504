# frozen_string_literal: true

module Mohs
  class App
    # Which framework an application uses, judged by the gems that it locks or requires.
    module Framework
      # Gem => the framework's name. The first one present decides: a Rails application may well
      # mount a Sinatra one. railties stands for Rails, of which only components may be used.
      GEMS = {
        "railties" => "Rails", "rails" => "Rails", "hanami" => "Hanami", "grape" => "Grape",
        "roda" => "Roda", "padrino-core" => "Padrino", "sinatra" => "Sinatra", "cuba" => "Cuba",
      }.freeze

      module_function

      # "Rails 7.2.1"; without the version if there is no lock and the Gemfile pins none; "Rack" if
      # nothing is known.
      #: (gemfile: String, lock: String) -> String
      def guess(gemfile:, lock:)
        GEMS.each do |gem, name|
          locked = lock[/^ {4}#{gem} \((\d[\w.]*)/, 1]
          return "#{name} #{locked}" if locked
        end
        GEMS.each do |gem, name|
          line = gemfile[/^\s*(?:gem|\w+\.add_dependency)[\s(]+["']#{gem}["'].*$/] or next
          return [name, pinned(line, gemfile)].compact.join(" ")
        end
        "Rack"
      end

      # The version that a line pins: in the line, or in a constant that it names (`gem "rails",
      # RAILS`).
      def pinned(line, gemfile)
        constant = line[/,\s*([A-Z]\w*)/, 1]
        line = gemfile[/^\s*#{constant}\s*=.*$/].to_s if constant
        line[/["']\s*(?:~>|=)?\s*(\d+(?:\.\w+)+)["']/, 1]
      end

      private_class_method :pinned
    end
  end
end
