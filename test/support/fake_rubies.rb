# frozen_string_literal: true

module Mohs
  # Stands in for Rubies: the same two methods, over a fixed list.
  class FakeRubies
    # A machine with four Rubies, one of which needs another Java.
    def self.usual
      new(ruby("2.7.4", flags: %w[--jit], source: "chruby"),
          ruby("3.1.2", flags: %w[--yjit --mjit]),
          ruby("3.4.5", flags: %w[--yjit --rjit], source: "chruby"),
          ruby("jruby-9.4.14.0", engine: "jruby", version: "9.4.14.0", language: "3.1.4",
                                 flags: %w[--dev], source: "chruby"),
          ruby("jruby-10.0.2.0", engine: "jruby", version: "", language: "", state: :broken,
                                 reason: Reason.parse("needs Java 21, found 17")))
    end

    def self.ruby(name, **facts)
      Rubies::Ruby.new(name:, path: "/rubies/#{name}/bin/ruby", engine: "ruby", version: name,
                       language: name, flags: [], state: :ok, source: "path",
                       description: "ruby #{name}", **facts)
    end

    # `asked`: those that first have to be asked what they are.
    def initialize(*rubies, asked: [])
      @rubies = rubies
      @asked = asked
    end

    def all(&progress)
      @asked.each(&progress)
      @rubies
    end

    def find(spec)
      all.find { |ruby| [ruby.name, ruby.path].include?(spec) } ||
        all.find { |ruby| ruby.name.start_with?(spec) } ||
        raise(UsageError, "no Ruby #{spec.inspect} found on this machine.")
    end
  end
end
