# frozen_string_literal: true

require "test_helper"

class CLIFrontListTest < Mohs::TestCase
  include Mohs::CLIHelper

  FrontList = Mohs::CLI::FrontList

  # A family with one member, whose program is not there.
  module Missing
    class Caddy < Mohs::Fronts::Base
      PROGRAMS = ["/no/such/caddy"].freeze
    end

    def self.all = [Caddy]
  end

  test "fronts are those that people can name, each with where it comes from" do
    thruster = FrontList.documents.find { |front| front[:name] == "thruster" }

    assert_equal %w[nginx thruster], FrontList.documents.map { |front| front[:name] }
    assert_equal({ name: "thruster", state: "ok", reason: nil, program: nil, gem: "thruster",
                   unix: false }, thruster)
    assert_equal <<~TEXT, "\n#{FrontList.table([thruster]).strip}\n"

      in front  connects by  comes from
      thruster  tcp          gem thruster
    TEXT
  end

  test "one that is not installed says what to install" do
    documents = FrontList.documents(fronts: Missing)

    assert_equal ["refused", "caddy is not installed: apt-get install caddy"],
                 documents.first.values_at(:state, :reason)
    assert_match(/^caddy +tcp, unix +caddy is not installed/, FrontList.table(documents))
  end

  test "mohs servers ends with them" do
    assert_match(/^thruster +tcp +gem thruster\n\z/, mohs("servers").out)
  end
end
