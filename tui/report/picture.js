// The picture moves: zoom, pan, pin, search, fold. What is drawn without this script is right as it stands; this one draws the same boxes
// from their exact times, in nanoseconds from the picture's left edge.
const SVG = "http://www.w3.org/2000/svg", NARROWEST_NS = 100, LETTER = 5.6, LEAST_CUT = 6, ROW = 18, DRAG = 4;

function made(name, attributes, ...inside) {
	const e = document.createElement(name);
	Object.assign(e, attributes);
	e.append(...inside);
	return e;
}

function drawn(name, attributes, text = "") {
	const e = document.createElementNS(SVG, name);
	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	e.textContent = text;
	return e;
}

// "1.25 ms", with the decimals that ticks `step` apart need
function timeText(ns, step) {
	const [size, unit] = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]].find(([n]) => step * 10 >= n) ?? [1, "ns"];
	return `${(ns / size).toFixed(step < size ? Math.ceil(Math.log10(size / step)) : 0)} ${unit}`;
}

// Without what C++ puts around a name; of a step the number alone where no more fits; nothing where too little is left of it.
function shortName(name, letters) {
	let text = name.replace(/^void /, "");
	for (let old = ""; old !== text;) {
		old = text;
		text = text.replace(/<[^<>]*>|\([^()]*\)/g, "");
	}
	text = text.replace(/^.*::/, "") || name;
	if (text.length > letters)
		text = text.replace(/^step /, "");
	return text.length <= letters ? text : letters < LEAST_CUT ? "" : text.slice(0, letters - 1) + "…";
}

