/** The operations for hooks of assistants' hosts. */
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
      summary: 'Give an assistant what it should know at the start of a conversation',
      body: sessionStartRequest,
      answers: { 200: contextAnswer },
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
      summary: 'Give an assistant the memories that answer a prompt, or nothing',
      body: promptRequest,
      answers: { 200: contextAnswer },
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
      summary: 'Note whether memories were used, and ask once in a conversation to store what was decided',
      body: stopRequest,
      answers: { 200: stopAnswer },
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
      summary: 'Say which memories assistants were given without asking, why, and whether they used them',
      query: hookLogPage,
      answers: { 200: hookLogAnswer },
      failures: ['invalid'],
      run: async (engine, { query }) => {
        const request = toHookLogRequest(readObject(hookLogPage, query, 'The query'));
        return { status: 200, body: renderHookLog(await engine.hooks.log(request)) };
      },
    },
  ];
}
