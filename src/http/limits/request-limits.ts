/** How much each caller may ask for at once and in a second, so that one of them cannot keep out the others. */
import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { MemoryError } from '../../domain/errors.js';
import { principalOf } from '../principal.js';
import { outlastingWork } from './outlast.js';

/** For each caller by itself; 0 sets no limit. */
export interface RequestLimits {
  maxAtOnce: number;
  maxPerSecond: number;
}

/** Those who watch the service must hear from it when it is busiest. */
const UNLIMITED_PATHS: ReadonlySet<string> = new Set(['/health']);

/** The middleware throws MemoryError `too_many_requests`, with the header Retry-After. */
export function limitRequests({ maxAtOnce, maxPerSecond }: RequestLimits): MiddlewareHandler {
  const countRequest = createRateLimit(maxPerSecond);
  const enter = createConcurrencyLimit(maxAtOnce);
  return async (context, next) => {
    if (UNLIMITED_PATHS.has(context.req.path)) return next();
    const principal = principalOf(context);
    const waitMs = await countRequest(principal);
    if (waitMs > 0) throw tooMany(context, `more than ${maxPerSecond} requests in one second`, waitMs);
    const leave = enter(principal);
    if (!leave) throw tooMany(context, `more than ${maxAtOnce} requests at once`);
    try {
      await next();
    } finally {
      const rest = outlastingWork(context);
      if (rest) void rest.then(leave);
      else leave();
    }
  };
}

function tooMany(context: Context, excess: string, waitMs = 1000): MemoryError {
  context.header('Retry-After', String(Math.ceil(waitMs / 1000)));
  return new MemoryError('too_many_requests', 'Too many requests', {
    hint: `You have sent ${excess}. Wait as long as Retry-After says.`,
  });
}

/** Resolves to the time after which a request may be sent again, 0 where it may go on now. */
function createRateLimit(maxPerSecond: number): (principal: string) => Promise<number> {
  if (maxPerSecond === 0) return async () => 0;
  // It forgets a caller a second after the first request that it counts.
  const limiter = new RateLimiterMemory({ points: maxPerSecond, duration: 1 });
  return async principal => {
    try {
      await limiter.consume(principal);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      throw refusal;
    }
  };
}

/** Gives the function that ends the request, undefined where as many run as may. */
function createConcurrencyLimit(maxAtOnce: number): (principal: string) => (() => void) | undefined {
  if (maxAtOnce === 0) return () => () => {};
  const runningByPrincipal = new Map<string, number>();
  return principal => {
    const running = runningByPrincipal.get(principal) ?? 0;
    if (running >= maxAtOnce) return undefined;
    runningByPrincipal.set(principal, running + 1);
    return () => {
      const left = (runningByPrincipal.get(principal) ?? 1) - 1;
      if (left === 0) runningByPrincipal.delete(principal);
      else runningByPrincipal.set(principal, left);
    };
  };
}
