# frozen_string_literal: true

# Work for the processor by parameter: /?count=N sums the first N primes by trial division. No I/O
# and little garbage. By default a request costs a slow core about 115 us under Puma and an
# interpreter without a JIT: a small JSON endpoint.
module Primes
  DEFAULT = 42
  MOST = 100_000 # a slip of the keyboard must not take a minute

  def self.sum(count)
    primes = []
    number = 1
    while primes.size < count
      number += 1
      primes << number unless composite?(number, primes)
    end
    primes.sum
  end

  def self.composite?(number, primes)
    root = Integer.sqrt(number)
    primes.each do |prime|
      return false if prime > root
      return true if (number % prime).zero?
    end
    false
  end

  def self.count(query)
    asked = query[/(?:\A|&)count=(\d{1,9})(?:&|\z)/, 1]
    asked ? [asked.to_i, MOST].min : DEFAULT
  end

  def self.call(env)
    body = "#{sum(count(env['QUERY_STRING'].to_s))}\n"
    [200, { "content-type" => "text/plain", "content-length" => body.bytesize.to_s }, [body]]
  end
end

run Primes
