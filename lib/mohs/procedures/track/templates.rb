# frozen_string_literal: true

module Mohs
  module Track
    # Templates of a history (Report::Render): its one-sentence answer.
    Templates = {
      "history_nothing" => "Nothing has been measured yet.",
      "history_short" => "%{points} so far: %{now}. It takes more to see a change.",
      "history_steady" => "No change in %{points} points: %{now}.",
      "history_unsure" => "No certain change in %{points} points; since a possible one, %{now}.",
      "history_changed" => "It changed %{range}: %{change}%{earlier}. Now %{now}.",
      "history_between" => "between %{from} and %{to}",
    }.freeze
  end
end
