# frozen_string_literal: true

module Mohs
  module Tune
    # Chooses the setting to recommend: the cheapest of those that are about as fast as the
    # fastest, or of those that serve a wanted rate. Pure.
    class Choice
      # Memory decides between settings that are otherwise alike if one needs less than this share
      # of the other's: a smaller difference may be chance.
      LESS_MEMORY = 0.9

      # What the queue's model may be off by makes more threads look better more often than fewer:
      # under a lock they delay each other's requests. So much of that error is credited to fewer
      # threads of as many processes. The pick then serves at most 2.4 % less than the best in the
      # four applications of benchmark/tune/queue_model.rb, and was the best of a page of Rails.
      # With all of it, it served 25 and 14 % less in two of the four; with none, 24 % less on the
      # page of Rails.
      CREDIT = 0.25

      # margin: how near to the fastest another setting is as good. wanted_per_s: requests a second
      # that have to be served, nil for as many as possible. present: the name of the present
      # setting. slots: called with a setting's name, returns how many requests it works on at the
      # same time. lead: called with the names of two settings, returns by how much the first serves
      # more, a Stats::Effect; nil if they were not compared. fewer_threads: called with two names,
      # returns whether the second has the same processes and fewer threads.
      #: (margin: Float, wanted_per_s: Numeric?, present: String, slots: ^(String) -> Numeric, lead: ^(String, String) -> Stats::Effect?, ?fewer_threads: ^(String, String) -> bool) -> void
      def initialize(margin:, wanted_per_s:, present:, slots:, lead:,
                     fewer_threads: ->(_, _) { false })
        @margin = margin
        @wanted_per_s = wanted_per_s
        @present = present
        @slots = slots
        @lead = lead
        @fewer_threads = fewer_threads
      end

      # settings: those that may be recommended, each with a rate. nil if there are none.
      #: (Array[Tune::Result::Setting]) -> Tune::Result::Setting?
      def call(settings)
        return fastest(settings) unless @wanted_per_s

        cheapest(settings.select { |one| enough?(one) }) ||
          cheapest(settings.select { |one| seems_enough?(one) }) || settings.max_by { rate(_1) }
      end

      # Does it serve the wanted rate within the limit? nil if that is unknown, or no rate is
      # wanted. One boot says nothing about others, and short searches find rates that are too
      # high.
      #: (Tune::Result::Setting) -> bool?
      def enough?(setting)
        known = setting.rate
        return unless @wanted_per_s && known
        return if known.count < Stats::Interval::FEWEST
        return false if known.value.zero?
        return unless known.low
        return (true unless setting.short) if known.low >= @wanted_per_s

        false if known.high && known.high < @wanted_per_s
      end

      # Would it be enough if its searches, each by itself, could be relied on? They were too
      # short, on too few boots, or differ too much.
      #: (Tune::Result::Setting) -> bool
      def seems_enough?(setting)
        return false unless @wanted_per_s && enough?(setting).nil?

        setting.lowest.to_f >= @wanted_per_s && !setting.rate.value.zero?
      end

      # Does the first need clearly less memory than the second? nil if unknown.
      #: (Tune::Result::Setting, Tune::Result::Setting) -> bool?
      def smaller?(one, other)
        one.memory.value < LESS_MEMORY * other.memory.value if one.memory && other.memory
      end

      # Sorted by memory, then by slots.
      #: (Array[Tune::Result::Setting]) -> Array[Tune::Result::Setting]
      def cheapest_first(settings)
        first = cheapest(settings) or return []
        [first, *cheapest_first(settings - [first])]
      end

      private

      # The cheapest of the fastest and those that are about as fast. The present setting stays if
      # it is one of these and no other needs clearly less memory: a change has to gain something.
      # A rate that is only a bound may be far higher.
      def fastest(settings)
        first = settings.max_by { |one| rate(one) }
        return first if first.nil? || first.bound

        near = settings.select { |one| one == first || near?(first, one) }
        pick = cheapest(near)
        present = near.find { |one| one.name == @present }
        present && near.none? { |one| smaller?(one, present) } ? present : pick
      end

      # By how much it serves less, together with the standard error of that, has to be within the
      # margin. Without the error, one of two settings that differ by 5 %, and whose rates vary as
      # much from boot to boot, would be chosen as the cheaper in 30 of 100 tunings. By the queue's
      # model it is the other way round: see CREDIT.
      def near?(fastest, setting)
        lead = @lead.call(fastest.name, setting.name) or return false
        credit = CREDIT * lead.bias if @fewer_threads.call(fastest.name, setting.name)
        error = lead.bias.zero? || credit.nil? ? lead.error : -credit
        lead.value + error <= Stats::Margin.log(@margin)
      end

      # Settings whose memory is known come first; of those that need about as little, the one
      # with the fewest slots.
      def cheapest(settings)
        known = settings.select(&:memory)
        smallest = known.min_by { |one| one.memory.value }
        same = smallest ? known.reject { |one| smaller?(smallest, one) } : settings
        same.min_by { |one| [@slots.call(one.name), -rate(one)] }
      end

      def rate(setting) = setting.rate&.value.to_f
    end
  end
end
