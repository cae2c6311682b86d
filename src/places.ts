/**
 * Limits how many requests compute at the same time. All requests share the thread of this process, so more of them would
 * only make each other late. They get their places in the order of arrival, and background work goes on between them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryError } from './domain/errors.js';
import type { Clock } from './domain/time.js';

/** More than one, because a request also waits for disks, threads and servers. */
const PLACES = 4;
/** Number of requests with much work that compute at the same time, such as batches. The other places stay for short ones. */
const LONG_PLACES = 2;
/** Maximum number of requests that wait for a place. */
const WAITING_MAX = 512;
const RETRY_AFTER_MS = 1_000;
/** Maximum wait of a step of background work, because this work must end even under constant load. */
const BACKGROUND_WAIT_MAX_MS = 50;

export interface Places {
  /**
   * Runs a request once it has a place. A part of a request that has a place needs no other place.
   *
   * @throws MemoryError `too_many_requests` when too many requests wait
   */
  take<Answer>(request: () => Promise<Answer>): Promise<Answer>;
  /** The same for a request with much work. */
  takeLong<Answer>(request: () => Promise<Answer>): Promise<Answer>;
  /** Resolves when background work may do its next step: when no request has a place, or after 50 ms. */
  afterRequests(): Promise<void>;
}

/** The place of a request. */
interface Place {
  /** Gives the place up during a wait, and queues for it again. */
  leaveFor<Value>(wait: () => Promise<Value>): Promise<Value>;
}

const current = new AsyncLocalStorage<Place>();

/** Waits for a model or another service, and lets another request have the place meanwhile. */
export async function waitOutside<Value>(wait: () => Promise<Value>): Promise<Value> {
  const place = current.getStore();
  return place ? place.leaveFor(wait) : wait();
}

export function createPlaces(clock: Pick<Clock, 'schedule'>): Places {
  const places = createSemaphore(PLACES);
  const longPlaces = createSemaphore(LONG_PLACES);

  const inPlace = async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    let isHeld = true;
    let isDone = false;
    const giveUp = () => {
      if (isHeld) places.leave();
      isHeld = false;
    };
    const leaveFor: Place['leaveFor'] = async wait => {
      giveUp();
      try {
        return await wait();
      } finally {
        // Parts of a request may wait in parallel, and need only one place. The request may also have ended meanwhile.
        if (!isHeld && !isDone) {
          isHeld = true;
          await places.enter();
        }
      }
    };
    try {
      return await current.run({ leaveFor }, request);
    } finally {
      isDone = true;
      giveUp();
    }
  };
  const take: Places['take'] = async request => {
    if (current.getStore()) return request();
    places.assertFree();
    await places.enter();
    return inPlace(request);
  };
  const oneStep = async () => {
    await nextTurn();
    if (!places.isIdle()) await new Promise<void>(resolve => waitForIdle(resolve));
  };
  const waitForIdle = (begin: () => void) => {
    const cancel = clock.schedule(BACKGROUND_WAIT_MAX_MS, begin, true);
    places.onIdle(() => {
      cancel();
      begin();
    });
  };
  let background = Promise.resolve();

  return {
    take,
    takeLong: request =>
      take(async () => {
        longPlaces.assertFree();
        await waitOutside(longPlaces.enter);
        try {
          return await request();
        } finally {
          longPlaces.leave();
        }
      }),
    // Of several waiting steps, one begins at a time.
    afterRequests: () => {
      background = background.then(oneStep);
      return background;
    },
  };
}

/** Lets a limited number of holders in, in the order of their arrival. */
function createSemaphore(limit: number) {
  let count = 0;
  const waiting: (() => void)[] = [];
  let becomeIdle = () => {};
  return {
    /** @throws MemoryError `too_many_requests` when too many requests wait */
    assertFree: () => {
      if (waiting.length >= WAITING_MAX) throw tooMany();
    },
    enter: async () => {
      if (count >= limit) await new Promise<void>(resolve => waiting.push(resolve));
      else count += 1;
    },
    leave: () => {
      // The next request begins in a turn of the event loop of its own, so that many short requests do not run in one turn.
      const next = waiting.shift();
      if (next) return void setImmediate(next);
      count -= 1;
      if (count === 0) setImmediate(becomeIdle);
    },
    isIdle: () => count === 0,
    /** Calls the listener when no holder is left. Only the last listener is called. */
    onIdle: (listener: () => void) => {
      becomeIdle = listener;
    },
  };
}

function tooMany(): MemoryError {
  return new MemoryError('too_many_requests', 'Too many requests at once', {
    hint: `${WAITING_MAX} requests are waiting already. Try again after the time in Retry-After.`,
    retryAfterMs: RETRY_AFTER_MS,
  });
}
