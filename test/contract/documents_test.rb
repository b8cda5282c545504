# frozen_string_literal: true

require "test_helper"

# The contract of --json over time: what was recorded by an earlier mohs (runs, comparisons and the
# steps of a bisection in a store, loads in their recordings, a host as the doctor saw it) gives the
# document that it gave then, but for texts and added keys.
class DocumentsTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::RecordedDocuments
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-others"

  LOADS, OTHERS = RECORDED.keys.sort.partition { |name| name.start_with?("load-") }
  RUNS = (OTHERS - %w[bisect doctor]).freeze

  # The cores of the recorded host vary against each other by more than 3 %, which was ok whatever
  # it was. Nothing else of it is judged otherwise.
  AGAINST = %r{\A/checks/correlation/(level|remedy): }

  # Figures that are others than recorded, and have to be: { document => { path => now } }.
  # - Slices are no longer adjusted for core speed where the driver had a core of its own (the runs,
  #   and the cohort in which each is alone: in a9e0 it no longer contradicts), or where a server
  #   had more than one (cec0): the driver's core is not the server's.
  # - Comparisons fit the adjustment on the cohorts that count, up to the look, in one layout.
  # - 8853 was decided at its third cohort, which three of the later ones changed again.
  # - A check that failed in several variants is one note (6bf5, b0fe, ...).
  # - A budget that ended before the first look says what would reach it, and one cohort has no
  #   effect (8850, e9b5).
  # - Intervals are wider by what the adjustment may be biased by, or not adjusted where they would
  #   be wider for it. Shares of failed requests are compared boot by boot.
  # - Percentiles are over all that fell due: a request without a right answer, which was in none,
  #   ranks after every other (load-errors).
  # MOHS_UPDATE_DOCUMENTS=1 writes them anew, to be looked at before they are kept.
  CHANGES = File.join(FOLDER, "changed.json")
  CHANGED = JSON.parse(File.read(CHANGES), symbolize_names: true)

  # Commits of the recorded bisection, from the good end to the bad one.
  LINE = %w[bb4febe ae89f6b fc9a475 6599408 eb83f42 c4100df].freeze

  test "at least twelve runs and comparisons, eight loads, a bisection and a doctor are recorded" do
    assert_operator RUNS.size, :>=, 12
    assert_operator LOADS.size, :>=, 8
    assert_equal %w[bisect doctor], OTHERS - RUNS
  end

  RUNS.each do |key|
    test "run #{key} is shown as it was recorded" do
      with_store do |store|
        assert_parity key, mohs("show", key, "--json", store: -> { store }).json
      end
    end
  end

  LOADS.each do |name|
    test "#{name} is shown as it was recorded" do
      file = File.join(FOLDER, "loads", "#{name.delete_prefix('load-')}.raw")

      assert_parity name, mohs("show", file, "--json").json
    end
  end

  test "the doctor judges a recorded host as it did" do
    seen = JSON.parse(File.read(File.join(FOLDER, "doctor.json")), symbolize_names: true)
    spins = seen[:spins].map { |spin| Mohs::Analysis::FixedWorkSample.new(**spin.except(:gaps)) }
    reader = Mohs::Doctor::Reader.new(root: File.join(FOLDER, "doctor"))
    found = Mohs::Analysis::Host.call(Mohs::Doctor::HostFacts.new(reader).call(**seen, spins:))

    document = json(Mohs::Report::DoctorModel.document(found, changes: nil, seconds: 3))

    assert_parity "doctor", document, but: AGAINST
    assert_equal %w[correlation warn], document[:checks][3].values_at(:name, :level)
  end

  test "a recorded bisection comes to its end again" do
    recorded = recorded("bisect")
    with_store do |store|
      steps = recorded[:steps].dup
      measure = lambda do |a, b, *|
        step = steps.shift
        assert_equal step.values_at(:a, :b), [a, b].map(&:name)
        Mohs::Analysis::Run.new(store.result(store.run(step[:run]).id))
      end
      result = Mohs::Bisect::Bisection.new(points: points(recorded), measure:).call

      invocation = Mohs::Typed.invocation("a", "b", command: "bisect")
      assert_parity "bisect", json(Mohs::Bisect::Document.document(result, invocation:)),
                    but: %r{\A(/steps/\d)?/seconds|\A/provenance}
    end
  end

  test "a store whose trials have a column that nothing reads is read all the same" do
    with_store do |store, file|
      columns = Sequel.sqlite(file) { |database| database[:trials].columns }

      assert_includes columns, :log_path
      refute_includes Mohs::Store::Trial.members, :log_path
      assert_predicate store.result(store.runs.first.id).trials, :any?
    end
  end

  test "the comparison of documents sees what is gone, changed, silent or of another length" do
    was = { a: 1, b: [1.0, 2], c: { text: "x" }, d: nil, reason: nil }
    same = { a: 1, b: [1.0 + 1e-15, 2], c: { text: "y" }, d: nil, reason: nil, e: 5 }
    other = { a: 2, b: [1.0], c: { text: "" }, reason: "why" }

    assert_empty Mohs::DocumentParity.differences(was, same)
    assert_equal ["/a: 2 in place of 1", "/b: 1 in place of 2", '/c/text: "" in place of "x"',
                  "/d: gone", '/reason: "why" in place of nil'],
                 Mohs::DocumentParity.differences(was, other)
  end

  test "self-checks are compared by name: one may be added, none may go or change" do
    was = { checks: [{ name: "counts", ok: true }, { name: "idle", ok: nil }] }
    added = { checks: [{ name: "apdex", ok: true }, *was[:checks]] }
    other = { checks: [{ name: "idle", ok: false }, { name: "apdex", ok: true }] }
    twice = { checks: [{ name: "counts", ok: true }] * 2 }

    assert_empty Mohs::DocumentParity.differences(was, added)
    assert_equal ["/checks/counts: gone", "/checks/idle/ok: false in place of nil"],
                 Mohs::DocumentParity.differences(was, other)
    assert_said(*Mohs::DocumentParity.differences(twice, { checks: twice[:checks].first(1) }))
  end

  test "what changed on purpose is compared with what it is now" do
    was = { a: [{ b: 1 }, 2], c: 3 }
    now = Mohs::DocumentParity.patch(was, { "/a/0/b": 5 })

    assert_equal [{ a: [{ b: 5 }, 2], c: 3 }, { a: [{ b: 1 }, 2], c: 3 }], [now, was]
    assert_equal 5, Mohs::DocumentParity.at(now, "/a/0/b")
    assert_raises(KeyError) { Mohs::DocumentParity.patch(was, { "/a/0/z": 5 }) }
  end

  private

  def json(document) = JSON.parse(JSON.generate(document), symbolize_names: true)

  # but: paths that are another with each run.
  def assert_parity(name, actual, but: nil)
    keep_changes(name, actual, but) if ENV["MOHS_UPDATE_DOCUMENTS"]
    changed = CHANGED.fetch(name.to_sym, {})
    expected = Mohs::DocumentParity.patch(recorded(name), changed)
    differences = Mohs::DocumentParity.differences(expected, actual)

    assert_empty(differences.reject { |text| but&.match?(text) })
  end

  def keep_changes(name, actual, but)
    found = Mohs::DocumentParity.differences(recorded(name), actual)
    paths = found.reject { |text| but&.match?(text) }.map { |text| text[/\A[^:]+/] }
    CHANGED[name.to_sym] = paths.to_h { |path| [path.to_sym, Mohs::DocumentParity.at(actual, path)] }
    CHANGED.delete(name.to_sym) if paths.empty?
    File.write(CHANGES, "#{JSON.pretty_generate(CHANGED.sort.to_h)}\n")
  end

  # The line of the bisection: what its document tells of its points, and the names of the others.
  def points(document)
    all = [*document.values_at(:good, :bad), *document[:suspects]]
    report = all.to_h { |one| [one[:name], one] }
    LINE.map do |name|
      Mohs::Bisect::Point.new(**(report[name] || { name:, id: name }), notation: nil)
    end
  end
end
