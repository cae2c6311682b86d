/** Reads the notes of a folder as memories. */
import { isUtf8 } from 'node:buffer';
import type { MemoryLine } from '../../api/transfer-records.js';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { filesIn, readBounded } from '../folder.js';
import { INDEX } from './export-folder.js';
import { readNote } from './front-matter.js';
import { isNoteName, recordOfNote } from './note-record.js';

/** Maximum size of a note, which consists of front matter and the content of a memory. */
const NOTE_MAX_BYTES = 4 * 1_048_576;

export type ReadMemory = { path: string; record: MemoryLine } | { path: string; problem: string };

/** Yields each note as a memory, or the reason why the note cannot be read. Skips index files. */
export async function* notesIn(folder: string): AsyncGenerator<ReadMemory> {
  const isNote = (name: string) => isNoteName(name) && name.split('/').at(-1)?.toLowerCase() !== INDEX;
  for await (const { path, name } of filesIn(folder, isNote)) {
    try {
      const { bytes, modifiedMs } = await readBounded(path, NOTE_MAX_BYTES);
      if (!isUtf8(bytes)) throw new MemoryError('invalid', 'The note is not text in UTF-8');
      yield { path: name, record: recordOfNote(readNote(bytes.toString('utf8')), { path: name, modifiedMs }) };
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      yield { path: name, problem: messageOf(error) };
    }
  }
}
