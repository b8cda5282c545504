# frozen_string_literal: true

require "test_helper"
require_relative "../../rakelib/support/servers_page"

class ServersPageTest < Mohs::TestCase
  PAGE = File.read(Mohs::ServersPage::PAGE, encoding: "UTF-8")

  def made = PAGE.split(Mohs::ServersPage::BEGINNING).last.split(Mohs::ServersPage::ENDING).first

  test "the generated part of docs/servers.md names every server" do
    offered = Mohs::Servers.all.reject { |server| server::FOR_TESTS }.map(&:label)

    assert_empty(offered.reject { |name| made.match?(/^### #{name}$/) })
  end

  test "docs/servers.md is what rake docs:servers makes" do
    assert_equal Mohs::ServersPage.new(Mohs::ServersPage.document).in(PAGE), PAGE
  end

  test "the page is made from a document of mohs servers" do
    assert_empty Mohs::JSONContract.new("`servers`").faults(Mohs::ServersPage.document)
  end

  test "a server that the document lacks is on the page, as never tried" do
    page = Mohs::ServersPage.new({ mohs: "0", servers: [] }, servers: [Mohs::Servers::Unicorn])

    assert_includes page.to_s, "### unicorn\n\n- versions: never tried on the machine of this page"
  end
end
