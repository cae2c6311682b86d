/** Explains why a memory is missing from the results. The person enters its id. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { RecallParameters } from '../../api/recall-request.js';
import type { WhyNotAnswer } from '../../api/why-not.js';
import { html } from '../html.js';
import { hrefOfMemory } from '../shell/route.js';
import { messageOf, useShell } from '../shell/shell.js';
import { ScoreBar } from './score-bar.js';

export function WhyNot({ parameters }: { parameters: RecallParameters }): VNode {
  const { service } = useShell();
  const [id, setId] = useState('');
  const [answer, setAnswer] = useState<WhyNotAnswer | undefined>();
  const [error, setError] = useState<string | undefined>();
  const ask = async (event: Event) => {
    event.preventDefault();
    try {
      setAnswer(await service.whyNot(id.trim(), parameters));
      setError(undefined);
    } catch (failure) {
      setAnswer(undefined);
      setError(messageOf(failure));
    }
  };
  return html`<details class="why-not"><summary>Is a memory missing?</summary>
    <form onSubmit=${ask}>
      <label>Id of the memory that you expected <input type="text" required value=${id} spellcheck=${false}
        onInput=${(event: Event) => setId((event.target as HTMLInputElement).value)} /></label>
      <button>Why is it not here?</button>
    </form>
    <div role="status">${error && html`<p class="error">${error}</p>`}
    ${
      answer &&
      html`<p><a href=${hrefOfMemory(answer.id)}>This memory</a>: ${answer.message}${
        answer.rank !== undefined && ` It ranks ${answer.rank}.`
      }${answer.cutoff_score !== undefined && ` The last result has the score ${answer.cutoff_score.toFixed(3)}.`}</p>
      <${ScoreBar} explanation=${answer.explanation} score=${answer.final_score}
        full=${Math.max(answer.final_score, answer.cutoff_score ?? 0, 0.01)} />`
    }</div>
  </details>`;
}
