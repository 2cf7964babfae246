// A box `input.filter` shows only the rows of the tables after it that have all of its words. `?q=WORDS` in the address fills
// it, and Enter opens the first row.
function setUp(box) {
  const rows = [...document.querySelectorAll("article table tbody tr")].filter(
    (row) => box.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  // Without accents and hyphens: people write "email" and "e-mail".
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f\u2010\u2011-]/g, "");
  const texts = rows.map((row) => plain(row.textContent));
  const count = document.querySelector(".filter-count");
  const sections = [...new Set(rows.map((row) => row.closest("table")))].map((table) => {
    const parts = [table.closest(".md-typeset__scrollwrap") ?? table];
    let before = parts[0].previousElementSibling;
    while (before && !/^H[123]$/.test(before.tagName) && before.tagName === "P" && !before.matches(".filter-count")) {
      parts.push(before);
      before = before.previousElementSibling;
    }
    if (before && /^H[23]$/.test(before.tagName)) parts.push(before);
    return { table, parts };
  });
  const show = () => {
    const words = plain(box.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every((word) => texts[at].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    for (const { table, parts } of sections) {
      const empty = !table.querySelector("tbody tr:not([hidden])");
      for (const part of parts) part.hidden = empty;
    }
    const found = shown === 1 ? "1 match" : shown ? `${shown} matches` : "No match. Try fewer words.";
    count.textContent = words.length ? found : "";
  };
  box.addEventListener("input", show);
  box.addEventListener("keydown", (event) => {
    const first = rows.find((row) => !row.hidden);
    if (event.key === "Enter" && box.value && first) first.querySelector("a").click();
  });
  box.value = new URLSearchParams(location.search).get("q") ?? "";
  show();
}

for (const box of document.querySelectorAll("input.filter")) setUp(box);
