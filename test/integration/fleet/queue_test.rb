# frozen_string_literal: true

require "test_helper"
require "support/postgres"

# The jobs of several runs in one database.
class FleetQueueTest < Mohs::TestCase
  # More than the server of the tests has room for locks of (max_locks_per_transaction).
  OTHERS = 20_000

  def setup
    skip Mohs::PostgresCluster.missing if Mohs::PostgresCluster.missing

    @url = Mohs::PostgresCluster.shared.empty_database
    @store = Mohs::Store.open(@url)
    @queue = Mohs::Fleet::Queue.new(@store)
  end

  def teardown = @store&.close

  def fill(numbers)
    @store.beside do |database|
      database.run <<~SQL
        INSERT INTO que_jobs (job_class, args, queue, job_schema_version)
        SELECT 'Mohs::Fleet::CohortJob', jsonb_build_array(number), 'fp_other', 2
        FROM generate_series(#{numbers.min}, #{numbers.max}) AS number
      SQL
    end
  end

  def left = @store.beside { |database| database[:que_jobs].count }

  test "the jobs of others are not locked to recall ours" do
    fill(1_000..(1_000 + OTHERS))
    @queue.submit([1, 2], queue: "host_a")
    before = left

    assert_equal [1, 2], @queue.recall([1, 2, 3]).sort
    assert_equal before - 2, left
  end

  test "very many jobs are recalled in parts" do
    ids = (1..OTHERS)
    fill(ids)
    worker = PG.connect(@url)
    worker.exec("SELECT pg_advisory_lock(id) FROM que_jobs WHERE args->>0 = '7'")

    assert_equal ids.to_a - [7], @queue.recall(ids.to_a).sort
    assert_equal 1, left
  ensure
    worker&.close
  end
end
