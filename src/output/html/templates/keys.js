// The marks of a picture are one stop of the Tab key: arrow keys go from mark to mark, and what a mark says is
// shown at the foot of the window, to a finger as well. Without this the page shows the same, and the table below
// each picture has its numbers.
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
  document.querySelectorAll("svg.chart, .picture").forEach(function (picture) {
    // A chart is one picture, and all rows of an encounter are one.
    if (picture.querySelector("svg.chart")) return;
    var marks = Array.from(picture.querySelectorAll("rect, .point, g[tabindex]")).filter(name);
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
    function left(mark) {
      return mark.getBoundingClientRect().left;
    }
    // The next one in the same column; where there is none, the next one.
    function along(at, step) {
      for (var to = at + step; marks[to]; to += step) {
        if (1 > Math.abs(left(marks[to]) - left(marks[at]))) return to;
      }
      return at + step;
    }
    var keys = {
      ArrowRight: function (at) { return at + 1; },
      ArrowLeft: function (at) { return at - 1; },
      ArrowDown: function (at) { return along(at, 1); },
      ArrowUp: function (at) { return along(at, -1); },
      Home: function () { return 0; },
      End: function () { return marks.length - 1; },
    };
    box.addEventListener("keydown", function (event) {
      var at = marks.indexOf(document.activeElement);
      var key = keys[event.key];
      if (event.key === "Escape") tell();
      if (at === -1 || !key || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      var to = marks[key(at)];
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
})();
