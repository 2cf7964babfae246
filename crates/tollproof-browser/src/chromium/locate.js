// Scrolls to the form that asks for a phone number. Returns where it is in the view, or nothing.
() => {
  const shadowOf = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get;
  const boundsOf = (it) => Element.prototype.getBoundingClientRect.call(it);
  const labelsOf = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "labels").get;
  const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, "parentNode").get;
  const PHONE = /phone|mobile|\bcell|\bsms\b|\btel\b|t[e\u00e9]l[e\u00e9]fono|t[e\u00e9]l[e\u00e9]phone|m[o\u00f3]vil|celular/i;
  const value = (it, name) => Element.prototype.getAttribute.call(it, name) ?? "";
  const isPhone = (it) => {
    const type = value(it, "type").toLowerCase();
    if (type === "tel" || value(it, "autocomplete").startsWith("tel")) return true;
    if (!["", "text", "number"].includes(type)) return false;
    const labels = [...(labelsOf.call(it) ?? [])].map((label) => label.textContent.slice(0, 60));
    const names = ["name", "id", "placeholder", "aria-label"].map((name) => value(it, name).slice(0, 60));
    return [...labels, ...names].some((text) => PHONE.test(text.replace(/_/g, " ")));
  };
  const isSeen = (it) => {
    const { width, height } = boundsOf(it);
    return width > 1 && height > 1 && Element.prototype.checkVisibility.call(it, { visibilityProperty: true });
  };
  const roots = [document];
  let field;
  for (let at = 0; at < roots.length && at < 1000 && !field; at++) {
    const walker = Document.prototype.createTreeWalker.call(document, roots[at], NodeFilter.SHOW_ELEMENT);
    while (!field && walker.nextNode()) {
      const it = walker.currentNode;
      if (it instanceof HTMLInputElement && isPhone(it) && isSeen(it)) field = it;
      const shadow = shadowOf.call(it);
      if (shadow) roots.push(shadow);
    }
  }
  if (!field) return null;
  let form = field;
  for (let at = field; at instanceof Element; at = parentOf.call(at)) {
    if (at instanceof HTMLFormElement) form = at;
  }
  const isHigh = boundsOf(form).height > innerHeight;
  Element.prototype.scrollIntoView.call(form, { block: isHigh ? "start" : "center", behavior: "instant" });
  const { x, y, width, height } = boundsOf(form);
  return { x, y, width, height };
}
