/** Reads the beginning of a file. */
import { open } from 'node:fs/promises';

/** Number of bytes from which the format of a file is recognised. */
const HEAD_BYTES = 262_144;

/** The encoding `latin1` keeps every byte, so that bytes that are not text can be compared too. */
export async function headOf(path: string, encoding: 'latin1' | 'utf8' = 'latin1'): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString(encoding, 0, bytesRead);
  } finally {
    await file.close();
  }
}
