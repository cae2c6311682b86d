/** Writes valid and hostile zip files. */
import { crc32 as crcOf, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: Buffer | string;
  /** The size that the headers state instead of the true size. */
  statedSize?: number;
}

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, statedSize } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 9 });
    const fields = fieldsOf(Buffer.from(name), { bytes, packed, size: statedSize ?? bytes.length });
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fields.common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), fields.common, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** Fields of an entry: version, flags, method, time, date, checksum, both sizes, lengths of name and extra field. */
function fieldsOf(name: Buffer, { bytes, packed, size }: { bytes: Buffer; packed: Buffer; size: number }) {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(checksum(bytes), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(size, 18);
  common.writeUInt16LE(name.length, 22);
  return { common };
}

/** Calculates the checksum itself if `crc32` is missing, as in some versions of Node 20. */
function checksum(bytes: Buffer): number {
  if (typeof crcOf === 'function') return crcOf(bytes);
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}
