# frozen_string_literal: true

module Mohs
  # What every family (servers, drivers, finders, ...) has in common: a folder whose files are its
  # members, each named after its file, beside `base.rb`, which opens with the family's contract. A
  # file in that folder is a member by being there: it is loaded when its name is first used, and an
  # unknown name raises with the nearest spelling.
  #
  #     module Servers
  #       extend Family
  #       family "server", folder: File.join(__dir__, "servers"), list: "mohs servers"
  #     end
  #     Servers.fetch("puma")   #=> Mohs::Servers::Puma
  module Family
    # Extends the base class of members.
    module Member
      # The name by which the member is fetched: that of its file.
      #: () -> String
      def label
        name.split("::").last.gsub(/(?<=[a-z\d])[A-Z]/) { |letter| "_#{letter}" }.downcase
      end
    end

    # Declares the family. noun: what messages call a member. folder: where the members' files are.
    # list: the command or document that lists them.
    #: (String, folder: String, list: String) -> void
    def family(noun, folder:, list:)
      @noun = noun
      @folder = folder
      @list = list
    end

    # Members' names in alphabetical order.
    #: () -> Array[String]
    def names
      @names ||= Dir.children(@folder).grep(/\.rb\z/).sort
                    .map { |file| File.basename(file, ".rb") } - ["base"]
    end

    #: (String) -> bool
    def known?(name) = names.include?(name.to_s)

    # The class of the member `name`. Raises UsageError with the nearest spelling, or the whole
    # list.
    #: (String) -> Class
    def fetch(name)
      raise UsageError, unknown(name.to_s) unless known?(name)

      const_get(name.to_s.split("_").map(&:capitalize).join)
    end

    # Every member's class.
    #: () -> Array[Class]
    def all = names.map { |name| fetch(name) }

    # The members meant for people: those that don't declare FOR_TESTS as true.
    #: () -> Array[Class]
    def offered = all.reject { |member| member::FOR_TESTS }

    private

    def unknown(name)
      "unknown #{@noun} #{name.inspect}. #{Suggest.hint(name, for_people)} (#{@list})"
    end

    # Not every family declares FOR_TESTS.
    def for_people
      names.reject do |name|
        member = fetch(name)
        member.const_defined?(:FOR_TESTS) && member::FOR_TESTS
      end
    end
  end
end
