import type { Entity } from '../../domain/entity.js';

export function recognizeEntities(_text: string): Entity[] {
  return [];
}
