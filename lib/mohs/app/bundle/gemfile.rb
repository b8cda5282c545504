# frozen_string_literal: true

module Mohs
  class App
    class Bundle
      # The Gemfile of a bundle: the application's own, evaluated where it stands so that its path:,
      # gemspec and git: gems mean what they mean there, and the server's gems.
      module Gemfile
        # A method on the Gemfile's own DSL object: nested eval_gemfile and `gemspec` meet it too.
        HEAD = <<~RUBY
          # Made by mohs; changes are lost. The application's Ruby is not this one, perhaps: that is
          # what is measured.
          def ruby(*)
          end

        RUBY

        # Declared in a group that production leaves out, a gem must still be there for the server.
        TAIL = <<~RUBY
          server_gems.each do |name, requirements|
            declared = dependencies.find { |dependency| dependency.name == name }
            declared ? declared.groups.push(:default).uniq! : gem(name, *requirements)
          end
        RUBY

        ALONE = "source \"https://rubygems.org\"\ngem \"rack\"\n"

        # `ruby "3.4.5"`, `ruby "~> 3.2"`, `ruby file: ".ruby-version"`
        DIRECTIVE = /^\s*(ruby[\s(].*?)\s*(?:#.*)?$/
        REQUIREMENT = /\G[\s(]*["']([^"']+)["'],?/

        # `path` of the application's Gemfile, nil where it has none.
        #: (String?, Hash[String, String]) -> String
        def self.compose(path, server_gems)
          gems = server_gems.transform_values do |requirement|
            requirement.to_s.split(",").map(&:strip)
          end
          own = path ? "eval_gemfile #{path.dump}\n" : ALONE
          "#{HEAD}#{own}\nserver_gems = #{gems.inspect}\n#{TAIL}"
        end

        # What to tell the person whose Gemfile asks for another Ruby than this; nil where it does
        # not.
        #: (String, Ruby) -> String?
        def self.note(text, ruby)
          line = text[DIRECTIVE, 1]
          return nil if line.nil? || satisfied?(line, ruby.language)

          "the Gemfile's line `#{line}` is set aside: other Rubies are measured all the same"
        end

        def self.satisfied?(line, language)
          requirements = line.delete_prefix("ruby").scan(REQUIREMENT).flatten
          requirements.any? &&
            Gem::Requirement.new(requirements).satisfied_by?(Gem::Version.new(language))
        rescue ArgumentError
          false # a version that RubyGems cannot read
        end
        private_class_method :satisfied?
      end
    end
  end
end
