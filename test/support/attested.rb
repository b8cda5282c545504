# frozen_string_literal: true

module Mohs
  # What a server attests, for tests of settings. `mock` needs no gems on any Ruby.
  module Attested
    # Yields a trial that has booted and was asked for its settings.
    def attested(ruby = RbConfig.ruby, **options)
      MockTrial.with(ruby:, **options) do |trial|
        trial.boot
        trial.attest
        trial.check
        yield trial.attested
      end
    end

    # The error that ends such a trial.
    def refused(ruby = RbConfig.ruby, **options)
      assert_raises(TrialError) { attested(ruby, **options) { flunk "it is attested" } }
    end
  end
end
