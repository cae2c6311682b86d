/** Limits the parallel requests and the request rate of each caller, so that one caller cannot exclude the others. */
import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { MemoryError } from '../../domain/errors.js';
import { principalOf } from '../principal.js';
import { outlastingWork } from './outlast.js';

/** Limits per caller. 0 means no limit. */
export interface RequestLimits {
  maxAtOnce: number;
  maxPerSecond: number;
}

/** Paths without limits, because monitoring must work even when the service is busy. */
const UNLIMITED_PATHS: ReadonlySet<string> = new Set(['/health']);

/** The middleware throws MemoryError `too_many_requests`. */
export function limitRequests({ maxAtOnce, maxPerSecond }: RequestLimits): MiddlewareHandler {
  const countRequests = createRateLimit(maxPerSecond);
  const enter = createConcurrencyLimit(maxAtOnce);
  return async (context, next) => {
    if (UNLIMITED_PATHS.has(context.req.path)) return next();
    const principal = principalOf(context);
    const leaving: (() => void)[] = [];
    const admit = async (count: number) => {
      const waitMs = await countRequests(principal, count);
      if (waitMs > 0) throw tooMany(`more than ${maxPerSecond} requests in one second`, waitMs);
      const leave = enter(principal, count);
      if (!leave) throw tooMany(`more than ${maxAtOnce} requests at once`);
      leaving.push(leave);
    };
    admissions.set(context, admit);
    const leaveAll = () => {
      for (const leave of leaving) leave();
    };
    await admit(1);
    try {
      await next();
    } finally {
      const rest = outlastingWork(context);
      if (rest) void rest.then(leaveAll);
      else leaveAll();
    }
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

function tooMany(excess: string, retryAfterMs = 1000): MemoryError {
  return new MemoryError('too_many_requests', 'Too many requests', {
    hint: `You have sent ${excess}. Wait for the time in Retry-After.`,
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

/**
 * The returned function counts requests as running. If the requests exceed the limit, it does not count them and
 * returns undefined. Otherwise it returns another function, which ends the count.
 */
function createConcurrencyLimit(maxAtOnce: number): (principal: string, count: number) => (() => void) | undefined {
  if (maxAtOnce === 0) return () => () => {};
  const runningByPrincipal = new Map<string, number>();
  return (principal, count) => {
    const running = (runningByPrincipal.get(principal) ?? 0) + count;
    if (running > maxAtOnce) return undefined;
    runningByPrincipal.set(principal, running);
    return () => {
      const left = (runningByPrincipal.get(principal) ?? count) - count;
      if (left === 0) runningByPrincipal.delete(principal);
      else runningByPrincipal.set(principal, left);
    };
  };
}
