/** The route of every operation, and the method of a client that calls it, in this process or over HTTP. */
import type { AnalysisAnswer, CredentialPageParameters, CredentialsAnswer } from './analysis.js';
import type { ConsolidateParameters } from './consolidation.js';
import type {
  BinAnswer,
  ConsolidateAnswer,
  ConsolidationStatusAnswer,
  ProposalsAnswer,
  RestoreAnswer,
  RunDetailsAnswer,
  SettledProposalAnswer,
  UndoAnswer,
} from './consolidation-answers.js';
import type { HealthAnswer } from './health.js';
import type {
  ContextAnswer,
  ConversationParameters,
  HookLogAnswer,
  HookLogParameters,
  PromptParameters,
  SessionStartParameters,
  StopAnswer,
  StopParameters,
  SummaryAnswer,
  TryAnswer,
  TryParameters,
} from './hooks.js';
import type {
  ReembedAnswer,
  ReembedParameters,
  ReprocessAnswer,
  SyncAnswer,
  SyncParameters,
  WorkStatusAnswer,
} from './maintenance.js';
import type {
  ChangeAnswer,
  HistoryAnswer,
  MemoryAnswer,
  StoreAnswer,
  StoreManyAnswer,
  UpdateAnswer,
} from './memories.js';
import type { MemoryPatchRequest, NewMemoryRequest, StoreRequest } from './memory-requests.js';
import type { RecallAnswer, StartupRecallAnswer } from './recall.js';
import type { RecallParameters } from './recall-request.js';
import type {
  AssociationAnswer,
  AssociationRequest,
  AssociationsAnswer,
  RelatedAnswer,
  RelatedParameters,
} from './relations.js';
import type {
  ChangedProjectAnswer,
  ProjectParameters,
  ProjectsAnswer,
  TagPageAnswer,
  TagPageParameters,
  TagRemovalAnswer,
} from './tags.js';
import type { ExportPageAnswer, ImportPageAnswer } from './transfer.js';
import type { ExportPageParameters, ImportPageParameters } from './transfer-records.js';
import type { WhyNotAnswer } from './why-not.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Route {
  method: Method;
  /** Parameters are written as `:name`. */
  path: string;
  /** Carried out at most once, because a repetition is costly, too late for its caller, or has another answer. */
  isAttemptedOnce?: boolean;
}

const get = (path: string): Route => ({ method: 'GET', path });
const post = (path: string): Route => ({ method: 'POST', path });
const postOnce = (path: string): Route => ({ ...post(path), isAttemptedOnce: true });

export const ROUTES = {
  health: get('/health'),
  workStatus: get('/enrichment/status'),
  analyze: get('/analyze'),
  credentials: get('/analyze/credentials'),
  startupRecall: get('/startup-recall'),
  projects: get('/projects'),
  noteProject: postOnce('/projects'),
  reprocess: post('/enrichment/reprocess'),
  reembed: postOnce('/admin/reembed'),
  sync: postOnce('/admin/sync'),
  consolidate: postOnce('/consolidate'),
  consolidationStatus: get('/consolidate/status'),
  consolidationRun: get('/consolidate/runs/:id'),
  undoConsolidation: postOnce('/consolidate/undo'),
  bin: get('/admin/bin'),
  restore: postOnce('/admin/restore'),
  proposals: get('/consolidate/proposals'),
  settleProposal: postOnce('/consolidate/proposals/:id'),
  recall: get('/recall'),
  whyNot: get('/recall/why-not'),
  hookSessionStart: postOnce('/hooks/session-start'),
  hookPrompt: postOnce('/hooks/prompt'),
  hookStop: postOnce('/hooks/stop'),
  hookPreCompact: postOnce('/hooks/pre-compact'),
  hookSessionEnd: postOnce('/hooks/session-end'),
  hookTry: get('/hooks/try'),
  hookLog: get('/hooks/log'),
  associate: post('/associate'),
  related: get('/memories/:id/related'),
  listByTag: get('/memory/by-tag'),
  removeByTag: { method: 'DELETE', path: '/memory/by-tag' },
  store: post('/memory'),
  storeMany: post('/memory/batch'),
  get: get('/memory/:id'),
  update: { method: 'PATCH', path: '/memory/:id' },
  remove: { method: 'DELETE', path: '/memory/:id' },
  history: get('/memory/:id/history'),
  restoreVersion: post('/memory/:id/restore'),
  exportPage: get('/admin/export'),
  importPage: post('/admin/import'),
} satisfies Record<string, Route>;

