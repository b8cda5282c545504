# frozen_string_literal: true

require "rbconfig"

module Mohs
  # What Trial::ServiceData uses of a Trial::Setup: which services, for an application that has a
  # database "mohs" and another, and a task (Ruby) that prepares them, if it has one; `own`: that is
  # a command of the user's; `dir`: the folder of the application; `ruby`: which runs it.
  class ServiceSetup < Struct.new(:services, :tcp, :task, :own, :budget_s, :dir, :ruby,
                                  keyword_init: true)
    #: () -> App
    def app = App.new(name: "shop", dir: dir || "/srv/shop")

    #: () -> Array[String]
    def databases = %w[mohs mohs_cache]

    #: () -> bool
    def tcp? = !!tcp

    #: () -> bool
    def prepares? = !task.nil?

    #: () -> bool
    def creates_databases? = prepares? && !own
    def prepared_by = own ? "--prepare" : "db:prepare"

    #: (Reason?) -> Reason?
    def complete(reason) = reason

    # A Ruby that runs the task; the variables of its services lead it to its data.
    #: (String, Hash[String, String]) -> Process::Command
    def preparation(_folder, env)
      Process::Command.new(argv: [RbConfig.ruby, "-e", task, "db:prepare"], env:)
    end
  end
end
