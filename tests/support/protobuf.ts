/** The part of the protocol buffer wire format that is needed to write a message. */

type Field = Uint8Array;

const VARINT = 0;
const LENGTH_DELIMITED = 2;

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** A field with a non-negative number. */
export function intField(field: number, value: number): Field {
  return Uint8Array.from([...varint(field * 8 + VARINT), ...varint(value)]);
}

/** A field with a string, bytes, or an embedded message. */
export function bytesField(field: number, content: string | Uint8Array): Field {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return join([Uint8Array.from([...varint(field * 8 + LENGTH_DELIMITED), ...varint(bytes.length)]), bytes]);
}

export function message(...fields: readonly Field[]): Uint8Array {
  return join(fields);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
