# frozen_string_literal: true

require "test_helper"

# To what part of a server's work a frame belongs.
class ProfileCategoryTest < Mohs::TestCase
  GEMS = "/cache/gems/3.1.2/ruby/3.1.0/gems"
  PATHS = {
    "#{GEMS}/activerecord-7.1.3/lib/active_record/relation.rb" => "ActiveRecord",
    "#{GEMS}/sqlite3-1.7.3-x86_64-linux/lib/sqlite3/statement.rb" => "ActiveRecord",
    "#{GEMS}/activesupport-7.1.3/lib/active_support/json/encoding.rb" => "JSON",
    "#{GEMS}/json-2.7.1/lib/json/common.rb" => "JSON",
    "/usr/lib/ruby/3.1.0/json/common.rb" => "JSON",
    "#{GEMS}/actionview-7.1.3/lib/action_view/template.rb" => "views",
    "/srv/shop/app/views/posts/show.html.erb" => "views",
    "#{GEMS}/actionpack-7.1.3/lib/action_dispatch/journey/router.rb" => "routing",
    "#{GEMS}/actionpack-7.1.3/lib/action_controller/metal.rb" => "rest",
    "#{GEMS}/activesupport-7.1.3/lib/active_support/callbacks.rb" => "rest",
    "#{GEMS}/puma-6.4.2/lib/puma/server.rb" => "server",
    "#{GEMS}/nio4r-2.7.5/lib/nio/selector.rb" => "server",
    "/srv/shop/config.ru" => "application", "config.ru" => "application",
    "org/jruby/RubyArray.java" => nil, "" => nil, "(eval at x)" => nil,
    "/srv/shop/lib/price.rb" => "application",
    "/usr/lib/ruby/3.1.0/set.rb" => nil, "<cfunc>" => nil, "<internal:kernel>" => nil,
    "/opt/rubies/jruby-9.4.14.0/lib/ruby/stdlib/uri.rb" => nil,
    "#{File.dirname(GEMS)}/bin/puma" => nil,
    "/usr/lib/ruby/vendor_ruby/phusion_passenger/request_handler.rb" => "server",
    "/usr/lib/ruby/vendor_ruby/puma/server.rb" => "server",
    "/usr/lib/ruby/vendor_ruby/oj.rb" => "JSON",
    "/usr/lib/ruby/vendor_ruby/rubygems/version.rb" => nil,
    "/srv/shop/bin/work" => "application", "/srv/shop/lib/ruby/price.rb" => "application",
    "/srv/shop/gems/stock-1.0/lib/stock.rb" => "application",
    "/srv/shop/lib/json/rows.rb" => "application",
    "/srv/shop/vendor/bundle/ruby/3.1.0/gems/pg-1.5.6/lib/pg.rb" => "ActiveRecord",
  }.freeze

  def category
    @category ||= Mohs::Profile::Category.new(servers: %w[puma unicorn], app: "/srv/shop")
  end

  def frame(path, name = "call") = Mohs::Profile::Frame.new(name, path, 1)

  def stack(*paths) = paths.map { |path| frame(path) }

  PATHS.each do |path, expected|
    test "a frame in #{path} is of #{expected || 'its caller'}" do
      assert_equal [expected], [category.of(frame(path))]
    end
  end

  test "an application may lie where Ruby or gems do" do
    %w[/home/one/gems/shop-2.0 /srv/lib/ruby/shop].each do |app|
      category = Mohs::Profile::Category.new(servers: %w[puma], app:)
      assert_equal "application", category.of(frame("#{app}/models/price.rb"))
    end
  end

  test "collections are, whatever file they are in" do
    %w[(garbage\ collection) (marking) (sweeping)].each do |name|
      assert_equal "GC", category.of(frame("", name))
    end
  end

  test "a method of Ruby belongs to the one that called it" do
    assert_equal "application", category.of_stack(stack("#{GEMS}/puma-6.4.2/lib/puma/server.rb",
                                                        "/srv/shop/config.ru", "<cfunc>"))
    assert_equal "rest", category.of_stack(stack("<cfunc>"))
  end

  test "every category of a frame is one of those that claims may name" do
    given = [*Mohs::Profile::Category::GEMS.values, *Mohs::Profile::Category::WITHIN.values,
             category.of(frame("", "(marking)")), category.of_stack(stack("/srv/shop/config.ru")),
             category.of_stack(stack("<cfunc>"))]

    assert_equal Mohs::Profile::Category::NAMES.sort, given.uniq.sort
  end

  test "a thread waits in a request if the server called somebody who waits" do
    server = "#{GEMS}/puma-6.4.2/lib/puma/thread_pool.rb"
    assert category.in_request?(stack(server, "/srv/shop/config.ru", "<cfunc>"))
    refute category.in_request?(stack(server, "<cfunc>")), "it waits for the next request"
    refute category.in_request?(stack("/srv/shop/lib/own_thread.rb", "<cfunc>"))
    refute category.in_request?(stack("<cfunc>"))
  end
end
