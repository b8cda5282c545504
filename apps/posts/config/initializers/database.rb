# frozen_string_literal: true

Posts::Database.prepare
