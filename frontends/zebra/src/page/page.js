"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { categories, order, clues, steps } = data;
  const byId = (id) => document.getElementById(id);
  const CELL = 26;

  // ---- The grid: rows and columns of category pairs, each pair once.
  const columns = order.slice(1);
  const rows = [order[0], ...order.slice(2).reverse()];
  const svgElement = (name, attributes, parent, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };
  const cellId = (c, v, d, w) => (c < d ? `cell-${c}-${v}-${d}-${w}` : `cell-${d}-${w}-${c}-${v}`);
  const cells = new Map();
  const labels = new Map();

  const measure = (texts) => {
    const context = document.createElement("canvas").getContext("2d");
    context.font = "13px system-ui, sans-serif";
    return Math.min(190, Math.max(...texts.map((text) => context.measureText(text).width)));
  };

  const clipped = (element, text) => {
    if (text.length > 26) {
      element.textContent = `${text.slice(0, 25)}…`;
      svgElement("title", {}, element, text);
    }
  };

  function draw() {
    const names = (list) => list.flatMap((c) => categories[c].values);
    const left = measure(names(rows)) + 34;
    const top = measure(names(columns)) + 34;
    const width = left + columns.reduce((sum, c) => sum + categories[c].values.length * CELL, 0) + 2;
    const height = top + rows.reduce((sum, c) => sum + categories[c].values.length * CELL, 0) + 2;
    // The rows' labels are a drawing of their own, which stays in sight when the grid is scrolled sideways.
    const smallest = Math.min(1, Math.max(340 / width, 0.77));
    const part = (from, to, attributes) => {
      const svg = svgElement("svg", { viewBox: `${from} 0 ${to - from} ${height}`, ...attributes });
      svg.style.flex = `${to - from} 1 0`;
      svg.style.maxWidth = `${(to - from) * 1.15}px`;
      svg.style.minWidth = `${(to - from) * smallest}px`;
      byId("board").append(svg);
      return svg;
    };
    const side = part(0, left, { id: "names", "aria-hidden": "true" });
    const svg = part(left, width, { role: "img", "aria-label": "Grid of ticks and crosses" });
    let x = left;
    for (const c of columns) {
      const size = categories[c].values.length;
      svgElement("text", { x: x + (size * CELL) / 2, y: 12, "text-anchor": "middle", class: "category" }, svg, categories[c].name);
      categories[c].values.forEach((name, v) => {
        const [at, bottom] = [x + v * CELL + CELL / 2 + 4.5, top - 6];
        const label = svgElement("text", { x: at, y: bottom, transform: `rotate(-90 ${at} ${bottom})` }, svg, name);
        clipped(label, name);
        labels.set(`${c}-${v}`, [...(labels.get(`${c}-${v}`) ?? []), label]);
      });
      x += size * CELL;
    }
    let y = top;
    rows.forEach((r, index) => {
      const size = categories[r].values.length;
      const middle = y + (size * CELL) / 2;
      svgElement("text", { x: 12, y: middle, "text-anchor": "middle", class: "category", transform: `rotate(-90 12 ${middle})` },
        side, categories[r].name);
      categories[r].values.forEach((name, v) => {
        const label = svgElement("text", { x: left - 7, y: y + v * CELL + CELL / 2 + 4.5, "text-anchor": "end" }, side, name);
        clipped(label, name);
        labels.set(`${r}-${v}`, [...(labels.get(`${r}-${v}`) ?? []), label]);
      });
      let start = left;
      for (const c of columns.slice(0, columns.length - index)) {
        block(svg, r, c, start, y);
        start += categories[c].values.length * CELL;
      }
      y += size * CELL;
    });
  }

  function block(svg, r, c, left, top) {
    const [height, width] = [categories[r].values.length, categories[c].values.length];
    for (let v = 0; v < height; v += 1) {
      for (let w = 0; w < width; w += 1) {
        const [x, y] = [left + w * CELL, top + v * CELL];
        const group = svgElement("g", { id: cellId(r, v, c, w) }, svg);
        svgElement("title", {}, group, `${categories[r].values[v]}, ${categories[c].values[w]}`);
        svgElement("rect", { x, y, width: CELL, height: CELL, class: "cell" }, group);
        const mark = svgElement("path", { class: "mark", d: "" }, group);
        cells.set(group.id, { group, mark, x, y });
      }
    }
    svgElement("rect", { x: left, y: top, width: width * CELL, height: height * CELL, class: "block" }, svg);
  }

  const tick = (x, y) => `M${x + 7} ${y + 14}l4.5 5l8 -11.5`;
  const cross = (x, y) => `M${x + 9} ${y + 9}l8 8m0 -8l-8 8`;

  function show(fact, ...classes) {
    if (fact.length < 5) return;
    const [c, v, d, w, holds] = fact;
    const cell = cells.get(cellId(c, v, d, w));
    cell.mark.setAttribute("d", holds ? tick(cell.x, cell.y) : cross(cell.x, cell.y));
    cell.group.classList.remove("yes", "no");
    cell.group.classList.add(holds ? "yes" : "no", ...classes);
  }

  // ---- What a step uses and finds, cases included.
  const inner = (step) => (step.case ? step.case.steps : []);
  const cluesOf = (step) => {
    const own = step.case ? step.case.end.clues : step.why.clues;
    return [...own, ...inner(step).flatMap(cluesOf)];
  };
  const premisesOf = (step) => {
    const own = step.case ? step.case.end.facts : step.why.facts;
    return [...own, ...inner(step).flatMap(premisesOf)];
  };
  const ghostsOf = (step) => (step.case ? [...step.case.facts, ...step.case.steps.flatMap((s) => [...s.facts, ...ghostsOf(s)])] : []);

  // ---- Words.
  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  function because(why, start) {
    const line = element("p");
    line.append(start, element("mark", "", why.by));
    if (why.as) line.append(", as ", why.as);
    line.append(".");
    return line;
  }
  function tell(step, parent) {
    parent.append(element("p", "found", `${step.words}.`));
    if (!step.case) {
      parent.append(because(step.why, "By "));
      return;
    }
    parent.append(element("p", "suppose", `Suppose ${step.case.words}. Then:`));
    const list = element("ol");
    for (const step_ of step.case.steps) {
      const item = element("li");
      tell(step_, item);
      list.append(item);
    }
    parent.append(list, because(step.case.end, "A contradiction with "));
  }

  // ---- One moment of the explanation.
  let now = 0;
  function known(count) {
    return [...data.given, ...steps.slice(0, count).flatMap((step) => step.facts)];
  }

  function go(to) {
    now = Math.max(0, Math.min(steps.length, to));
    for (const { group, mark } of cells.values()) {
      group.classList.remove("yes", "no", "new", "used", "guess", "ghost");
      mark.setAttribute("d", "");
    }
    const step = now > 0 ? steps[now - 1] : null;
    for (const fact of known(now > 0 ? now - 1 : 0)) show(fact);
    if (step) {
      ghostsOf(step).forEach((fact) => show(fact, "ghost"));
      const inside = new Set(ghostsOf(step).map((fact) => fact.slice(0, 4).join()));
      premisesOf(step).filter((fact) => !inside.has(fact.slice(0, 4).join())).forEach((fact) => show(fact, "used"));
      step.facts.forEach((fact) => {
        if (fact.length === 5) cells.get(cellId(...fact)).group.classList.remove("ghost");
        show(fact, "new");
      });
    }
    words(step);
    markClues(step);
    table(step);
    byId("count").textContent = now ? `Step ${now} of ${steps.length}` : `Start, ${steps.length} steps`;
    byId("slider").value = now;
    for (const id of ["first", "back"]) byId(id).disabled = now === 0;
    for (const id of ["last", "forward"]) byId(id).disabled = now === steps.length;
    [...byId("steps").children].forEach((item, index) => item.classList.toggle("now", index + 1 === now));
    reveal(step);
  }

  function words(step) {
    const box = byId("step");
    box.replaceChildren();
    box.scrollTop = 0;
    if (step) {
      tell(step, box);
      if (step.cost !== undefined) box.append(element("p", "cost", `Cost ${step.cost}.`));
    } else {
      box.append(element("p", "faint", "Use the arrow keys or the buttons to go through the steps."));
      if (data.given.length) box.append(element("p", "faint", `${data.given.length} facts are given.`));
    }
    if (now === steps.length) {
      const end = data.complete ? "The grid is filled." : "Nothing more follows: several grids are possible.";
      box.append(element("p", "faint", end));
    }
  }

  function markClues(step) {
    const used = new Set(step ? cluesOf(step) : []);
    const before = new Set(steps.slice(0, Math.max(0, now - 1)).flatMap(cluesOf));
    [...byId("clues").children].forEach((item, index) => {
      item.classList.toggle("used", used.has(index));
      item.classList.toggle("before", before.has(index) && !used.has(index));
    });
    for (const list of labels.values()) list.forEach((label) => label.classList.remove("hot"));
    for (const fact of step ? step.facts : []) {
      if (fact.length < 5) continue;
      for (const key of [`${fact[0]}-${fact[1]}`, `${fact[2]}-${fact[3]}`]) labels.get(key)?.forEach((label) => label.classList.add("hot"));
    }
  }

  function table(step) {
    const together = known(now).filter((fact) => fact.length === 5 && fact[4]);
    const partners = (c, v, d) => together.flatMap((f) => {
      if (f[0] === c && f[1] === v && f[2] === d) return [f[3]];
      return f[2] === c && f[3] === v && f[0] === d ? [f[1]] : [];
    });
    const fresh = (c, v, d) => Boolean(step?.facts.some((f) => f[4] && ((f[0] === c && f[1] === v && f[2] === d) || (f[2] === c && f[3] === v && f[0] === d))));
    const made = element("table");
    const head = element("tr");
    order.forEach((c) => head.append(element("th", "", categories[c].name)));
    made.append(head);
    categories[order[0]].values.forEach((name, v) => {
      const row = element("tr");
      row.append(element("th", "", name));
      for (const c of columns) {
        const found = partners(order[0], v, c).map((w) => categories[c].values[w]);
        row.append(element("td", fresh(order[0], v, c) ? "new" : "", found.join(", ")));
      }
      made.append(row);
    });
    byId("table").replaceChildren(made);
    byId("answers").replaceChildren(...data.questions.map(([text, c, d, w]) => {
      const found = (c === d ? [w] : partners(d, w, c)).map((v) => categories[c].values[v]);
      return element("li", "", `${text}${text.endsWith("?") ? "" : ":"} ${found.join(", ") || "…"}`);
    }));
  }

  /** Where the grid is larger than the window, the new facts come into view: beside the rows' labels, below the panel. */
  function reveal(step) {
    const board = byId("board");
    const fact = step?.facts.find((f) => f.length === 5);
    if (!fact) return;
    const at = cells.get(cellId(...fact)).group.getBoundingClientRect();
    const frame = board.getBoundingClientRect();
    const names = byId("names").getBoundingClientRect().width;
    if (board.scrollWidth > board.clientWidth && (at.left < frame.left + names || at.right > frame.right)) {
      board.scrollLeft += at.left - frame.left - names - (frame.width - names) / 2;
    }
    const ceiling = byId("panel").getBoundingClientRect().bottom;
    const narrow = window.matchMedia("(max-width: 900px)").matches;
    if (narrow && (at.top < ceiling || at.bottom > window.innerHeight)) {
      window.scrollBy(0, at.top - (ceiling + window.innerHeight) / 2);
    }
  }

  // ---- Start.
  draw();
  clues.forEach(({ name, text }) => {
    const item = element("li");
    item.append(element("span", "name", name), element("span", "", text));
    byId("clues").append(item);
  });
  steps.forEach((step, index) => {
    const button = element("button", "", step.words);
    button.type = "button";
    button.addEventListener("click", () => {
      go(index + 1);
      byId("panel").scrollIntoView({ block: "nearest" });
    });
    const item = element("li");
    item.append(button);
    byId("steps").append(item);
  });
  byId("slider").max = steps.length;
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(now - 1));
  byId("forward").addEventListener("click", () => go(now + 1));
  byId("last").addEventListener("click", () => go(steps.length));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: steps.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  const asked = Number(new URLSearchParams(location.hash.slice(1)).get("step"));
  go(Number.isInteger(asked) ? asked : 0);
})();
