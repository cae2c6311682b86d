/** The sources for programs that store notes in a folder. */
import { notesFolder } from './notes-folder.js';
import type { Source } from './source.js';

export const claudeCode = (folder: string): Promise<Source> => notesFolder(folder, 'claude-code');
export const codex = (folder: string): Promise<Source> => notesFolder(folder, 'codex');
export const basicMemory = (folder: string): Promise<Source> => notesFolder(folder, 'basic-memory');
