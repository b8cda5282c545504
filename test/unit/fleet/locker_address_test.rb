# frozen_string_literal: true

require "test_helper"

class FleetLockerAddressTest < Mohs::TestCase
  Address = Mohs::Fleet::LockerAddress

  # Every character that a URL gives a meaning to, or that could end a piece.
  ODD = "p@ss:w/rd%20?#&=+ '\\\"\u00e9;[]".freeze

  # As Que::Locker#initialize takes a URL to pieces.
  def pieces(url)
    uri = URI.parse(url)
    opts = { host: uri.host, user: uri.user, password: uri.password, port: uri.port || 5432,
             dbname: uri.path[1..-1] }
    opts.merge!(Hash[uri.query.split("&").map { |s| s.split("=") }.map { |a, b| [a.to_sym, b] }])
  end

  test "the locker gets each parameter as it is" do
    parameters = { host: "/run/pg", port: 54, user: ODD, password: ODD, dbname: ODD,
                   options: "-c a=b -c c=d", keepalives: 1 }

    assert_equal parameters.transform_values(&:to_s), pieces(Address.of(parameters))
  end

  test "without a parameter there is none" do
    assert_equal({ host: nil, user: nil, password: nil, port: 5432, dbname: nil },
                 pieces(Address.of({})))
  end

  Session = Struct.new(:host, :port, :user, :pass, :db)

  # A store whose database has this session.
  def store(session)
    database = Object.new
    database.define_singleton_method(:synchronize) { |&block| block.call(session) }
    Object.new.tap { |one| one.define_singleton_method(:beside) { |&block| block.call(database) } }
  end

  test "what the URL does not say is as the store's session has it" do
    own = store(Session.new("/run/pg", 54, "ann", "s3cret", "lab"))

    assert_equal({ host: "/run/pg", port: "54", user: "ann", password: "s3cret", dbname: "other",
                   service: "x" }, pieces(Address.beside(own, { dbname: "other", service: "x" })))
  end
end
