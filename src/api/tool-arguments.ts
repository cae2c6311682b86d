/** Reads the arguments of a tool call in the forms that hosts send: nothing, or JSON text of an object. */

import { isPlainObject } from '../domain/json.js';
import { isGiven, objectIn } from './input.js';

/** Replaces the arguments in a message that was just parsed. The SDK would refuse all but an object. */
export function readArguments(message: unknown): void {
  if (!isPlainObject(message) || message.method !== 'tools/call') return;
  const { params } = message;
  if (!isPlainObject(params) || !('arguments' in params)) return;
  params.arguments = isGiven(params.arguments) ? objectIn(params.arguments) : {};
}
