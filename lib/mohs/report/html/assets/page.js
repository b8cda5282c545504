"use strict";
(function () {
  function each(selector, within, call) {
    Array.prototype.forEach.call(within.querySelectorAll(selector), call);
  }

  var told = false;

  // What the pointer, or the arrow keys, are at is read out below the picture.
  each(".picture", document, function (picture) {
    var svg = picture.querySelector("svg");
    var line = picture.querySelector(".readout");
    var marks = Array.prototype.slice.call(svg.querySelectorAll(".m"));
    var here = -1;
    if (marks.length === 0) { return; }

    function show(at) {
      if (marks[here]) { marks[here].classList.remove("on"); }
      here = at;
      if (marks[here]) {
        marks[here].classList.add("on");
        line.textContent = marks[here].querySelector("title").textContent;
      }
    }

    function nearest(event) {
      var best = -1;
      var least = 1e9;
      marks.forEach(function (mark, at) {
        var box = mark.getBoundingClientRect();
        var far = Math.hypot(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
        if (least > far) { least = far; best = at; }
      });
      return 60 > least ? best : here;
    }

    if (!told) { line.textContent = "Point at a mark, or use the arrow keys, to read it."; }
    told = true;
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("pointermove", function (event) { show(nearest(event)); });
    svg.addEventListener("keydown", function (event) {
      var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step === undefined) { return; }
      event.preventDefault();
      show((here + step + marks.length) % marks.length);
    });
  });

  // A table is sorted by the column whose title is pressed, by values where cells have them.
  function value(row, at) {
    var cell = row.cells[at];
    var known = cell.getAttribute("data-v");
    return known === null ? cell.textContent : Number(known);
  }

  // What is not known stays below.
  function order(one, other, sign) {
    if (typeof one !== typeof other) { return typeof one === "number" ? -1 : 1; }
    if (typeof one === "number") { return sign * (one - other); }
    return sign * one.localeCompare(other, undefined, { numeric: true });
  }

  each("table", document, function (table) {
    var body = table.tBodies[0];
    if (3 > body.rows.length) { return; }
    each("thead th", table, function (head, at) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      if (head.textContent === "") { return; }
      head.textContent = "";
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        var rows = Array.prototype.slice.call(body.rows);
        each("thead th", table, function (one) { one.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        rows.sort(function (one, other) {
          return order(value(one, at), value(other, at), down ? -1 : 1);
        });
        rows.forEach(function (row) { body.appendChild(row); });
      });
    });
  });

  // On paper everything is open.
  window.addEventListener("beforeprint", function () {
    each("details", document, function (one) { one.open = true; });
  });
}());
