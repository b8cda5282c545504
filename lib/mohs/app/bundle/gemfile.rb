# frozen_string_literal: true

module Mohs
  class App
    class Bundle
      # The Gemfile of a bundle: evaluates the application's own in its place, so that its path:,
      # gemspec and git: gems keep their meaning, and adds the server's gems.
      module Gemfile
        # Overrides a method of the Gemfile's DSL object, so that nested eval_gemfile and `gemspec`
        # use it too.
        HEAD = <<~RUBY
          # Made by mohs; changes are lost. The Gemfile may require another Ruby than this one,
          # which is what is measured.
          def ruby(*)
          end

        RUBY

        # The server needs its gem even if the Gemfile declares it in a group that production leaves
        # out. The version declared for that gem stays; other gems are limited to versions that the
        # server accepts. No requirement is added twice: a lock lists it once, so Bundler would
        # think that the Gemfile has changed.
        TAIL = <<~RUBY
          server_gems.each do |name, requirements|
            declared = dependencies.find { |dependency| dependency.name == name }
            next gem(name, *requirements) unless declared

            declared.groups.push(:default).uniq!
            next if name == server_gems.keys.first

            declared.requirement.concat(requirements - declared.requirement.as_list)
          end
        RUBY

        # Replaces gems for which this engine needs a substitute. An application can declare the
        # substitute itself only if it is meant for that engine too.
        SUBSTITUTE = <<~RUBY
          substitutes.each do |name, (instead, requirement)|
            declared = dependencies.find do |dependency|
              dependency.name == name && dependency.should_include?
            end
            next unless declared

            dependencies.delete(declared)
            next if dependencies.any? { |dependency| dependency.name == instead }

            gem(instead, requirement, group: declared.groups)
          end
        RUBY

        # For gems that are dependencies of others, and for those that the application itself
        # declares.
        LIMIT = <<~RUBY
          limits.each do |name, requirement|
            declared = dependencies.find { |dependency| dependency.name == name }
            next gem(name, requirement, require: false) unless declared

            declared.requirement.concat([requirement] - declared.requirement.as_list)
          end
        RUBY

        ALONE = "source \"https://rubygems.org\"\ngem \"rack\"\n"

        # `path`: the application's Gemfile, nil if it has none; `substitutes` { gem => [substitute,
        # requirement] } and `limits` { gem => requirement } of the engine.
        #: (String?, Hash[String, String], ?substitutes: Hash[String, [String, String]], ?limits: Hash[String, String]) -> String
        def self.compose(path, server_gems, substitutes: {}, limits: {})
          gems = server_gems.transform_values do |requirement|
            requirement.to_s.split(",").map(&:strip)
          end
          own = path ? "eval_gemfile #{path.dump}\n" : ALONE
          "#{HEAD}#{own}\nserver_gems = #{gems.inspect}\n#{TAIL}" \
            "#{engine('substitutes', substitutes, SUBSTITUTE)}#{engine('limits', limits, LIMIT)}"
        end

        def self.engine(name, gems, code)
          "\n#{name} = #{gems.inspect}\n#{code}" unless gems.empty?
        end
        private_class_method :engine

        # A note if the Gemfile requires a Ruby other than this one, or has a line that only Ruby
        # can evaluate; else nil. requirements: the application's.
        #: (String, Rubies::Ruby, Array[App::RubyRequirement]) -> App::Note?
        def self.note(text, ruby, requirements)
          line = text[RubyRequirement::DIRECTIVE, 1] or return
          own = requirements.find { |one| one.file == RubyRequirement::FILE }
          return if own&.allows?(ruby)

          Note.of("ruby_line_ignored", line:)
        end
      end
    end
  end
end
