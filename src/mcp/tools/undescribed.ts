/** Fields of the items of a list, whose meaning the fields of a single item tell already: a list of tools is read with every request. */
import type { z } from 'zod';

export function undescribed<Shape extends Record<string, z.ZodType>>(shape: Shape): Shape {
  const fields = Object.entries(shape).map(([name, field]) => [name, field.meta({ description: undefined })]);
  return Object.fromEntries(fields) as Shape;
}
