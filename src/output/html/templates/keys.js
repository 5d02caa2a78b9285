// The marks of a picture are one stop of the Tab key: arrow keys go from mark to mark, and what a mark says is
// shown at the foot of the window, to a finger as well. Where a variant is switched off, the others close up. Without
// this the page shows the same, and the table below each picture has its numbers.
"use strict";
(function () {
  var told = document.createElement("p");
  told.className = "told";
  told.hidden = true;
  // What has the focus is read out by its own name.
  told.setAttribute("aria-hidden", "true");
  document.body.append(told);
  function name(mark) {
    var title = mark.querySelector(":scope > title");
    return title ? title.textContent : "";
  }
  function tell(mark) {
    told.textContent = mark ? name(mark) : "";
    told.hidden = !mark;
  }
  // A chart is one picture, and all rows of an encounter are one.
  document.querySelectorAll("svg.chart, .rows").forEach(function (picture) {
    var marks = Array.from(picture.querySelectorAll("rect, .point, .outline, g[tabindex]")).filter(name);
    if (!marks.length) return;
    // Inside of an image there is nothing to go to.
    if (picture.matches("svg")) picture.setAttribute("role", "group");
    // What is listened to for focus, some browsers let have it, if it is SVG: so its box is.
    var box = picture.closest(".picture");
    box.removeAttribute("tabindex");
    marks.forEach(function (mark, index) {
      mark.setAttribute("tabindex", index ? "-1" : "0");
      if (mark.hasAttribute("role")) return;
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", name(mark));
    });
    // A variant may be switched off.
    function shown() {
      return marks.filter(function (mark) { return mark.getClientRects().length; });
    }
    function left(mark) {
      return mark.getBoundingClientRect().left;
    }
    // The next one in the same column; where there is none, the next one.
    function along(all, at, step) {
      for (var to = at + step; all[to]; to += step) {
        if (1 > Math.abs(left(all[to]) - left(all[at]))) return to;
      }
      return at + step;
    }
    var keys = {
      ArrowRight: function (all, at) { return at + 1; },
      ArrowLeft: function (all, at) { return at - 1; },
      ArrowDown: function (all, at) { return along(all, at, 1); },
      ArrowUp: function (all, at) { return along(all, at, -1); },
      Home: function () { return 0; },
      End: function (all) { return all.length - 1; },
    };
    box.addEventListener("keydown", function (event) {
      var all = shown();
      var at = all.indexOf(document.activeElement);
      var key = keys[event.key];
      if (event.key === "Escape") tell();
      if (at === -1 || !key || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      var to = all[key(all, at)];
      if (to) to.focus();
    });
    box.addEventListener("focusin", function (event) {
      var mark = event.target;
      if (!marks.includes(mark)) return;
      marks.forEach(function (other) {
        other.setAttribute("tabindex", other === mark ? "0" : "-1");
      });
      tell(mark);
    });
    box.addEventListener("focusout", function () { tell(); });
    box.addEventListener("pointerup", function (event) {
      if (event.pointerType !== "touch" || !picture.contains(event.target)) return;
      tell(marks.find(function (mark) { return mark.contains(event.target); }));
    });
  });
  // Charts in which rows or panels of variants stand one below another: where each begins, and how high it is.
  var charts = Array.from(document.querySelectorAll("svg.chart")).filter(function (chart) {
    return chart.querySelector(":scope > g[data-at]");
  });
  function at(group) {
    return group.dataset.at.split(" ").map(Number);
  }
  function move(element, y, scale) {
    element.setAttribute("transform", "translate(0 " + y + ") scale(1 " + scale + ")");
  }
  function close(chart) {
    var size = chart.getAttribute("viewBox").split(" ").map(Number);
    var whole = Number(chart.dataset.height || size[3]);
    chart.dataset.height = whole;
    var all = Array.from(chart.children).filter(function (child) { return !child.matches("title, desc"); });
    var rows = all.filter(function (child) { return child.matches("g[data-at]"); });
    var on = rows.filter(function (row) { return getComputedStyle(row).display !== "none"; });
    // How much is gone above a height.
    function above(y) {
      return rows.reduce(function (sum, row) {
        return on.includes(row) || at(row)[0] >= y ? sum : sum + at(row)[1];
      }, 0);
    }
    all.forEach(function (child) {
      if (rows.includes(child)) return move(child, -above(at(child)[0]), 1);
      var box = child.getBBox();
      var up = above(box.y);
      if (box.height > 1) if (child.matches(".grid, .axis")) {
        // What goes down along rows becomes as much shorter.
        var scale = (box.height + up - above(box.y + box.height)) / box.height;
        return move(child, box.y * (1 - scale) - up, scale);
      }
      move(child, -up, 1);
    });
    chart.setAttribute("viewBox", [0, 0, size[2], Math.max(whole - above(whole), 20)].join(" "));
  }
  function closeAll() { charts.forEach(close); }
  document.querySelectorAll(".switches input").forEach(function (input) {
    input.addEventListener("change", closeAll);
  });
  closeAll();
  // A table of numbers is put in order by a column: by size, or by name. Once more, and the order is turned around.
  function number(cell) {
    return parseFloat(cell.replace("\u2212", "-").replace(/^[^\d-]/, ""));
  }
  document.querySelectorAll("table.sorts").forEach(function (table) {
    var heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", function () {
        var way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending");
        var rows = Array.from(table.tBodies[0].rows);
        function cell(row) { return row.cells[column].textContent; }
        rows.sort(function (one, other) {
          var sizes = number(cell(one)) - number(cell(other));
          return way * (isNaN(sizes) ? cell(one).localeCompare(cell(other)) : sizes);
        });
        table.tBodies[0].append.apply(table.tBodies[0], rows);
      });
    });
  });
})();
