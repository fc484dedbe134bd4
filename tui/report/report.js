// Tables sort by a click on a head: numbers by their exact value, unknown ones last.
for (const table of document.querySelectorAll("table")) {
	const body = table.tBodies[0];
	[...table.tHead.rows[0].cells].forEach((head, col) => head.addEventListener("click", () => {
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
	}));
}
