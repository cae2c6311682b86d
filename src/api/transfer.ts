/** Reading and writing all data in pages. Export and import call these operations. */

import { invalidField, MemoryError, messageOf } from '../domain/errors.js';
import type { InputLimits } from '../domain/input-limits.js';
import { isPlainObject } from '../domain/json.js';
import { TRANSFER_PAGE_MAX } from '../domain/transfer.js';
import { passTurn } from '../places.js';
import { exportPageAnswer, importPageAnswer } from './answers/transfer.js';
import { flag } from './fields.js';
import { listIn, objectIn, optional, readField, readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { renderExportPage, renderImportReport, toImportPage } from './render/transfer.js';
import {
  exportPageRequest,
  importPageRequest,
  readTransferLine,
  type TransferLine,
  toExportPageRequest,
} from './requests/transfer.js';

/** Number of records that are checked before the thread yields to the event loop. */
const RECORDS_PER_TURN = 20;

export function transferOperations(limits: InputLimits): Operation[] {
  return [
    {
      ...routeOf('exportPage'),
      access: 'admin',
      tag: 'service',
      summary: 'Read a page of an export, which an import accepts',
      query: exportPageRequest,
      answers: { 200: exportPageAnswer },
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const request = toExportPageRequest(readObject(exportPageRequest, query, 'The query'));
        return renderExportPage(await engine.transfer.exportPage(request));
      },
    },
    {
      ...routeOf('importPage'),
      access: 'admin',
      tag: 'service',
      summary: 'Write a page of an export; newer stored records stay unchanged',
      body: importPageRequest,
      answers: { 200: importPageAnswer },
      failures: ['invalid', 'conflict'],
      run: async (engine, { body }) => {
        const { records, ...flags } = await readImportPage(body);
        const page = toImportPage(records, { vectorSize: limits.vectorSize, ...flags });
        return renderImportReport(await engine.transfer.importPage(page), flags.isDryRun);
      },
    },
  ];
}

/** @throws MemoryError `invalid` with the position of a record that cannot be read */
async function readImportPage(given: unknown) {
  const body = objectIn(given);
  if (!isPlainObject(body)) throw new MemoryError('invalid', 'The body must be a JSON object');
  const records = listIn(body.records);
  if (!Array.isArray(records)) throw invalidField('records', 'must be an array');
  if (records.length > TRANSFER_PAGE_MAX) throw invalidField('records', `must have at most ${TRANSFER_PAGE_MAX} items`);
  const isDryRun = readField(optional(flag), body.dry_run, 'dry_run') ?? false;
  const readsTypes = readField(optional(flag), body.read_types, 'read_types') ?? false;
  const allowsCredentials = readField(optional(flag), body.allow_credentials, 'allow_credentials') ?? false;
  const isLast = readField(optional(flag), body.last, 'last') ?? false;
  const read: TransferLine[] = [];
  for (const [index, record] of records.entries()) {
    if (index > 0 && index % RECORDS_PER_TURN === 0) await passTurn();
    try {
      read.push(readTransferLine(objectIn(record)));
    } catch (error) {
      throw new MemoryError('invalid', `Record ${index} of the page cannot be read: ${messageOf(error)}`, { index });
    }
  }
  return { records: read, isDryRun, readsTypes, allowsCredentials, isLast };
}
