/** The interface of the Gemini models, which Gemini CLI calls. */
import { contentTexts, type Dialect, events, type Json, objects, type Reply } from './dialect.js';

export const GEMINI: Dialect = {
  accepts: path => /:(?:streamGenerate|generate)Content$/.test(path),
  texts: ({ systemInstruction, contents }) => [
    ...contentTexts((systemInstruction as Json | undefined)?.parts).map(text => ({ role: 'system', text })),
    ...objects(contents).flatMap(({ role, parts }) =>
      objects(parts).flatMap(part =>
        part.functionResponse === undefined
          ? contentTexts([part]).map(text => ({ role: String(role), text }))
          : [{ role: 'tool', text: JSON.stringify(part.functionResponse) }],
      ),
    ),
  ],
  tools: ({ tools }) =>
    objects(tools).flatMap(({ functionDeclarations }) => objects(functionDeclarations).map(({ name }) => String(name))),
  answer: ({ generationConfig }, reply, path) => {
    const isJson = (generationConfig as Json | undefined)?.responseMimeType === 'application/json';
    const answer = {
      candidates: [
        { content: { role: 'model', parts: [isJson ? ROUTING : part(reply)] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    };
    const isStream = path.includes(':stream');
    return { isStream, body: isStream ? events([{ data: answer }]) : JSON.stringify(answer) };
  },
};

/** Answers the questions that Gemini CLI asks a small model: which model to use, and who speaks next. */
const ROUTING: Json = {
  text: JSON.stringify({
    complexity_reasoning: 'simple',
    complexity_score: 10,
    reasoning: 'simple',
    next_speaker: 'user',
  }),
};

function part(reply: Reply): Json {
  return 'text' in reply ? { text: reply.text } : { functionCall: { name: reply.tool, args: reply.input } };
}