export type OperationName = keyof typeof ROUTES;

const ATTEMPTED_ONCE = Object.values<Route>(ROUTES)
  .filter(({ isAttemptedOnce }) => isAttemptedOnce)
  .map(({ method, path }) => new RegExp(`^${method} ${path.replace(':id', '[^/?]+')}(?:\\?|$)`));

/** @param target path of the request, with its query */
export function isAttemptedOnce(method: string, target: string): boolean {
  return ATTEMPTED_ONCE.some(route => route.test(`${method} ${target}`));
}

/**
 * Every method of a client rejects with EngraphError when the service refuses the request, or when no attempt succeeds in time. A
 * call that gets no answer, a 429 or a 5xx is attempted up to three more times, except for `reembed`, `sync`,
 * `consolidate`, `undoConsolidation`, `restore`, `settleProposal`, `noteProject` and the calls for hooks other than
 * `hookLog`.
 *
 * A retry never stores a memory twice, because each memory has an id before it is sent. `update`, `restoreVersion`,
 * `associate`, `associateMany` and `removeByTag` may be executed more than once. The result is the same unless another
 * client writes in between. `reprocess` may enrich a memory more than once.
 */
export interface EngraphClient {
  store(memory: StoreRequest): Promise<StoreAnswer>;
  /** Stores all memories, or none. */
  storeMany(memories: readonly NewMemoryRequest[]): Promise<StoreManyAnswer>;
  get(id: string): Promise<MemoryAnswer>;
  update(id: string, change: MemoryPatchRequest): Promise<UpdateAnswer>;
  /** The states of a memory before its last edits: at most ten, and fewer if they are long. */
  history(id: string): Promise<HistoryAnswer>;
  /** Takes back the edit that replaced the version, and all later edits. */
  restoreVersion(id: string, version: number): Promise<ChangeAnswer>;
  /** If an earlier attempt of this call got no answer, an unknown id counts as removed. */
  remove(id: string): Promise<ChangeAnswer>;
  recall(parameters?: RecallParameters): Promise<RecallAnswer>;
  whyNot(id: string, parameters?: RecallParameters): Promise<WhyNotAnswer>;
  associate(association: AssociationRequest): Promise<AssociationAnswer>;
  /** Each association succeeds or fails independently. */
  associateMany(associations: readonly AssociationRequest[]): Promise<AssociationsAnswer>;
  related(id: string, parameters?: RelatedParameters): Promise<RelatedAnswer>;
  listByTag(parameters: TagPageParameters): Promise<TagPageAnswer>;
  /**
   * If an earlier attempt of this call got no answer, the count includes only the memories that the last attempt
   * removed.
   */
  removeByTag(tags: readonly string[]): Promise<TagRemovalAnswer>;
  /** Also resolves for a degraded service. */
  health(): Promise<HealthAnswer>;
  workStatus(): Promise<WorkStatusAnswer>;
  /** A part of the answer is null if the service cannot determine it. */
  analyze(): Promise<AnalysisAnswer>;
  /** One page of memories that seem to contain a credential. Pass `next` of the answer as `after` for the next page. */
  credentials(page?: CredentialPageParameters): Promise<CredentialsAnswer>;
  startupRecall(): Promise<StartupRecallAnswer>;
  /** The former names of projects under which recalls find their memories too. */
  projects(): Promise<ProjectsAnswer>;
  /** Attempted once, because a store may wait for it, and hooks note the project again. */
  noteProject(project: ProjectParameters): Promise<ChangedProjectAnswer>;
  reprocess(ids: readonly string[]): Promise<ReprocessAnswer>;
  /** Attempted once, because every attempt may make all vectors again. */
  reembed(request?: ReembedParameters): Promise<ReembedAnswer>;
  /** Attempted once, because every attempt compares the complete stores. */
  sync(request?: SyncParameters): Promise<SyncAnswer>;
  /** Attempted once. If no answer comes in time, the run continues, and `consolidationStatus` shows its result. */
  consolidate(request?: ConsolidateParameters): Promise<ConsolidateAnswer>;
  consolidationStatus(): Promise<ConsolidationStatusAnswer>;
  /** @param page number of the page of changes, from 0 */
  consolidationRun(runId: string, page?: number): Promise<RunDetailsAnswer>;
  /** Attempted once. */
  undoConsolidation(runId: string): Promise<UndoAnswer>;
  bin(limit?: number): Promise<BinAnswer>;
  restore(ids: readonly string[]): Promise<RestoreAnswer>;
  proposals(limit?: number): Promise<ProposalsAnswer>;
  settleProposal(id: string, action: 'accept' | 'dismiss' | 'reopen'): Promise<SettledProposalAnswer>;
  /** All calls for hooks except `hookLog` are attempted once, because an assistant cannot use late memories. */
  hookSessionStart(start: SessionStartParameters): Promise<ContextAnswer>;
  hookPrompt(prompt: PromptParameters): Promise<ContextAnswer>;
  hookStop(end: StopParameters): Promise<StopAnswer>;
  hookPreCompact(conversation: ConversationParameters): Promise<SummaryAnswer>;
  hookSessionEnd(conversation: ConversationParameters): Promise<SummaryAnswer>;
  hookTry(prompt: TryParameters): Promise<TryAnswer>;
  hookLog(page?: HookLogParameters): Promise<HookLogAnswer>;
  exportPage(page?: ExportPageParameters): Promise<ExportPageAnswer>;
  /** A retry changes nothing, because the service skips records that have already arrived. */
  importPage(page: ImportPageParameters): Promise<ImportPageAnswer>;
}

