/** How the tools list metadata. */
import type { z } from 'zod';

/** Lists one property, although all are accepted, because some models refuse an object without properties. */
export function withSource<Field extends z.ZodType>(metadata: Field): Field {
  return metadata.meta({ properties: { source: { type: 'string' } } });
}
