/** The health of the service. */

import { type HealthAnswer, healthAnswer } from './answers/health.js';
import { type Operation, routeOf } from './operation.js';
import { renderHealth } from './render/health.js';

export const healthOperation: Operation = {
  ...routeOf('health'),
  access: 'public',
  tag: 'service',
  summary: 'Get the health of the service; status 503 when it is degraded',
  answers: { 200: healthAnswer, 503: healthAnswer },
  needsNoPlace: true,
  failures: [],
  statusOf: answer => ((answer as HealthAnswer).status === 'healthy' ? 200 : 503),
  run: async engine => renderHealth(await engine.health()),
};