function pictureOf(svg) {
	const [left, width] = svg.dataset.plot.split(" ").map(Number), right = left + width;
	const whole = Number(svg.dataset.span), begin = Number(svg.dataset.from), thin = Number(svg.dataset.thin), height = svg.viewBox.baseVal.height;
	const view = {a: 0, b: whole}, axis = svg.querySelector(".ax"), ground = svg.querySelector(".gp"), mark = svg.querySelector(".mk");
	const firstGrid = axis.querySelector("line"), top = Number(firstGrid?.getAttribute("y1") ?? 17), bottom = Number(firstGrid?.getAttribute("y2") ?? height);
	const times = e => e.dataset.t.split(" ").map(Number);
	const boxes = [...svg.querySelectorAll("rect[data-t]")].map(rect => {
		const [a, n] = times(rect), title = rect.querySelector("title").textContent, one = !/^[\d,]+ events, /.test(title);
		const text = rect.nextElementSibling?.classList.contains("w") ? rect.nextElementSibling : null;
		return {rect, a, b: a + n, title, one, name: title.slice(0, one ? title.lastIndexOf("\n") : undefined), text};
	});
	const boxOf = new Map(boxes.map(box => [box.rect, box]));
	const lanes = [...svg.querySelectorAll(".ln")].map(g => ({g, height: Number(g.dataset.h), head: g.querySelector(".bd"), label: g.querySelector(".mu"), folded: false}));
	const told = made("p", {className: "told"}), pinned = made("p", {className: "pinned", hidden: true}), search = made("input", {type: "search", placeholder: "find in the picture"});
	const found = made("span", {}), map = made("canvas", {className: "map", width: 2 * width, height: 80, title: "all of it: drag to move"});
	const help = "Drag or press the arrow keys to move; zoom with + and -, Ctrl and the wheel, or after a click the wheel alone; 0 shows all. Click a box to pin it, a lane's name to fold it.";
	let pin = null, hits = [], hit = -1, folds = 0, waits = false;

	const x = t => left + (t - view.a) / (view.b - view.a) * width;
	const clamp = (v, lo, hi) => Math.min(Math.max(v, lo), hi);

	function drawBox(box) {
		const a = clamp(x(box.a), left, right), b = clamp(x(box.b), left, right), out = box.b < view.a || box.a > view.b, w = b - a;
		box.rect.style.display = out ? "none" : "";
		if (!out) {
			box.rect.setAttribute("x", a.toFixed(2));
			box.rect.setAttribute("width", Math.max(w > 3 ? w - 0.5 : w, thin).toFixed(2));
		}
		const words = !out && box.one ? shortName(box.name, Math.floor((w - 5) / LETTER)) : "";
		if (words && !box.text) {
			box.text = drawn("text", {class: "w", y: Number(box.rect.getAttribute("y")) + 12});
			box.rect.after(box.text);
		}
		if (!box.text)
			return;
		box.text.style.display = words ? "" : "none";
		box.text.setAttribute("x", (a + 3).toFixed(2));
		box.text.textContent = words;
	}

	function drawAxis() {
		const span = view.b - view.a, power = 10 ** Math.floor(Math.log10(span / 10)), step = [1, 2, 5, 10].map(f => f * power).find(s => span / s < 10);
		axis.replaceChildren();
		for (let at = Math.ceil((begin + view.a) / step) * step; at <= begin + view.b; at += step) {
			const place = x(at - begin).toFixed(1), label = drawn("text", {class: "mu", y: top - 5, "text-anchor": "middle"}, timeText(at, step));
			axis.append(drawn("line", {class: "gr", x1: place, x2: place, y1: top, y2: bottom - folds}), label);
			label.setAttribute("x", Math.min(place, svg.viewBox.baseVal.width - label.getComputedTextLength() / 2).toFixed(1)); // it ends within the picture
		}
	}

	function drawMark() {
		if (!mark)
			return;
		const [from, n] = times(mark), a = clamp(x(from), left, right), b = clamp(x(from + n), left, right), out = from + n < view.a || from > view.b;
		mark.style.display = ground.style.display = out ? "none" : "";
		ground.setAttribute("x", a);
		ground.setAttribute("width", Math.max(b - a, 1));
		const [edges, bar] = mark.querySelectorAll("path"), y = Number(ground.getAttribute("y"));
		edges.setAttribute("d", `M${a} ${y}V${bottom - folds}M${b} ${y}V${bottom - folds}`);
		bar.setAttribute("d", `M${a} ${y - 3}v6m0 -3H${b}m0 -3v6`);
		for (const text of mark.querySelectorAll("text")) {
			const half = text.getComputedTextLength() / 2;
			text.setAttribute("x", clamp((a + b) / 2, left + half, Math.max(right - half, left + half)));
		}
	}

	function drawMap() {
		const c = map.getContext("2d"), scale = map.width / whole, colours = new Map();
		c.clearRect(0, 0, map.width, map.height);
		for (const box of boxes) {
			const css = box.rect.getAttribute("class").replace(/ (dim|pin|hit)/g, ""), y = Number(box.rect.getAttribute("y"));
			if (!colours.has(css))
				colours.set(css, getComputedStyle(box.rect));
			c.fillStyle = colours.get(css).fill;
			c.globalAlpha = colours.get(css).fillOpacity;
			c.fillRect(box.a * scale, (y - top) / (bottom - top) * map.height, Math.max((box.b - box.a) * scale, 1), Math.max(ROW * map.height / (bottom - top) - 1, 1));
		}
		c.globalAlpha = 0.55;
		c.fillStyle = getComputedStyle(document.body).backgroundColor;
		c.fillRect(0, 0, view.a * scale, map.height);
		c.fillRect(view.b * scale, 0, map.width, map.height);
		c.globalAlpha = 1;
		c.strokeStyle = getComputedStyle(document.body).color;
		c.lineWidth = 3;
		c.strokeRect(view.a * scale + 1, 1, Math.max((view.b - view.a) * scale - 2, 2), map.height - 2);
	}

	function draw() {
		waits = false;
		boxes.forEach(drawBox);
		drawAxis();
		drawMark();
		drawMap();
	}

	function look(a, b) {
		const span = clamp(b - a, Math.min(NARROWEST_NS, whole), whole);
		view.a = clamp((a + b - span) / 2, 0, whole - span);
		view.b = view.a + span;
		if (!waits)
			requestAnimationFrame(draw);
		waits = true;
	}

	const zoom = (factor, at = (view.a + view.b) / 2) => look(at - (at - view.a) * factor, at + (view.b - at) * factor);
	const pan = part => look(view.a + part * (view.b - view.a), view.b + part * (view.b - view.a));

	function place() {
		folds = 0;
		for (const lane of lanes) {
			lane.g.setAttribute("transform", `translate(0 ${-folds})`);
			if (lane.folded)
				folds += lane.height - ROW - (lane.head ? 20 : 0);
		}
		svg.querySelector(".lg").setAttribute("transform", `translate(0 ${-folds})`);
		ground?.setAttribute("height", bottom - folds - Number(ground.getAttribute("y")));
		svg.setAttribute("viewBox", `0 0 ${svg.viewBox.baseVal.width} ${height - folds}`);
		svg.setAttribute("height", height - folds);
		look(view.a, view.b);
	}

	function fold(some) {
		const folded = some.some(lane => !lane.folded);
		for (const lane of some) {
			lane.folded = folded;
			lane.g.classList.toggle("folded", folded);
			lane.label.setAttribute("aria-expanded", !folded);
		}
		place();
	}

	// of a device: from its name to the next one
	function groupOf(lane) {
		const at = lanes.indexOf(lane), next = lanes.findIndex((l, i) => i > at && l.head);
		return lanes.slice(at, next < 0 ? undefined : next);
	}

	function pinAt(box) {
		pin?.rect.classList.remove("pin");
		pin = box;
		pin?.rect.classList.add("pin");
		pinned.hidden = !pin;
		pinned.textContent = pin ? `pinned: ${pin.title.replace("\n", ", ")}${pin.one ? "" : " (merged here: a report of a shorter window draws them)"} - Enter zooms to it, Esc unpins it` : "";
	}

	function find() {
		const words = search.value.toLowerCase().trim();
		hits = words ? boxes.filter(box => box.name.toLowerCase().includes(words)).sort((p, q) => p.a - q.a) : [];
		hit = -1;
		for (const box of boxes)
			box.rect.classList.toggle("dim", words !== "" && !box.name.toLowerCase().includes(words));
		found.textContent = words ? ` ${hits.length} of ${boxes.length} boxes; Enter: the next one` : "";
	}

	function next(by) {
		if (!hits.length)
			return;
		hit = (hit + by + hits.length) % hits.length;
		const box = hits[hit], span = view.b - view.a;
		pinAt(box);
		if (box.a < view.a || box.b > view.b)
			look((box.a + box.b - span) / 2, (box.a + box.b + span) / 2);
	}

	const show = box => look(box.a - (box.b - box.a) * 0.1, box.b + (box.b - box.a) * 0.1);
	const keys = {
		ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6),
		0: () => look(0, whole), Escape: () => pinAt(null), Enter: () => pin && show(pin), n: () => next(1), N: () => next(-1), "/": () => search.focus(),
	};
	const onKeys = (e, keys) => {
		if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey)
			return;
		e.preventDefault();
		keys[e.key]();
	};
	// of the plot, in nanoseconds
	const timeAt = (e, frame, from, n) => {
		const at = frame.getBoundingClientRect();
		return (e.clientX - at.left) * (from + n === right ? svg.viewBox.baseVal.width : n) / at.width - from;
	};
	const pointed = e => view.a + timeAt(e, svg, left, width) / width * (view.b - view.a);

	svg.setAttribute("role", "group"); // what lies in it can be operated now
	svg.tabIndex = 0;
	svg.addEventListener("keydown", e => onKeys(e, keys));
	svg.addEventListener("wheel", e => {
		if (!e.ctrlKey && !e.metaKey && !e.shiftKey && document.activeElement !== svg)
			return;
		e.preventDefault();
		if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
			pan((e.deltaX || e.deltaY) / 1000);
		else
			zoom(1.0015 ** e.deltaY, clamp(pointed(e), view.a, view.b));
	}, {passive: false});

	let held = null;
	svg.addEventListener("pointerdown", e => {
		held = {x: e.clientX, a: view.a, b: view.b, moved: false};
	});
	svg.addEventListener("pointermove", e => {
		const box = boxOf.get(e.target);
		told.textContent = box ? box.title.replace("\n", ", ") : help;
		if (!held || !e.buttons)
			return;
		held.moved ||= Math.abs(e.clientX - held.x) > DRAG;
		const by = (held.x - e.clientX) / svg.getBoundingClientRect().width * svg.viewBox.baseVal.width / width * (held.b - held.a);
		if (held.moved)
			look(held.a + by, held.b + by);
	});
	svg.addEventListener("pointerleave", () => {
		told.textContent = help;
	});
	svg.addEventListener("click", e => {
		const moved = held?.moved;
		held = null;
		if (!moved && !e.target.dataset.lane)
			pinAt(boxOf.get(e.target.classList.contains("w") ? e.target.previousElementSibling : e.target) ?? null);
	});

	for (const lane of lanes)
		for (const [text, some] of [[lane.label, [lane]], ...(lane.head ? [[lane.head, groupOf(lane)]] : [])]) {
			text.dataset.lane = "fold";
			text.setAttribute("tabindex", 0);
			text.setAttribute("role", "button");
			text.setAttribute("aria-expanded", true);
			text.addEventListener("click", () => fold(some));
			text.addEventListener("keydown", e => onKeys(e, {Enter: () => e.stopPropagation() ?? fold(some), " ": () => fold(some)}));
		}

	const mapTo = e => {
		const at = timeAt(e, map, 0, whole), span = view.b - view.a;
		look(at - span / 2, at + span / 2);
	};
	map.addEventListener("pointerdown", mapTo);
	map.addEventListener("pointermove", e => e.buttons && mapTo(e));

	search.setAttribute("aria-label", "find in the picture");
	search.addEventListener("input", find);
	search.addEventListener("keydown", e => onKeys(e, {Enter: () => next(1), Escape: () => svg.focus()}));
	found.setAttribute("aria-live", "polite");
	pinned.setAttribute("aria-live", "polite");
	told.textContent = help;
	const button = (text, title, act) => {
		const b = made("button", {type: "button", title}, text);
		b.addEventListener("click", act);
		return b;
	};
	svg.before(made("div", {className: "tools"}, search, found, button("+", "zoom in", () => zoom(0.6)), button("-", "zoom out", () => zoom(1 / 0.6)), button("all", "show all of it", () => look(0, whole))), made("div", {className: "mapped"}, map));
	svg.after(pinned, told);
	drawMap();
	// where the page is narrower than the picture: what the heading speaks of comes first
	const frame = svg.parentElement, scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
	const [from, n] = mark ? times(mark) : [0, 0];
	if (x(from + n) * scale > frame.clientWidth)
		frame.scrollLeft = x(from + n / 2) * scale - frame.clientWidth / 2;
	// names of lanes scroll as far as the left edge, and stay there above the boxes
	const EDGE = 4, names = [...svg.querySelectorAll(".ln>[data-lane],.ln>.bd")].map(t => ({t, at: t.getBBox().x}));
	names.forEach(({t}) => t.parentNode.append(t));
	const keepNames = () => {
		svg.classList.toggle("over", frame.scrollLeft > 0);
		const moved = frame.scrollLeft * svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
		names.forEach(({t, at}) => t.setAttribute("transform", `translate(${Math.max(0, moved + EDGE - at)})`));
	};
	frame.addEventListener("scroll", keepNames);
	keepNames();
	matchMedia("(prefers-color-scheme:dark)").addEventListener("change", drawMap);
}

document.querySelectorAll("svg.lanes").forEach(pictureOf);
