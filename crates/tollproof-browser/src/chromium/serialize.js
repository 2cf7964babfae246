// Writes the document as HTML with what it is now: ticked boxes, hidden elements, shadow roots, and marks for frames.
(max, isMain) => {
  // Elements of a page can hide properties by their names (`<input name="children">`), getters of the prototypes they cannot.
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (it) => get.call(it);
  };
  const method = (type, name) => {
    const run = type.prototype[name];
    return (it, ...rest) => run.apply(it, rest);
  };
  const childrenOf = getter(Node, "childNodes");
  const nodeType = getter(Node, "nodeType");
  const nameOf = getter(Element, "localName");
  const spaceOf = getter(Element, "namespaceURI");
  const attributesOf = getter(Element, "attributes");
  const shadowOf = getter(Element, "shadowRoot");
  const textOf = getter(CharacterData, "data");
  const ticked = getter(HTMLInputElement, "checked");
  const kindOf = getter(HTMLInputElement, "type");
  const labelsOf = getter(HTMLInputElement, "labels");
  const required = getter(HTMLInputElement, "required");
  const scriptType = getter(HTMLScriptElement, "type");
  const assigned = method(HTMLSlotElement, "assignedNodes");
  const boundsOf = method(Element, "getBoundingClientRect");
  const isRendered = method(Element, "checkVisibility");
  const frames = globalThis.framesByElement instanceof Map ? globalThis.framesByElement : new Map();
  const base = getter(Node, "baseURI")(document);
  const root = getter(Document, "documentElement")(document);

  const SKIPPED = new Set("style noscript template svg math canvas audio video noembed noframes link".split(" "));
  const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
  const UNSEEN = new Set("head title meta script base area datalist param".split(" "));
  const RAW = new Set("plaintext xmp listing".split(" "));
  const LEFT_OUT = new Set("style hidden checked required value srcdoc srcset integrity nonce open http-equiv".split(" "));
  const LONGEST = 2000;
  const DEEPEST = 1500;

  const parts = [];
  let html = "";
  let length = 0;
  let isFull = false;
  const put = (text) => {
    length += text.length;
    if (length > max) isFull = true;
    else html += text;
  };
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  const absolute = (value) => {
    try {
      return new URL(value, base).href;
    } catch {
      return value;
    }
  };
  const isHidden = (element, name, style) => {
    if (UNSEEN.has(name) || style.display !== "none") return false;
    // A box that a label draws in its place is shown.
    const isBox = name === "input" && ["checkbox", "radio"].includes(kindOf(element));
    return !(isBox && [...(labelsOf(element) ?? [])].some((it) => isRendered(it)));
  };
  const attributes = (element, name) => {
    for (const { name: key, value } of attributesOf(element)) {
      if (LEFT_OUT.has(key) || key.startsWith("on") || !/^[a-z][a-z0-9_:.-]*$/i.test(key)) continue;
      const isAddress = key === "href" || key === "src";
      const text = isAddress && !value.startsWith("data:") && name !== "base" ? absolute(value) : value;
      put(` ${key}="${escape(text.slice(0, LONGEST))}"`);
    }
  };
  const write = (node, depth) => {
    if (isFull) return;
    if (depth > DEEPEST) {
      isFull = true;
      return;
    }
    const type = nodeType(node);
    if (type === 3) {
      const text = textOf(node);
      isFull ||= text.length + length > max;
      return isFull ? undefined : put(escape(text));
    }
    if (type !== 1) return;
    const own = nameOf(node);
    if (SKIPPED.has(own) || spaceOf(node) !== "http://www.w3.org/1999/xhtml") return;
    if (own === "slot") {
      const given = assigned(node, { flatten: true });
      return below(given.length ? given : childrenOf(node), depth, node);
    }
    if (!isMain && own === "head") return;
    let name = RAW.has(own) ? "pre" : own;
    if (!/^[a-z][a-z0-9-]*$/.test(name) || (!isMain && (name === "html" || name === "body"))) name = "div";
    if (own === "script") return script(node);
    const style = getComputedStyle(node);
    put(`<${name}`);
    attributes(node, name);
    if (isHidden(node, name, style)) put(" hidden");
    if (own === "dialog" || own === "details") put(style.display === "none" ? "" : " open");
    if (own === "input") {
      if (ticked(node)) put(" checked");
      if (required(node)) put(" required");
      if (style.visibility !== "visible") put(" hidden");
    }
    put(">");
    if (VOID.has(name)) return;
    if (own === "iframe" || own === "frame") {
      put(`</${name}>`);
      return frame(node, style);
    }
    if (own !== "select" && own !== "textarea") below(shadowOf(node) ? childrenOf(shadowOf(node)) : childrenOf(node), depth, node);
    put(`</${name}>`);
  };
  const below = (nodes, depth, around) => {
    // What is invisible may have something visible in it, so its texts are hidden one by one.
    const isInvisible = nameOf(around) !== "title" && nameOf(around) !== "head" && getComputedStyle(around).visibility !== "visible";
    for (const node of nodes) {
      const hides = isInvisible && nodeType(node) === 3 && textOf(node).trim() !== "";
      if (hides) put("<span hidden>");
      write(node, depth + 1);
      if (hides) put("</span>");
      if (isFull) return;
    }
  };
  const script = (node) => {
    put("<script");
    attributes(node, "script");
    const isData = /ld\+json/i.test(scriptType(node));
    const text = [...childrenOf(node)].map((it) => textOf(it)).join("");
    put(`>${(isData ? text : text.slice(0, LONGEST)).replace(/<\//g, "<\\/").replace(/<!--/g, "<\\u0021--")}</script>`);
  };
  const frame = (node, style) => {
    const id = frames.get(node);
    if (id === undefined) return;
    const { width, height } = boundsOf(node);
    const isSeen = style.display !== "none" && style.visibility === "visible" && width > 1 && height > 1;
    put(isSeen ? "<div>" : "<div hidden>");
    parts.push(html, { frame: id });
    html = "";
    put("</div>");
  };
  if (isMain) put("<!doctype html>");
  if (root) write(root, 0);
  parts.push(html);
  return { parts, isFull };
}
