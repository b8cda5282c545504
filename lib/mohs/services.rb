# frozen_string_literal: true

module Mohs
  # What an application needs besides its server: databases. Each member describes, as data, how to
  # start a private instance from installed programs. Nothing here starts one (Trial::PrivateService
  # does).
  module Services
    extend Family
    family "service", folder: File.join(__dir__, "services"), list: "mohs docs services"

    # Where an instance runs: `folder`, its own folder, which contains its unix socket; `port` on
    # loopback, if it is to be reached by TCP (nil: only by the socket); `password` for TCP, because
    # any user of the machine may connect; `account`, the user that it runs as (Etc::Passwd; nil:
    # the current user); `scheme`, that of the application's addresses (nil: the service's own).
    Place = Struct.new(:folder, :port, :password, :account, :scheme, keyword_init: true)

    # The databases that an application with these gems has a client for; all if that is unknown:
    # PostgreSQL, which more Rails applications use, before MySQL.
    #: (?Array[String]) -> Array[singleton(Services::Base)]
    def self.databases(gems = [])
      all = offered.select { |member| member::DATABASES }.sort_by(&:label).reverse
      able = all.select { |member| member.client?(gems) }
      able.any? ? able : all
    end
  end
end
