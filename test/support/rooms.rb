# frozen_string_literal: true

require "ripper"

module Mohs
  # Which rooms (files and folders directly below lib/mohs, and the folders of its procedures/) name
  # constants of which others.
  # Constants are resolved as Ruby does, by the modules around a reference: `Servers` in the class
  # CLI is CLI::Servers if that exists.
  class Rooms
    ROOT = "Mohs"

    # { "room/file" => its path }
    attr_reader :paths

    # folder: such as lib/mohs. except: names of folders that are not part of the library.
    #: (String, ?except: Array[String]) -> void
    def initialize(folder, except: [])
      files = Dir[File.join(folder, "**/*.rb")]
      @paths = files.to_h { |file| [place(file.delete_prefix("#{folder}/")), file] }
      @paths.reject! { |path, _| except.include?(path[/[^\/]+/]) }
      @names = @paths.keys.to_h { |path| [path[/[^\/]+/].delete("_"), path[/[^\/]+/]] }
      @scans = @paths.transform_values { |file| Scan.new(Ripper.sexp(File.read(file))) }
      @defined = @scans.each_value.flat_map(&:definitions).to_set
    end

    #: () -> Array[String]
    def names = @names.values.sort

    # { [from, to] => [files of `from` that name `to`] }
    #: () -> Hash[[String, String], Array[String]]
    def edges
      @scans.each_with_object(Hash.new { |hash, key| hash[key] = [] }) do |(path, scan), all|
        from = path[/[^\/]+/]
        scan.references.filter_map { |nesting, name| room(nesting, name) }.uniq.each do |to|
          all[[from, to]] << path unless to == from
        end
      end
    end

    # Edges to a room that is above the one they come from. order: lowest first.
    #: (Array[String]) -> Hash[[String, String], Array[String]]
    def backwards(order)
      edges.select { |(from, to), _| order.index(to) > order.index(from) }
    end

    private

    # procedures/ is no namespace.
    def place(file) = file.delete_prefix("procedures/").delete_suffix(".rb")

    def room(nesting, name)
      full = nesting.size.downto(1).map { |size| [*nesting.first(size), *name].first(size + 1) }
                    .find { |parts| @defined.include?(parts.join("::")) }
      full = name if name.first == ROOT
      @names[full[1].downcase] if full && full.first == ROOT && full[1]
    end

    # One file's constants: those it defines, by their full names, and those it refers to.
    class Scan
      attr_reader :definitions, :references

      #: (Array[untyped]) -> void
      def initialize(sexp)
        @definitions = []
        @references = []
        walk(sexp, [])
      end

      private

      def walk(node, nesting)
        return unless node.is_a?(Array)

        case node.first
        when :module, :class then inside(node, nesting)
        when :assign then assignment(node, nesting)
        when :const_path_ref, :top_const_ref, :var_ref then reference(node, nesting)
        else node.each { |child| walk(child, nesting) }
        end
      end

      def inside(node, nesting)
        inner = nesting + path(node[1])
        @definitions << inner.join("::")
        walk(node[2], nesting) if node.first == :class
        walk(node.last, inner)
      end

      def assignment(node, nesting)
        field = node[1]
        name = field[1][1] if field.first == :var_field && field[1]&.first == :@const
        @definitions << [*nesting, name].join("::") if name
        name ? walk(node[2], nesting) : node.each { |child| walk(child, nesting) }
      end

      # In a path that starts with something else (`self.class::NAME`), only that part is looked
      # at.
      def reference(node, nesting)
        name = path(node)
        nesting = [] if rooted?(node)
        return @references << [nesting, name] if name
        return unless node.first == :const_path_ref

        walk(node[1], nesting)
      end

      # `::Process` is Ruby's own, whatever stands around it.
      def rooted?(node)
        node.first == :top_const_ref || (node.first == :const_path_ref && rooted?(node[1]))
      end

      def path(node)
        case node.first
        when :@const then [node[1]]
        when :const_ref, :top_const_ref, :var_ref then path(node[1]) if node[1].is_a?(Array)
        when :const_path_ref
          before = path(node[1])
          before && (before + path(node[2]))
        end
      end
    end
  end
end
