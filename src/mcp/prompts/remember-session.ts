/** The prompt `remember-session`: asks the assistant to store the useful parts of a conversation. */
import { type Prompt, TAGS_ARGUMENT, tagsIn } from './prompt.js';

export const rememberSession: Prompt = {
  name: 'remember-session',
  title: 'Remember this session',
  description: 'Asks the assistant to store the parts of this conversation that will be useful later.',
  arguments: [
    { name: 'focus', description: 'The subject that matters most; if omitted, all count the same', required: false },
    TAGS_ARGUMENT,
  ],
  isWriting: true,
  async write(args) {
    const tags = tagsIn(args);
    return [
      'Go through our conversation and store the parts that later conversations will need: decisions and their ' +
        'reasons, preferences, corrections, patterns, and the causes of bugs with their fixes.',
      ...(args.focus ? [`This matters most to me: ${args.focus}`] : []),
      'Call recall_memory first. If a known fact has changed, use update_memory, or pass the id of the old memory ' +
        'as supersedes_memory_id. Store everything else with store_memory: one fact per memory, in sentences that ' +
        'stand alone.',
      ...(tags.length > 0 ? [`Give each memory these tags in addition to its own: ${tags.join(', ')}`] : []),
      'Do not store secrets. At the end, list briefly what you have stored and changed.',
    ].join('\n\n');
  },
};
