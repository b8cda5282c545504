# frozen_string_literal: true

# The probe job of Litejob's own API.
class MohsLitejob
  # @rbs skip
  include ::Litejob
  extend MohsJobs::Own

  def perform(path, number)
    MohsJobs.ran(path, number)
  end
end
