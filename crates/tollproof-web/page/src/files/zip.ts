// A ZIP archive (PKWARE APPNOTE 6.3), as workbooks of Excel are.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** 1980-01-01: the archive does not say when it was made. */
const DATE = 0x21;
const DEFLATE = 8;
/** The version of the format that reads compressed files. */
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x800;

/** An archive with these texts. */
export async function zip(files: Record<string, string>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const path = new TextEncoder().encode(name);
    const bytes = new TextEncoder().encode(text);
    const packed = await deflated(bytes);
    const common = [VERSION, FLAGS, DEFLATE, 0, DATE, ...wide(crc32(bytes)), ...wide(packed.length), ...wide(bytes.length), path.length, 0];
    const local = record(0x04034b50, common);
    directory.push(record(0x02014b50, [VERSION, ...common, 0, 0, 0, 0, 0, ...wide(offset)]), path);
    parts.push(local, path, packed);
    offset += local.length + path.length + packed.length;
  }
  const size = directory.reduce((sum, it) => sum + it.length, 0);
  const count = Object.keys(files).length;
  const end = record(0x06054b50, [0, 0, count, count, ...wide(size), ...wide(offset), 0]);
  return new Uint8Array(await new Blob([...parts, ...directory, end] as BlobPart[]).arrayBuffer());
}

/** A signature and numbers of two bytes each, the lowest byte first. */
function record(signature: number, numbers: number[]): Uint8Array {
  return new Uint8Array(new Uint16Array([...wide(signature), ...numbers]).buffer);
}

/** A number of four bytes as two numbers. */
function wide(value: number): [number, number] {
  return [value & 0xffff, value >>> 16];
}

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
