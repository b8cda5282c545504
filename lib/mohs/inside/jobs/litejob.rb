# frozen_string_literal: true

# The probe job of Litejob's own API.
class MohsLitejob
  # @rbs skip
  include ::Litejob

  def self.mohs_adapter
    nil
  end

  def self.mohs_enqueue(path, number)
    perform_async(path, number)
  end

  def perform(path, number)
    MohsJobs.ran(path, number)
  end
end
