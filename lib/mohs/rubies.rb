# frozen_string_literal: true

module Mohs
  # The interpreters found on this machine: who looks for them (Finders), what each is (Probe), how
  # it is started and what flags it may have (Engines), and how a person names one (find).
  module Rubies
    # Every Ruby found, those that don't start included with the reason. The first call asks each of
    # them (in parallel; the block is called with each as it answers), later ones read the cache and
    # take milliseconds.
    #: (?env: Hash[String, String], ?capture: _Call) ?{ (Ruby) -> void } -> Array[Ruby]
    def self.all(env: ENV.to_h, capture: nil, &progress)
      Inventory.new(env:, capture:).rubies(&progress)
    end

    # The one Ruby that `spec` means: its name, the beginning of one (the newest such), or a path to
    # an executable or to a Ruby's folder. One that does not start is returned too, as :broken: that
    # is the row's reason.
    #: (String, ?env: Hash[String, String], ?capture: _Call) -> Ruby
    def self.find(spec, env: ENV.to_h, capture: nil)
      inventory = Inventory.new(env:, capture:)
      path = Spec.executable(spec)
      path ? inventory.identify(path) : Spec.pick(spec, inventory.rubies)
    end
  end
end
