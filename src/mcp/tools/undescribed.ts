/**
 * Removes the descriptions from the fields of list items, because the same fields outside the list already have them.
 * Models read the list of tools with every request, so the list must be short.
 */
import type { z } from 'zod';

export function undescribed<Shape extends Record<string, z.ZodType>>(shape: Shape): Shape {
  const fields = Object.entries(shape).map(([name, field]) => [name, field.meta({ description: undefined })]);
  return Object.fromEntries(fields) as Shape;
}
