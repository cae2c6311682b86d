/** The operations that hooks of host programs, such as Claude Code, call. */
import { contextAnswer, hookLogAnswer, stopAnswer } from './answers/hooks.js';
import { readObject } from './input.js';
import type { Operation } from './operation.js';
import { renderContext, renderHookLog, renderStop } from './render/hooks.js';
import {
  hookLogPage,
  promptRequest,
  sessionStartRequest,
  stopRequest,
  toHookLogRequest,
  toPrompt,
  toSessionStart,
  toTurnEnd,
} from './requests/hooks.js';

export function hookOperations(): Operation[] {
  return [
    {
      name: 'hookSessionStart',
      method: 'POST',
      path: '/hooks/session-start',
      access: 'token',
      tag: 'hooks',
      summary: 'Get the memories that an assistant should know at the start of a conversation',
      body: sessionStartRequest,
      answers: { 200: contextAnswer },
      needsNoPlace: true,
      failures: ['invalid'],
      run: async (engine, { body }) => {
        const start = toSessionStart(readObject(sessionStartRequest, body, 'The body'));
        return { status: 200, body: renderContext('SessionStart', await engine.hooks.sessionStart(start)) };
      },
    },
    {
      name: 'hookPrompt',
      method: 'POST',
      path: '/hooks/prompt',
      access: 'token',
      tag: 'hooks',
      summary: 'Get the memories that answer a prompt, if there are any',
      body: promptRequest,
      answers: { 200: contextAnswer },
      needsNoPlace: true,
      failures: ['invalid'],
      run: async (engine, { body }) => {
        const prompt = toPrompt(readObject(promptRequest, body, 'The body'));
        return { status: 200, body: renderContext('UserPromptSubmit', await engine.hooks.prompt(prompt)) };
      },
    },
    {
      name: 'hookStop',
      method: 'POST',
      path: '/hooks/stop',
      access: 'token',
      tag: 'hooks',
      summary: 'Record whether memories were used, and ask at most once per conversation to store decisions',
      body: stopRequest,
      answers: { 200: stopAnswer },
      needsNoPlace: true,
      failures: ['invalid'],
      run: async (engine, { body }) => {
        const end = toTurnEnd(readObject(stopRequest, body, 'The body'));
        return { status: 200, body: renderStop(await engine.hooks.turnEnd(end)) };
      },
    },
    {
      name: 'hookLog',
      method: 'GET',
      path: '/hooks/log',
      access: 'token',
      tag: 'hooks',
      summary: 'List the memories that hooks gave to assistants, with the reason and whether they were used',
      query: hookLogPage,
      answers: { 200: hookLogAnswer },
      needsNoPlace: true,
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const request = toHookLogRequest(readObject(hookLogPage, query, 'The query'));
        return { status: 200, body: renderHookLog(await engine.hooks.log(request)) };
      },
    },
  ];
}
