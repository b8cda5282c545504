# frozen_string_literal: true

module Mohs
  module Rubies
    # What a person means by "3.4.5", "ruby-3.4", "jruby", "/opt/rubies/jruby-10.0.2.0" or
    # "./miniruby".
    module Spec
      # The executable that `spec` is the path of, or that stands in the folder which it is the path
      # of; nil for a name.
      #: (String) -> String?
      def self.executable(spec)
        return nil unless spec.include?("/")

        path = File.expand_path(spec)
        path = File.join(path, "bin", "ruby") if File.directory?(path)
        return path if File.file?(path) && File.executable?(path)

        raise UsageError, "#{spec}: no executable file there, nor a folder with bin/ruby. " \
                          "Give the path of a Ruby."
      end

      # Of `rubies` the one named so, else the newest one whose name begins so; one that starts is
      # preferred.
      #: (String, Array[Ruby]) -> Ruby
      def self.pick(spec, rubies)
        wanted = spec.delete_prefix("ruby-")
        exact = rubies.find { |ruby| ruby.name == wanted }
        return exact if exact

        matches = rubies.select { |ruby| ruby.name.start_with?("#{wanted}.", "#{wanted}-") }
        matches = rubies.select { |ruby| ruby.engine == wanted } if wanted == Engines::REFERENCE
        matches.max_by { |ruby| [ruby.ok? ? 1 : 0, ruby.gem_version] } || raise(UsageError,
                                                                                unknown(spec,
                                                                                        rubies))
      end

      def self.unknown(spec, rubies)
        names = rubies.map(&:name)
        found = "Found: #{names.join(', ')}."
        found = "None was found: install one, or give the path of its executable." if names.empty?
        "#{spec.inspect} is no Ruby found on this machine. " \
          "#{Suggest.hint(spec, names, otherwise: found)} (mohs rubies)"
      end
      private_class_method :unknown
    end
  end
end
