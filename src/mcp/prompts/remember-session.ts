/** The prompt `remember-session`: asks the assistant to store the useful parts of a conversation. */
import { type Prompt, TAGS_ARGUMENT, tagsIn } from './prompt.js';

export const rememberSession: Prompt = {
  name: 'remember-session',
  title: 'Remember this session',
  description: 'Asks the assistant to store the parts of this conversation that will be useful later.',
  arguments: [
    { name: 'focus', description: 'What matters most; everything, if left out', required: false },
    TAGS_ARGUMENT,
  ],
  isWriting: true,
  async write(args) {
    const tags = tagsIn(args);
    return [
      'Go through our conversation and keep what will be worth knowing in later ones: decisions and their reasons, ' +
        'preferences, corrections, patterns, and the causes of bugs with their fixes.',
      ...(args.focus ? [`What matters most to me: ${args.focus}`] : []),
      'Call recall_memory first. Where a known fact has changed, use update_memory, or name the old memory in ' +
        'supersedes_memory_id. Store everything else with store_memory: one fact in one memory, in sentences that stand alone.',
      ...(tags.length > 0 ? [`Give each memory these tags, besides its own: ${tags.join(', ')}`] : []),
      'Store no secrets. Tell me at the end in a short list what you have stored and what you have changed.',
    ].join('\n\n');
  },
};
