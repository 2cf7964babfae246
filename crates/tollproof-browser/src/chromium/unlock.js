// Marks the one box of a form as required if ticking it opens a button that is locked. The box is left as it was.
async () => {
  // Elements of a page can hide methods by their names, those of the prototypes they cannot.
  const all = (form, selector) => [...Element.prototype.querySelectorAll.call(form, selector)];
  const is = (element, selector) => Element.prototype.matches.call(element, selector);
  const press = (box) => HTMLElement.prototype.click.call(box);
  const wait = () => new Promise((done) => setTimeout(done, 100));
  for (const form of [...document.querySelectorAll("form")].slice(0, 10)) {
    const locked = all(form, "button:disabled, input[type=submit]:disabled");
    const boxes = all(form, "input[type=checkbox]:enabled");
    if (locked.length === 0 || boxes.length !== 1 || is(boxes[0], ":checked")) continue;
    press(boxes[0]);
    await wait();
    const opens = locked.some((button) => !is(button, ":disabled"));
    if (is(boxes[0], ":checked")) press(boxes[0]);
    await wait();
    if (opens) Element.prototype.setAttribute.call(boxes[0], "aria-required", "true");
  }
}
