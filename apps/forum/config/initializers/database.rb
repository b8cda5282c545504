# frozen_string_literal: true

Forum::Database.prepare
