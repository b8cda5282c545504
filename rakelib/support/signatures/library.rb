# frozen_string_literal: true

require "rbs"

module Signatures
  # What the RBS files below `folders` say about the methods of a namespace.
  class Library
    # One method with a signature: `kind` is :instance, :singleton or :singleton_instance (of
    # `module_function`), `types` are its overloads.
    Entry = Struct.new(:owner, :name, :kind, :types, keyword_init: true) do
      #: () -> String
      def to_s = "#{owner}#{kind == :singleton ? '.' : '#'}#{name}"
    end

    attr_reader :builder

    #: (Array[String], ?libraries: Array[String]) -> void
    def initialize(folders, libraries: [])
      loader = RBS::EnvironmentLoader.new
      libraries.each { |name| loader.add(library: name, version: nil) }
      folders.each { |folder| loader.add(path: Pathname(folder)) }
      @environment = RBS::Environment.from_loader(loader).resolve_type_names
      @builder = RBS::DefinitionBuilder.new(env: @environment)
    end

    # The methods of `namespace` and below whose signature says anything: a signature of `untyped`
    # alone is what the generator writes for a method without one.
    #: (String) -> Array[Library::Entry]
    def entries(namespace)
      @environment.class_decls.flat_map do |name, declared|
        owner = name.to_s.delete_prefix("::")
        next [] unless owner == namespace || owner.start_with?("#{namespace}::")

        declared.decls.flat_map { |one| of(one.decl, owner) }
      end
    end

    private

    def of(declaration, owner)
      declaration.members.grep(RBS::AST::Members::MethodDefinition).filter_map do |member|
        types = member.overloads.map(&:method_type)
        next if types.all? { |type| silent?(type) }

        Entry.new(owner:, name: member.name, kind: member.kind, types:)
      end
    end

    def silent?(type) = type.block.nil? && type.each_type.all?(RBS::Types::Bases::Any)
  end
end
