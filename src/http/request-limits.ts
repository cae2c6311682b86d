/** Limits the request rate of each caller, so that one caller cannot exclude the others. */
import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { MemoryError } from '../domain/errors.js';
import { principalOf } from './auth.js';

/** Limits per caller. 0 means no limit. */
export interface RateLimits {
  maxPerSecond: number;
}

/** Paths without limits, because monitoring must work even when the service is busy. */
const UNLIMITED_PATHS: ReadonlySet<string> = new Set(['/health']);

/** The middleware throws MemoryError `too_many_requests`. */
export function limitRequests({ maxPerSecond }: RateLimits): MiddlewareHandler {
  const countRequests = createRateLimit(maxPerSecond);
  return async (context, next) => {
    if (UNLIMITED_PATHS.has(context.req.path)) return next();
    const principal = principalOf(context);
    const admit = async (count: number) => {
      const waitMs = await countRequests(principal, count);
      if (waitMs > 0) throw tooMany(maxPerSecond, waitMs);
    };
    admissions.set(context, admit);
    await admit(1);
    await next();
  };
}

const admissions = new WeakMap<Context, (count: number) => Promise<void>>();

/**
 * Counts a request with several calls as `count` requests.
 *
 * @throws MemoryError `too_many_requests` when the requests exceed a limit
 */
export async function countAs(context: Context, count: number): Promise<void> {
  if (count > 1) await admissions.get(context)?.(count - 1);
}

function tooMany(maxPerSecond: number, retryAfterMs: number): MemoryError {
  return new MemoryError('too_many_requests', 'Too many requests', {
    hint: `You have sent more than ${maxPerSecond} requests in one second. Wait for the time in Retry-After.`,
    retryAfterMs,
  });
}

/** The returned function resolves to the milliseconds until the request may be sent again, or 0 when it may proceed. */
function createRateLimit(maxPerSecond: number): (principal: string, count: number) => Promise<number> {
  if (maxPerSecond === 0) return async () => 0;
  // The limiter forgets a caller one second after the first counted request.
  const limiter = new RateLimiterMemory({ points: maxPerSecond, duration: 1 });
  return async (principal, count) => {
    try {
      await limiter.consume(principal, count);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      throw refusal;
    }
  };
}
