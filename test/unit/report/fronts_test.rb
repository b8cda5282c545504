# frozen_string_literal: true

require "test_helper"

# What can stand in front of a server: the document and its table.
class FrontsReportTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  Model = Mohs::Report::FrontsModel

  # One whose program is not there.
  class Caddy < Mohs::Fronts::Base
    PROGRAMS = ["/no/such/caddy"].freeze
  end

  def table(fronts)
    style = Mohs::Report::Terminal::Style.new
    document = { servers: [], fronts: Model.documents(fronts) }
    Mohs::Report::Terminal::ServersScreen.new(document, style:).to_s
  end

  test "each says where it comes from" do
    assert_equal [{ name: "thruster", state: "ok", reason: nil, program: nil, gem: "thruster",
                    unix: false }], Model.documents([Mohs::Fronts::Thruster])
    assert_includes table([Mohs::Fronts::Thruster]), <<~TEXT

      in front  connects by  comes from
      thruster  tcp          gem thruster
    TEXT
  end

  test "one that is not installed says what to install" do
    assert_said(*Model.documents([Caddy]).first.values_at(:state, :reason))
    assert_match(/^caddy +tcp, unix +caddy is not installed/, table([Caddy]))
  end

  test "mohs servers ends with those that people can name" do
    output = mohs("servers")

    assert_match(/^nginx .*\nthruster +tcp +gem thruster\n\z/, output.out)
    refute_match(/^mock/, output.out)
  end
end
