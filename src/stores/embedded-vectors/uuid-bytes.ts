/** Stores each id in 16 bytes, because a million ids as text would take five times as much memory. */
export const UUID_BYTES = 16;

export function writeUuid(id: string, target: Uint8Array, offset: number): void {
  target.set(Buffer.from(id.replaceAll('-', ''), 'hex'), offset);
}

export function readUuid(source: Uint8Array, offset: number): string {
  const hex = Buffer.from(source.buffer, source.byteOffset + offset, UUID_BYTES).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
