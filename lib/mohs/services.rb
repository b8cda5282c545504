# frozen_string_literal: true

module Mohs
  # What an application needs beside its server: databases. Each member says, as data, how a private
  # instance is started from installed programs. Nothing here starts one (Trial::PrivateService
  # does).
  module Services
    extend Family
    family "service", folder: File.join(__dir__, "services"), list: "mohs docs services"

    # Where an instance lives: `folder` its own, in which its unix socket is; `port` on loopback, if
    # it is to be reached by TCP (nil: by the socket alone); `password` that TCP asks for, because
    # any user of the machine may connect; `account` the user that it runs as (Etc::Passwd; nil:
    # ourselves).
    Place = Struct.new(:folder, :port, :password, :account, keyword_init: true)
  end
end
