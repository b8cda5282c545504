# frozen_string_literal: true

Rails.application.routes.draw do
  # ActionCable mounts itself at /cable.
  root to: ->(_env) { [200, { "content-type" => "text/plain" }, ["chat by #{Chat::ADAPTER}\n"]] }
end
