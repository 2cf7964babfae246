// Reading and changing a draft by JSON pointers (RFC 6901).

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The keys of a pointer: `/a~1b/0` is `["a/b", "0"]`. */
export function keys(pointer: string): string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/').map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** The pointer to an entry of the value at `pointer`. */
export function join(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

/** Whether `inner` is the place `outer` or a place inside it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** The value at a pointer, `undefined` if it is absent. */
export function get(value: Json | undefined, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const key of keys(pointer)) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isObject(found)) found = Object.hasOwn(found, key) ? found[key] : undefined;
    else return undefined;
  }
  return found;
}

/**
 * A copy with another value at a pointer. `undefined` removes the value, and objects that are empty without it.
 * Objects and lists on the way are created.
 */
export function set(value: Json | undefined, pointer: string, entry: Json | undefined): Json {
  return put(value, keys(pointer), entry) ?? {};
}

export function isObject(value: unknown): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a person would say that nothing is written here. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isEmpty);
  return isObject(value) && Object.values(value).every(isEmpty);
}

function put(value: Json | undefined, path: string[], entry: Json | undefined): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return entry;
  if (Array.isArray(value) || (value === undefined && /^\d+$/.test(key))) {
    const list = Array.isArray(value) ? [...value] : [];
    const at = key === '-' ? list.length : Number(key);
    const changed = put(list[at], rest, entry);
    if (changed === undefined) list.splice(at, 1);
    else list[at] = changed;
    return list.length === 0 && entry === undefined ? undefined : list;
  }
  const object = isObject(value) ? { ...value } : {};
  const changed = put(Object.hasOwn(object, key) ? object[key] : undefined, rest, entry);
  if (changed === undefined) delete object[key];
  else define(object, key, changed);
  return Object.keys(object).length === 0 && entry === undefined ? undefined : object;
}

/** Sets a key of a draft also where its name is special in JavaScript (`__proto__`). */
function define(object: { [name: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
