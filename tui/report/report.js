// Tables sort by a click on a head, or Enter where it has the focus: numbers by their exact value, unknown ones last.
function sortBy(head, col, body) {
	const up = head.getAttribute("aria-sort") !== "ascending" && !(head.classList.contains("n") && !head.hasAttribute("aria-sort"));
	const key = row => row.cells[col].dataset.v ?? row.cells[col].textContent;
	const order = (a, b) => {
		const x = key(a), y = key(b);
		if (x === "" || y === "")
			return (x === "") - (y === "");
		const by = isNaN(x) || isNaN(y) ? x.localeCompare(y, undefined, {numeric: true}) : x - y;
		return up ? by : -by;
	};
	for (const other of head.parentNode.cells)
		other.removeAttribute("aria-sort");
	head.setAttribute("aria-sort", up ? "ascending" : "descending");
	body.append(...[...body.rows].sort(order));
}

// Only rows that hold all of the words, whole texts under the pointer included.
function addFilter(table, body) {
	const rows = [...body.rows], box = document.createElement("label"), input = document.createElement("input"), told = document.createElement("span");
	const text = row => [...row.cells].map(c => c.title + " " + c.textContent).join(" ").toLowerCase();
	input.type = "search";
	input.placeholder = "filter rows";
	input.setAttribute("aria-label", "filter rows of " + table.caption.textContent);
	told.setAttribute("aria-live", "polite");
	input.addEventListener("input", () => {
		const words = input.value.toLowerCase().split(/\s+/);
		for (const row of rows)
			row.hidden = !words.every(w => text(row).includes(w));
		told.textContent = input.value ? ` ${rows.filter(r => !r.hidden).length} of ${rows.length} rows` : "";
	});
	box.className = "filter";
	box.append(input, told);
	table.parentNode.before(box);
}

// As the program writes it: exact names of columns, exact numbers, whole texts.
function csvOf(table) {
	const quoted = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	const value = cell => cell.dataset.v ?? (cell.title || cell.textContent);
	const lines = [...table.tBodies[0].rows].filter(row => !row.hidden).map(row => [...row.cells].map(cell => quoted(value(cell))).join(","));
	return [[...table.tHead.rows[0].cells].map(head => quoted(head.dataset.c)).join(","), ...lines, ""].join("\n");
}

function copied(text) {
	const area = document.createElement("textarea");
	area.value = text;
	document.body.append(area);
	area.select();
	const done = document.execCommand("copy");
	area.remove();
	return done;
}

function addCopy(table) {
	const button = document.createElement("button");
	button.type = "button";
	button.className = "copy";
	button.textContent = "copy as CSV";
	button.title = "the rows that are shown, with exact numbers";
	button.addEventListener("click", async () => {
		const text = csvOf(table);
		const done = await navigator.clipboard?.writeText(text).then(() => true, () => false) || copied(text);
		button.textContent = done ? "copied" : "cannot copy here";
		setTimeout(() => button.textContent = "copy as CSV", 2000);
	});
	table.parentNode.before(button);
}

const MANY_ROWS = 10;
for (const table of document.querySelectorAll(".whole table")) {
	const body = table.tBodies[0];
	[...table.tHead.rows[0].cells].forEach((head, col) => {
		head.tabIndex = 0;
		head.addEventListener("click", () => sortBy(head, col, body));
		head.addEventListener("keydown", e => {
			if (e.key !== "Enter" && e.key !== " ")
				return;
			e.preventDefault();
			sortBy(head, col, body);
		});
	});
	addCopy(table);
	if (body.rows.length > MANY_ROWS)
		addFilter(table, body);
}

// What does not fit scrolls: then its texts need no more lines than a few either.
function fitTables() {
	for (const box of document.querySelectorAll(".scroll")) {
		box.classList.remove("wide");
		box.classList.toggle("wide", box.scrollWidth > box.clientWidth);
	}
}
addEventListener("resize", fitTables);
document.addEventListener("toggle", fitTables, true);
fitTables();