/** The parts of a request. */
export interface RequestParts {
  /** The id in the path. */
  id?: string;
  query?: object | undefined;
  body?: object;
}

/** Carries out one operation. The caller asserts the type of the answer. */
export type Call = <Answer>(name: OperationName, parts?: RequestParts) => Promise<Answer>;

/** @param call carries out an operation in this process, or sends it to a service */
export function memoryOver(call: Call): EngraphClient {
  return {
    // A memory has its id before it is sent, so a repeated call stores nothing twice.
    store: given => call('store', { body: withId(given) }),
    storeMany: memories => call('storeMany', { body: { memories: memories.map(withId) } }),
    get: id => call('get', { id }),
    history: id => call('history', { id }),
    restoreVersion: (id, version) => call('restoreVersion', { id, body: { version } }),
    update: (id, body) => call('update', { id, body }),
    remove: id => call('remove', { id }),
    recall: query => call('recall', { query }),
    whyNot: (id, parameters) => call('whyNot', { query: { ...parameters, id } }),
    associate: body => call('associate', { body }),
    associateMany: associations => call('associate', { body: { associations } }),
    related: (id, query) => call('related', { id, query }),
    listByTag: query => call('listByTag', { query }),
    removeByTag: tags => call('removeByTag', { query: { tags } }),
    health: () => call('health'),
    workStatus: () => call('workStatus'),
    analyze: () => call('analyze'),
    credentials: query => call('credentials', { query }),
    startupRecall: () => call('startupRecall'),
    projects: () => call('projects'),
    noteProject: body => call('noteProject', { body }),
    reprocess: ids => call('reprocess', { body: { ids } }),
    reembed: (body = {}) => call('reembed', { body }),
    sync: (body = {}) => call('sync', { body }),
    consolidate: (body = {}) => call('consolidate', { body }),
    consolidationStatus: () => call('consolidationStatus'),
    consolidationRun: (id, page) => call('consolidationRun', { id, query: { page } }),
    undoConsolidation: run_id => call('undoConsolidation', { body: { run_id } }),
    bin: limit => call('bin', { query: { limit } }),
    restore: ids => call('restore', { body: { ids } }),
    proposals: limit => call('proposals', { query: { limit } }),
    settleProposal: (id, action) => call('settleProposal', { id, body: { action } }),
    hookSessionStart: body => call('hookSessionStart', { body }),
    hookPrompt: body => call('hookPrompt', { body }),
    hookStop: body => call('hookStop', { body }),
    hookPreCompact: body => call('hookPreCompact', { body }),
    hookSessionEnd: body => call('hookSessionEnd', { body }),
    hookTry: query => call('hookTry', { query }),
    hookLog: query => call('hookLog', { query }),
    exportPage: query => call('exportPage', { query }),
    importPage: body => call('importPage', { body }),
  };
}

function withId<Memory extends { id?: string | undefined }>(memory: Memory): Memory & { id: string } {
  return memory.id === undefined ? { ...memory, id: randomId() } : (memory as Memory & { id: string });
}

/** Returns a random UUID. Browsers offer `randomUUID` only to pages that come over HTTPS or from this machine. */
export function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Set version 4 and the variant, as in RFC 9562, section 5.4.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
