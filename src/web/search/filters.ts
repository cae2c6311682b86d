/** The filters of a search: the parameters of `GET /recall`, as fields. */
import type { RecallParameters } from '../../api/recall-request.js';

export interface Filter {
  name: keyof RecallParameters;
  label: string;
  kind: 'text' | 'number' | 'flag' | 'choice';
  hint?: string;
  /** The first choice is the default. */
  choices?: readonly string[];
}

export const FILTERS: readonly Filter[] = [
  { name: 'tags', label: 'Tags', kind: 'text', hint: 'project:shop, people:ann' },
  { name: 'exclude_tags', label: 'Without tags', kind: 'text', hint: 'draft' },
  { name: 'tag_mode', label: 'Tags needed', kind: 'choice', choices: ['any', 'all'] },
  { name: 'tag_match', label: 'Tags match', kind: 'choice', choices: ['prefix', 'exact'] },
  { name: 'time_query', label: 'Created', kind: 'text', hint: 'last 7 days' },
  { name: 'start', label: 'Created from', kind: 'text', hint: '2026-05-01 or last week' },
  { name: 'end', label: 'Created until', kind: 'text', hint: '2026-05-31 or yesterday' },
  { name: 'state_mode', label: 'State', kind: 'choice', choices: ['current', 'history'] },
  {
    name: 'sort',
    label: 'Order',
    kind: 'choice',
    choices: ['score', 'time_desc', 'time_asc', 'updated_desc', 'updated_asc'],
  },
  { name: 'limit', label: 'Results', kind: 'number', hint: '20' },
  { name: 'min_score', label: 'Minimum score', kind: 'number', hint: '0.3' },
  { name: 'recency_bias', label: 'Prefer newer', kind: 'choice', choices: ['auto', 'on', 'off'] },
  { name: 'queries', label: 'Further questions', kind: 'text', hint: 'which editor, which shell' },
  { name: 'per_query_limit', label: 'Results for each question', kind: 'number' },
  { name: 'context', label: 'Your work now', kind: 'text', hint: 'moving the shop to May’s database' },
  { name: 'language', label: 'Programming language', kind: 'text', hint: 'typescript' },
  { name: 'active_path', label: 'File being edited', kind: 'text', hint: 'src/orders.ts' },
  { name: 'context_tags', label: 'Raise tags', kind: 'text', hint: 'project:shop' },
  { name: 'context_types', label: 'Raise types', kind: 'text', hint: 'Decision, Style' },
  { name: 'priority_ids', label: 'Raise ids', kind: 'text' },
  { name: 'relation_limit', label: 'Maximum relations of a result', kind: 'number', hint: '5' },
  { name: 'expansion_limit', label: 'Maximum added memories', kind: 'number' },
  { name: 'expand_min_importance', label: 'Minimum importance of added memories', kind: 'number', hint: '0 to 1' },
  { name: 'expand_min_strength', label: 'Minimum strength of relations', kind: 'number', hint: '0 to 1' },
  { name: 'max_tokens', label: 'Maximum tokens of the answer', kind: 'number' },
  { name: 'expand_respect_tags', label: 'Add only memories with the tags', kind: 'flag' },
  { name: 'expand_relations', label: 'Add related memories', kind: 'flag' },
  { name: 'expand_entities', label: 'Add memories about the same people and things', kind: 'flag' },
  { name: 'auto_decompose', label: 'Also search for each name and subject', kind: 'flag' },
  { name: 'scope_fallback', label: 'Fill up with memories without the tags', kind: 'flag' },
  { name: 'adaptive_floor', label: 'Leave out results after a gap in the scores', kind: 'flag' },
];

const LISTS: ReadonlySet<string> = new Set([
  'tags',
  'exclude_tags',
  'queries',
  'context_tags',
  'context_types',
  'priority_ids',
]);
const RESULTS = 20;

/** The fields that have a value, as parameters of a recall. */
export function toRecall(fields: URLSearchParams): RecallParameters {
  const given: Record<string, unknown> = { limit: RESULTS, explain: true };
  const query = fields.get('query')?.trim();
  if (query) given.query = query;
  for (const { name, kind } of FILTERS) {
    const value = fields.get(name)?.trim() ?? '';
    if (value !== '') given[name] = readValue(name, kind, value);
  }
  return given as RecallParameters;
}

function readValue(name: string, kind: Filter['kind'], value: string): unknown {
  if (LISTS.has(name)) {
    return value
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '');
  }
  // A text that is not a number is sent unchanged. The service refuses it and names the field.
  if (kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  return kind === 'flag' ? true : value;
}

/** Counts the filters that have a value. */
export function countFilters(fields: URLSearchParams): number {
  return FILTERS.filter(({ name }) => (fields.get(name) ?? '') !== '').length;
}
