"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const holes = data.points.length;
  const pointOf = (hole) => data.points[hole - 1];
  const jumps = data.triples.flatMap(([a, b, c]) => [[a, b, c], [c, b, a]]);
  const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

  // A line of play is a start and the jumps from it; those from `own` on are the visitor's. Lines are never changed, so that to
  // undo is to go back to an older one.
  const plan = { start: pegsOf(data.start), jumps: data.jumps, own: Infinity };
  let line = plan;
  let at = 0;
  let selected = 0;
  let choices = [];
  let hint = "";
  let timer = 0;
  const past = [];

  function pegsOf(list) {
    const pegs = new Array(holes + 1).fill(false);
    list.forEach((hole) => { pegs[hole] = true; });
    return pegs;
  }

  function position() {
    const pegs = line.start.slice();
    for (const [from, over, to] of line.jumps.slice(0, at)) {
      pegs[from] = pegs[over] = false;
      pegs[to] = true;
    }
    return pegs;
  }

  const possible = (pegs) => jumps.filter(([from, over, to]) => pegs[from] && pegs[over] && !pegs[to]);
  const count = (pegs) => pegs.filter(Boolean).length;
  // A goal is certain positions, or a number of pegs, which may have to be stuck. Nobody can tell by looking whether fewer
  // pegs can be left.
  function reached(pegs) {
    const { ends, pegs: wanted, stuck } = data.goal;
    if (ends) return ends.some((end) => end.length === count(pegs) && end.every((hole) => pegs[hole]));
    return count(pegs) === wanted && !(stuck && possible(pegs).length > 0);
  }

  // The board.

  function svg(name, attributes, parent) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    if (parent) parent.append(node);
    return node;
  }

  // A curve of second degree through three holes, a straight line where they are in one. It may end before the last of them.
  function curve([a, b, c], before = 0) {
    const [p, q, r] = [pointOf(a), pointOf(b), pointOf(c)];
    const control = [0, 1].map((i) => 2 * q[i] - (p[i] + r[i]) / 2);
    const length = Math.hypot(r[0] - control[0], r[1] - control[1]);
    const end = [0, 1].map((i) => r[i] - before * (r[i] - control[i]) / length);
    return `M${p}Q${control} ${end}`;
  }

  const board = element("board");
  const right = Math.max(...data.points.map((point) => point[0]));
  const bottom = Math.max(...data.points.map((point) => point[1]));
  board.setAttribute("viewBox", `-0.6 -0.6 ${right + 1.2} ${bottom + 1.2}`);
  const marker = svg("marker", {
    id: "tip", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 0.36, markerHeight: 0.36,
    markerUnits: "userSpaceOnUse", orient: "auto",
  }, svg("defs", {}, board));
  svg("path", { id: "head", d: "M0 0.5L10 5L0 9.5z" }, marker);
  data.triples.forEach((triple) => svg("path", { class: "line", d: curve(triple) }, board));
  const groups = data.points.map(([x, y], index) => {
    const group = svg("g", { class: "hole", id: `hole-${index + 1}`, transform: `translate(${x} ${y})`, role: "button", tabindex: 0 }, board);
    svg("circle", { class: "rim", r: 0.4 }, group);
    svg("circle", { class: "peg", r: 0.37 }, group);
    svg("text", {}, group).textContent = index + 1;
    group.addEventListener("click", () => press(index + 1));
    return group;
  });
  const arrow = svg("path", { id: "arrow", "marker-end": "url(#tip)" }, board);

  // What one sees.

  function show() {
    const pegs = position();
    const next = possible(pegs);
    const last = at > 0 ? line.jumps[at - 1] : null;
    groups.forEach((group, index) => {
      const hole = index + 1;
      const of = (condition, name) => group.classList.toggle(name, Boolean(condition));
      of(pegs[hole], "has-peg");
      of(next.some(([from]) => from === hole), "movable");
      of(selected === hole, "selected");
      of(choices.some(([, over]) => over === hole), "choice");
      of(selected && next.some(([from, , to]) => from === selected && to === hole), "target");
      of(last && last[2] === hole && !selected, "came");
      group.setAttribute("aria-label", `hole ${hole}, ${pegs[hole] ? "peg" : "empty"}`);
    });
    // The arrow goes when a peg is chosen, for then it is the next jump that matters.
    arrow.setAttribute("d", last && !selected ? curve(last, 0.45) : "");
    element("slider").max = line.jumps.length;
    element("slider").value = at;
    element("slider").disabled = line.jumps.length === 0;
    element("first").disabled = element("back").disabled = at === 0;
    element("last").disabled = element("forward").disabled = at === line.jumps.length;
    element("toggle").disabled = line.jumps.length === 0;
    element("undo").disabled = past.length === 0;
    element("plan").disabled = line === plan;
    status(pegs, next, last);
    list();
  }

  function status(pegs, next, last) {
    const node = element("status");
    const left = plural(count(pegs), "peg");
    let text = last
      ? `Jump ${at} of ${line.jumps.length}: peg ${last[0]} jumps peg ${last[1]} into hole ${last[2]}. ${left} left.`
      : `${left} at the start.`;
    if (at > line.own) text = `Your own: ${text[0].toLowerCase()}${text.slice(1)}`;
    node.textContent = hint || text;
    if (hint) return;
    if (reached(pegs)) node.append(" ", Object.assign(document.createElement("strong"), { textContent: "The goal is reached." }));
    else if (next.length === 0) node.append(" No jump is possible.");
  }

  let listed = null;
  function list() {
    const node = element("jumps");
    if (listed !== line) {
      node.replaceChildren(...line.jumps.map(([from, , to], index) => {
        const button = document.createElement("button");
        button.textContent = `${from}→${to}`;
        button.classList.toggle("own", index >= line.own);
        button.addEventListener("click", () => { pause(); go(index + 1); });
        const item = document.createElement("li");
        item.append(button);
        return item;
      }));
      listed = line;
    }
    [...node.children].forEach((item, index) => {
      item.firstChild.classList.toggle("made", index < at);
      item.firstChild.classList.toggle("now", index === at - 1);
      if (index === at - 1 && node.scrollHeight > node.clientHeight) node.scrollTop = item.offsetTop - node.offsetTop - node.clientHeight / 2;
    });
  }

  // A jump in motion. What is true is shown already; this only hides it for a moment.
  function move([from, over, to]) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || !board.animate) return;
    const ghost = (hole, name) => {
      const node = svg("g", { class: `ghost ${name}` }, board);
      svg("circle", { class: "peg", r: 0.37 }, node);
      return node;
    };
    const translate = (hole) => { const [x, y] = pointOf(hole); return `translate(${x}px, ${y}px)`; };
    const time = Math.min(320, Number(element("speed").value) * 0.6);
    const target = groups[to - 1];
    const [gone, mover] = [ghost(over, "gone"), ghost(from, "moves")];
    target.classList.add("landing");
    gone.animate([{ transform: translate(over), opacity: 1 }, { transform: translate(over), opacity: 0 }], { duration: time, fill: "both" })
      .finished.catch(() => {}).finally(() => gone.remove());
    mover.animate([from, over, to].map((hole) => ({ transform: translate(hole) })), { duration: time, easing: "ease-in-out", fill: "both" })
      .finished.catch(() => {}).finally(() => { mover.remove(); target.classList.remove("landing"); });
  }

  function still() {
    board.querySelectorAll(".ghost").forEach((node) => node.remove());
    groups.forEach((group) => group.classList.remove("landing"));
  }

  // What one does.

  function go(to) {
    const next = Math.max(0, Math.min(line.jumps.length, to));
    still();
    const step = next === at + 1;
    at = next;
    selected = 0;
    choices = [];
    hint = "";
    show();
    if (step) move(line.jumps[at - 1]);
  }

  function play() {
    if (line.jumps.length === 0) return;
    document.body.classList.add("playing");
    element("toggle").setAttribute("aria-label", "Pause");
    if (at === line.jumps.length) go(0);
    const tick = () => {
      go(at + 1);
      if (at === line.jumps.length) pause();
      else timer = setTimeout(tick, Number(element("speed").value));
    };
    timer = setTimeout(tick, Math.min(300, Number(element("speed").value)));
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    document.body.classList.remove("playing");
    element("toggle").setAttribute("aria-label", "Play");
  }

  function change(next, to) {
    past.push([line, at]);
    line = next;
    go(to);
  }

  function undo() {
    pause();
    if (past.length === 0) return;
    let to;
    [line, to] = past.pop();
    at = to;
    go(to);
  }

  function jump(made) {
    const own = Math.min(line.own, at);
    change({ start: line.start, jumps: [...line.jumps.slice(0, at), made], own }, at + 1);
  }

  function press(hole) {
    pause();
    const pegs = position();
    if (element("edit").checked) {
      pegs[hole] = !pegs[hole];
      change({ start: pegs, jumps: [], own: 0 }, 0);
      return;
    }
    const chosen = choices.find(([, over]) => over === hole);
    if (chosen) return jump(chosen);
    choices = [];
    hint = "";
    const next = possible(pegs);
    if (pegs[hole]) {
      const can = next.some(([from]) => from === hole);
      if (!can) hint = `Peg ${hole} cannot jump now.`;
      selected = can && selected !== hole ? hole : 0;
      still();
      return show();
    }
    if (!selected) {
      hint = "Choose a peg first.";
      return show();
    }
    const ways = next.filter(([from, , to]) => from === selected && to === hole);
    if (ways.length === 1) return jump(ways[0]);
    // Without geometry there may be two pegs between the same two holes.
    if (ways.length > 1) {
      choices = ways;
      hint = "Choose the peg that is taken.";
    } else {
      hint = `Peg ${selected} cannot jump into hole ${hole}.`;
    }
    show();
  }

  element("note").textContent = data.note;
  element("first").addEventListener("click", () => { pause(); go(0); });
  element("back").addEventListener("click", () => { pause(); go(at - 1); });
  element("toggle").addEventListener("click", () => (timer ? pause() : play()));
  element("forward").addEventListener("click", () => { pause(); go(at + 1); });
  element("last").addEventListener("click", () => { pause(); go(line.jumps.length); });
  element("undo").addEventListener("click", undo);
  element("plan").addEventListener("click", () => {
    pause();
    element("edit").checked = false;
    document.body.classList.remove("editing");
    change(plan, Math.min(line.own, plan.jumps.length));
  });
  element("slider").addEventListener("input", () => { pause(); go(Number(element("slider").value)); });
  element("numbers").addEventListener("change", () => board.classList.toggle("plain", !element("numbers").checked));
  element("edit").addEventListener("change", () => {
    document.body.classList.toggle("editing", element("edit").checked);
    go(at);
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.target.closest("select")) return;
    const hole = event.target.closest(".hole");
    const on = (condition, action) => { if (condition) { event.preventDefault(); action(); } };
    if (event.ctrlKey) return on(event.key === "z", undo);
    const slides = event.target.id === "slider";
    on(event.key === "ArrowLeft" && !slides, () => { pause(); go(at - 1); });
    on(event.key === "ArrowRight" && !slides, () => { pause(); go(at + 1); });
    on(event.key === "Home" && !slides, () => { pause(); go(0); });
    on(event.key === "End" && !slides, () => { pause(); go(line.jumps.length); });
    on(event.key === "u", undo);
    on(event.key === "Escape", () => go(at));
    on(hole && (event.key === "Enter" || event.key === " "), () => press(groups.indexOf(hole) + 1));
    on(event.key === " " && !hole && !event.target.closest("button, input"), () => (timer ? pause() : play()));
  });
  show();
})();
