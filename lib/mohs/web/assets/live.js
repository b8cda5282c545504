"use strict";
(function () {
  var live = document.getElementById("live-table");
  if (!live || !window.EventSource) { return; }

  var source = new EventSource(live.getAttribute("data-events"));
  var progress = document.getElementById("live-progress");

  // Texts of others go in as text: nothing here is ever read as markup.
  function cell(row, text, at, head) {
    var one = document.createElement(head || at === 0 ? "th" : "td");
    one.textContent = text;
    if (head || at === 0) { one.scope = head ? "col" : "row"; }
    if (at > 0) { one.className = "n"; }
    row.appendChild(one);
  }

  function table(cells) {
    var whole = document.createElement("table");
    var head = whole.createTHead().insertRow();
    var body = whole.createTBody();
    whole.createCaption().textContent = "Variants";
    cells[0].forEach(function (text, at) { cell(head, text, at, true); });
    cells.slice(1).forEach(function (texts) {
      var row = body.insertRow();
      texts.forEach(function (text, at) { cell(row, text, at, false); });
    });
    var scroll = document.createElement("div");
    scroll.className = "scroll";
    scroll.tabIndex = 0;
    scroll.appendChild(whole);
    return scroll;
  }

  source.addEventListener("rows", function (event) {
    var said = JSON.parse(event.data);
    document.getElementById("live-sentence").textContent = said.sentence;
    progress.textContent = said.progress;
    if (said.cells.length > 1) { live.replaceChildren(table(said.cells)); }
  });
  source.addEventListener("end", function () {
    source.close();
    window.location.reload();
  });
  source.addEventListener("error", function () {
    if (source.readyState === EventSource.CLOSED) {
      progress.textContent = "No more news from mohs web. Load the page again.";
    }
  });
}());
