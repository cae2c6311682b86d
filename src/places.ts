/**
 * Limits how many requests compute at the same time. All requests share the thread of this process, so more of them would
 * only make each other late. They get their places in the order of arrival, and background work goes on between them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { MemoryError } from './domain/errors.js';
import type { Clock } from './domain/time.js';
import { yieldToEventLoop } from './event-loop.js';

/** More than one, because a request also waits for disks, threads and servers. */
const PLACES = 4;
/** Maximum number of requests that wait for a place. */
const WAITING_MAX = 512;
const RETRY_AFTER_MS = 1_000;
/** How long a request keeps its place while others wait, if its work can be interrupted. */
const TURN_MS = 20;
/** Maximum wait of a step of background work, because this work must end even under constant load. */
const BACKGROUND_WAIT_MAX_MS = 50;

export interface Places {
  /**
   * Runs a request once it has a place. A part of a request that has a place needs no other place.
   *
   * @throws MemoryError `too_many_requests` when too many requests wait
   */
  take<Answer>(request: () => Promise<Answer>): Promise<Answer>;
  /**
   * Resolves when background work may do its next step: when no request has a place, or after 50 ms. Of several waiting
   * steps only one begins then.
   */
  afterRequests(): Promise<void>;
}

/** The place of a request. */
interface Place {
  /** Gives the place up during a wait, and queues for it again. */
  leaveFor<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** Whether others wait, and the request has had its turn. */
  isTurnOver(): boolean;
}

const current = new AsyncLocalStorage<Place | undefined>();

/**
 * Lets others run between two steps of long work. A request whose turn is over goes to the end of the queue. The caller must
 * not hold a lock.
 */
export async function passTurn(): Promise<void> {
  const place = current.getStore();
  if (place?.isTurnOver()) await place.leaveFor(yieldToEventLoop);
  else await yieldToEventLoop();
}

/** Waits for a model or another service, and lets another request have the place meanwhile. */
export async function waitOutside<Value>(wait: () => Promise<Value>): Promise<Value> {
  const place = current.getStore();
  return place ? place.leaveFor(wait) : wait();
}

export function createPlaces(clock: Pick<Clock, 'elapsedMs' | 'schedule'>): Places {
  let takenCount = 0;
  const waiting: (() => void)[] = [];
  const background = createBackground(clock, () => takenCount === 0);

  const enter = async (): Promise<void> => {
    if (takenCount >= PLACES) await new Promise<void>(resolve => waiting.push(resolve));
    else takenCount += 1;
  };
  const leave = () => {
    const next = waiting.shift();
    // The next request begins in a turn of the event loop of its own, so that many short requests do not run in one turn.
    if (next) return void setImmediate(next);
    takenCount -= 1;
    if (takenCount === 0) background.wake();
  };
  const inPlace = async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    let sinceMs = clock.elapsedMs();
    let entering: Promise<void> | undefined;
    let isHeld = true;
    let isDone = false;
    const giveUp = () => {
      if (isHeld) leave();
      isHeld = false;
    };
    const enterAgain = async () => {
      await enter();
      entering = undefined;
      sinceMs = clock.elapsedMs();
      isHeld = true;
      // The request may have ended without waiting for this part of it.
      if (isDone) giveUp();
    };
    const place: Place = {
      leaveFor: async wait => {
        giveUp();
        try {
          return await wait();
        } finally {
          // Parts of a request may wait in parallel. They need only one place.
          if (!isHeld && !isDone) {
            entering ??= enterAgain();
            await entering;
          }
        }
      },
      isTurnOver: () => isHeld && waiting.length > 0 && clock.elapsedMs() - sinceMs >= TURN_MS,
    };
    try {
      return await current.run(place, request);
    } finally {
      isDone = true;
      giveUp();
    }
  };

  return {
    take: async request => {
      if (current.getStore()) return request();
      if (waiting.length >= WAITING_MAX) throw tooMany();
      await enter();
      return inPlace(request);
    },
    afterRequests: background.wait,
  };
}

/** Queues the steps of background work. */
function createBackground(clock: Pick<Clock, 'schedule'>, isIdle: () => boolean) {
  const steps: (() => void)[] = [];
  let cancel: (() => void) | undefined;
  const wakeOne = () => {
    cancel?.();
    cancel = undefined;
    steps.shift()?.();
    if (steps.length === 0) return;
    if (isIdle()) setImmediate(wakeIfIdle);
    else wakeLater();
  };
  const wakeLater = () => {
    cancel ??= clock.schedule(BACKGROUND_WAIT_MAX_MS, wakeOne, true);
  };
  const wakeIfIdle = () => {
    if (isIdle()) wakeOne();
    else if (steps.length > 0) wakeLater();
  };
  return {
    wake: () => void setImmediate(wakeIfIdle),
    wait: async () => {
      await yieldToEventLoop();
      if (isIdle() && steps.length === 0) return;
      await new Promise<void>(resolve => {
        steps.push(resolve);
        if (isIdle()) setImmediate(wakeIfIdle);
        else wakeLater();
      });
    },
  };
}

function tooMany(): MemoryError {
  return new MemoryError('too_many_requests', 'Too many requests at once', {
    hint: `${WAITING_MAX} requests are waiting already. Try again after the time in Retry-After.`,
    retryAfterMs: RETRY_AFTER_MS,
  });
}
