// SPDX-License-Identifier: Apache-2.0
// The page's own part: which instrument is shown, what of it, and how one gets about in time.
"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const plots = read("plots");
  const toggles = read("toggles");
  const chart = document.getElementById("chart");
  const told = document.getElementById("told");
  const instrument = document.getElementById("instrument");
  const theme = document.getElementById("theme");
  const wanted = matchMedia("(prefers-color-scheme: dark)");
  let shown = null;  // symbol, Bokeh's document, the price figure
  let fire = -1;     // row of the table that was gone to last

  const part = (symbol) => [...document.querySelectorAll(".of")].filter((one) => one.dataset.of === symbol);
  const rows = () => shown ? [...part(shown.symbol).flatMap((one) => [...one.querySelectorAll(".fires tbody tr")])] : [];

  async function show(symbol) {
    if (shown) shown.document.clear();
    chart.replaceChildren();
    fire = -1;
    told.textContent = "";
    await Bokeh.embed.embed_item(plots[symbol], chart);
    const document_ = Bokeh.documents[Bokeh.documents.length - 1];
    shown = {symbol, document: document_, price: document_.get_model_by_name("price"),
      overview: document_.get_model_by_name("overview"), whole: null};
    shown.whole = [shown.price.x_range.start, shown.price.x_range.end];
    for (const one of document.querySelectorAll(".of")) one.hidden = one.dataset.of !== symbol;
    for (const box of boxes()) toggle(box);
    paint();
    shown.price.x_range.on_change(["start", "end"].map((name) => shown.price.x_range.properties[name]), later);
    fit();
    const low_high = extremes(-Infinity, Infinity);
    Object.assign(shown.overview.y_range, padded(low_high));
    chart.dataset.ready = symbol;
  }

  // What is ticked.
  const boxes = () => part(shown.symbol).flatMap((one) => [...one.querySelectorAll("input[data-key]")]);
  function toggle(box) {
    for (const kind of ["near", "fires"]) {
      const chosen = shown.document.get_model_by_name(`${kind} shown`);
      if (!chosen) continue;
      const off = new Set(boxes().filter((one) => !one.checked).map((one) => one.dataset.key));
      chosen.booleans = shown.document.get_model_by_name(kind).data.number.map((number) => !off.has(`rule ${number}`));
    }
    for (const id of toggles[shown.symbol][box.dataset.key] || []) {
      const model = shown.document.get_model_by_id(id);
      if (model) model.visible = box.checked;
    }
  }

  // The price axis follows what is seen of prices and fires, and thresholds that are not far from it.
  let waiting = 0;
  function later() {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(fit);
  }
  function column(source, name) { return source.data[name] || []; }
  function seen(name) { return shown.price.renderers.filter((one) => one.visible && one.data_source.name.startsWith(name)); }
  function ticked(kind) { return shown.document.get_model_by_name(`${kind} shown`).booleans; }
  function extremes(start, end) {
    let low = Infinity, high = -Infinity;
    const take = (y) => { if (y < low) low = y; if (y > high) high = y; };
    const book = shown.document.get_model_by_name("book");
    const x = column(book, "x");
    let first = 0, last = x.length;
    while (first < x.length && x[first] < start) first++;
    while (last > first && x[last - 1] > end) last--;
    // Steps hold on: what was known at the left edge is in sight too.
    for (let at = Math.max(first - 1, 0); at < last; at++)
      for (const name of ["bid", "ask", "last"]) take(column(book, name)[at]);
    for (const one of seen("fires")) {
      const {x: xs, y: ys} = one.data_source.data, booleans = ticked("fires");
      for (let at = 0; at < xs.length; at++) if (booleans[at] && xs[at] >= start && xs[at] <= end) take(ys[at]);
    }
    return [low, high];
  }
  function padded([low, high]) {
    if (!(low <= high)) return {start: 0, end: 1};
    const room = (high - low) * 0.08 || Math.abs(high) * 0.001 || 1;
    return {start: low - room, end: high + room};
  }
  function fit() {
    const {start, end} = shown.price.x_range;
    let [low, high] = extremes(start, end);
    const reach = (high - low) * 0.6;
    const [floor, ceiling] = [low - reach, high + reach];
    const near = (y) => { if (y >= floor && y <= ceiling) { if (y < low) low = y; if (y > high) high = y; } };
    for (const one of [...seen("thresholds"), ...seen("trail"), ...seen("near")]) {
      const {x, x0, x1, y, goal} = one.data_source.data;
      const booleans = goal ? ticked("near") : null;
      for (let at = 0; at < y.length; at++)
        if ((!booleans || booleans[at]) && (x1 ? x1[at] : x[at]) >= start && (x0 ? x0[at] : x[at]) <= end) { near(y[at]); if (goal) near(goal[at]); }
    }
    shown.price.y_range.setv(padded([low, high]));
    for (const name of ["position", "result"]) {
      const figure = shown.document.get_model_by_name(name);
      if (!figure || !figure.y_range) continue;
      const data = shown.document.get_model_by_name("standing").data;
      let [least, most] = [0, 0];
      for (let at = 0; at < data.x.length; at++)
        if (data.x[at] <= end && (at + 1 === data.x.length || data.x[at + 1] >= start)) {
          least = Math.min(least, data[name][at]);
          most = Math.max(most, data[name][at]);
        }
      figure.y_range.setv(padded([least, most]));
    }
  }

  // What the book was under the pointer.
  const two = (number, digits = 2) => String(number).padStart(digits, "0");
  function clock(x) {
    const time = new Date(x);
    const seconds = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map((one) => two(one)).join(":");
    return `${seconds}.${two(time.getUTCMilliseconds(), 3)}`;
  }
  function lastAt(xs, x) {
    let low = 0, high = xs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (xs[middle] <= x) low = middle + 1; else high = middle;
    }
    return low - 1;
  }
  function readOut(event) {
    const view = shown && Bokeh.index.find_one(shown.price);
    if (!view) return;
    const box = view.canvas_view.el.getBoundingClientRect();
    const x = view.frame.x_scale.invert(event.clientX - box.x);
    const data = shown.document.get_model_by_name("book").data;
    const at = lastAt(data.x, x);
    const text = (name, from, row) => `${name} ${row < 0 || !(from[name][row] === from[name][row]) ? "unknown" : +from[name][row].toFixed(8)}`;
    const parts = [clock(x), ...["bid", "ask", "last"].map((name) => text(name, data, at))];
    const standing = shown.document.get_model_by_name("standing");
    if (standing) parts.push(...["position", "result"].map((name) => text(name, standing.data, lastAt(standing.data.x, x))));
    document.getElementById("book").textContent = parts.join("   ");
  }

  // Moving in time.
  function go(start, end) {
    const [left, right] = shown.whole;
    const width = Math.min(Math.max(end - start, 0.01), right - left);
    const from = Math.min(Math.max(start, left), right - width);
    shown.price.x_range.setv({start: from, end: from + width});
  }
  function move(how) {
    const {start, end} = shown.price.x_range;
    const width = end - start, middle = (start + end) / 2;
    if (how === "left") go(start - width / 4, end - width / 4);
    if (how === "right") go(start + width / 4, end + width / 4);
    if (how === "in") go(middle - width / 4, middle + width / 4);
    if (how === "out") go(middle - width, middle + width);
    if (how === "all") go(...shown.whole);
  }
  function goTo(row) {
    const {start, end} = shown.price.x_range;
    const [left, right] = shown.whole;
    const width = Math.min(end - start, (right - left) / 10);
    const x = Number(row.dataset.x);
    go(x - width / 2, x + width / 2);
    for (const one of document.querySelectorAll("tr.chosen")) one.classList.remove("chosen");
    row.classList.add("chosen");
    row.scrollIntoView({block: "nearest"});
    told.textContent = [...row.cells].map((cell) => cell.textContent.trim()).filter(Boolean).join(" · ");
  }
  function step(by) {
    const all = rows();
    if (!all.length) { told.textContent = "No rule fired."; return; }
    fire = fire < 0 ? (by > 0 ? 0 : all.length - 1) : (fire + by + all.length) % all.length;
    goTo(all[fire]);
  }

  // Light and dark.
  const dark = () => theme.value === "dark" || (theme.value === "auto" && wanted.matches);
  function paint() {
    document.documentElement.dataset.theme = dark() ? "dark" : "light";
    if (!shown) return;
    const style = getComputedStyle(document.documentElement);
    const [page, ink, soft, line] = ["--page", "--ink", "--soft", "--line"].map((name) => style.getPropertyValue(name).trim());
    for (const name of ["price", "position", "result", "overview"]) {
      const figure = shown.document.get_model_by_name(name);
      if (!figure || !figure.renderers) continue;
      figure.setv({background_fill_color: page, border_fill_color: page, border_line_color: page, outline_line_color: line});
      figure.title.text_color = soft;
      for (const axis of [...figure.below, ...figure.left])
        if (axis.major_label_text_color !== undefined)
          axis.setv({axis_label_text_color: soft, major_label_text_color: soft, axis_line_color: line,
            major_tick_line_color: line, minor_tick_line_color: line});
      for (const grid of figure.center) if (grid.grid_line_color !== undefined) grid.grid_line_color = line;
      for (const renderer of figure.renderers)
        if (renderer.glyph && renderer.glyph.tags.includes("ink")) renderer.glyph.line_color = ink;
    }
  }

  instrument.addEventListener("change", () => show(instrument.value));
  theme.addEventListener("change", paint);
  wanted.addEventListener("change", paint);
  document.addEventListener("change", (event) => {
    if (event.target.matches("input[data-key]")) { toggle(event.target); fit(); }
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !shown) return;
    if (button.dataset.move) move(button.dataset.move);
    if (button.dataset.fire) step(Number(button.dataset.fire));
    if (button.matches(".go")) {
      const row = button.closest("tr");
      fire = rows().indexOf(row);
      goTo(row);
    }
    if (button.dataset.all !== undefined) {
      for (const box of boxes().filter((one) => one.dataset.key.startsWith("rule"))) {
        box.checked = Boolean(button.dataset.all);
        toggle(box);
      }
      fit();
    }
  });
  chart.addEventListener("pointermove", readOut);
  const KEYS = {ArrowLeft: "left", ArrowRight: "right", "+": "in", "=": "in", "-": "out", "0": "all", Home: "all"};
  chart.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !shown) return;
    if (KEYS[event.key]) move(KEYS[event.key]);
    else if (event.key === "n" || event.key === "p") step(event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
  });
  paint();
  if (instrument.value) show(instrument.value);
})();
