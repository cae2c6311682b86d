/** A client of the REST interface, for any program that has `fetch`. */

import type { AnalysisAnswer } from '../api/answers/analysis.js';
import type { AssociationAnswer, AssociationsAnswer } from '../api/answers/association.js';
import type {
  BinAnswer,
  ConsolidateAnswer,
  ConsolidationStatusAnswer,
  ProposalsAnswer,
  RestoreAnswer,
  RunDetailsAnswer,
  SettledProposalAnswer,
  UndoAnswer,
} from '../api/answers/consolidation.js';
import type { CredentialsAnswer } from '../api/answers/credentials.js';
import type { HealthAnswer } from '../api/answers/health.js';
import type { HistoryAnswer } from '../api/answers/history.js';
import type { ContextAnswer, HookLogAnswer, StopAnswer, SummaryAnswer, TryAnswer } from '../api/answers/hooks.js';
import type { ReembedAnswer, SyncAnswer } from '../api/answers/maintenance.js';
import type { ChangeAnswer, MemoryAnswer, StoreAnswer, StoreManyAnswer, UpdateAnswer } from '../api/answers/memory.js';
import type { ChangedProjectAnswer, ProjectsAnswer } from '../api/answers/project.js';
import type { RecallAnswer } from '../api/answers/recall.js';
import type { RelatedAnswer } from '../api/answers/related.js';
import type { StartupRecallAnswer } from '../api/answers/startup-recall.js';
import type { TagPageAnswer, TagRemovalAnswer } from '../api/answers/tag-page.js';
import type { ExportPageAnswer, ImportPageAnswer } from '../api/answers/transfer.js';
import type { WhyNotAnswer } from '../api/answers/why-not.js';
import type { ReprocessAnswer, WorkStatusAnswer } from '../api/answers/work.js';
import type { AssociationRequest } from '../api/requests/association.js';
import type { ConsolidateParameters } from '../api/requests/consolidation.js';
import type { CredentialPageParameters } from '../api/requests/credentials.js';
import type {
  ConversationParameters,
  HookLogParameters,
  PromptParameters,
  SessionStartParameters,
  StopParameters,
  TryParameters,
} from '../api/requests/hooks.js';
import type { ReembedParameters, SyncParameters } from '../api/requests/maintenance.js';
import type { MemoryPatchRequest, NewMemoryRequest, StoreRequest } from '../api/requests/memory.js';
import type { RelatedParameters, TagPageParameters } from '../api/requests/paging.js';
import type { ProjectParameters } from '../api/requests/project.js';
import type { RecallParameters } from '../api/requests/recall.js';
import type { ExportPageParameters, ImportPageParameters } from '../api/requests/transfer.js';
import { randomId } from './random-id.js';
import { createSender, type SenderOptions } from './sender.js';

export { EngraphError } from './engraph-error.js';
export type {
  AnalysisAnswer,
  AssociationAnswer,
  AssociationRequest,
  AssociationsAnswer,
  BinAnswer,
  ChangeAnswer,
  ChangedProjectAnswer,
  ConsolidateAnswer,
  ConsolidateParameters,
  ConsolidationStatusAnswer,
  ContextAnswer,
  CredentialPageParameters,
  CredentialsAnswer,
  ExportPageAnswer,
  ExportPageParameters,
  HealthAnswer,
  HistoryAnswer,
  HookLogAnswer,
  HookLogParameters,
  ImportPageAnswer,
  ImportPageParameters,
  MemoryAnswer,
  MemoryPatchRequest,
  NewMemoryRequest,
  ProjectParameters,
  ProjectsAnswer,
  PromptParameters,
  ProposalsAnswer,
  RecallAnswer,
  RecallParameters,
  ReembedAnswer,
  ReembedParameters,
  RelatedAnswer,
  RelatedParameters,
  ReprocessAnswer,
  RestoreAnswer,
  RunDetailsAnswer,
  SessionStartParameters,
  SettledProposalAnswer,
  StartupRecallAnswer,
  StopAnswer,
  StopParameters,
  StoreAnswer,
  StoreManyAnswer,
  StoreRequest,
  SyncAnswer,
  SyncParameters,
  TagPageAnswer,
  TagPageParameters,
  TagRemovalAnswer,
  UndoAnswer,
  WhyNotAnswer,
  WorkStatusAnswer,
};

/**
 * Every method rejects with EngraphError when the service refuses the request, or when no attempt succeeds in time. A
 * call that gets no answer, a 429 or a 5xx is attempted up to three more times, except for `reembed`, `sync`,
 * `consolidate`, `undoConsolidation`, `noteProject` and the calls for hooks other than `hookLog`.
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

export type ClientOptions = SenderOptions;

export function createClient(options: ClientOptions): EngraphClient {
  const send = createSender(options);
  const memory = (id: string) => `/memory/${encodeURIComponent(id)}`;
  return {
    // The service recognises a repeated memory by its id and stores nothing twice.
    store: given => send('POST', '/memory', { body: withId(given) }),
    storeMany: memories => send('POST', '/memory/batch', { body: { memories: memories.map(withId) } }),
    get: id => send('GET', memory(id)),
    history: id => send('GET', `${memory(id)}/history`),
    restoreVersion: (id, version) => send('POST', `${memory(id)}/restore`, { body: { version } }),
    update: (id, change) => send('PATCH', memory(id), { body: change }),
    remove: id => send('DELETE', memory(id), { ifGone: { status: 'success', memory_id: id } }),
    recall: parameters => send('GET', '/recall', { query: parameters }),
    whyNot: (id, parameters) => send('GET', '/recall/why-not', { query: { ...parameters, id } }),
    associate: body => send('POST', '/associate', { body }),
    associateMany: associations => send('POST', '/associate', { body: { associations } }),
    related: (id, query) => send('GET', `/memories/${encodeURIComponent(id)}/related`, { query }),
    listByTag: query => send('GET', '/memory/by-tag', { query }),
    removeByTag: tags => send('DELETE', '/memory/by-tag', { query: { tags } }),
    health: () => send('GET', '/health', { accepts: isHealth }),
    workStatus: () => send('GET', '/enrichment/status'),
    analyze: () => send('GET', '/analyze'),
    credentials: query => send('GET', '/analyze/credentials', { query }),
    startupRecall: () => send('GET', '/startup-recall'),
    projects: () => send('GET', '/projects'),
    noteProject: body => send('POST', '/projects', { body, isSentOnce: true }),
    reprocess: ids => send('POST', '/enrichment/reprocess', { body: { ids } }),
    reembed: (body = {}) => send('POST', '/admin/reembed', { body, isSentOnce: true }),
    sync: (body = {}) => send('POST', '/admin/sync', { body, isSentOnce: true }),
    consolidate: (body = {}) => send('POST', '/consolidate', { body, isSentOnce: true }),
    consolidationStatus: () => send('GET', '/consolidate/status'),
    consolidationRun: (id, page) => send('GET', `/consolidate/runs/${encodeURIComponent(id)}`, { query: { page } }),
    undoConsolidation: run_id => send('POST', '/consolidate/undo', { body: { run_id }, isSentOnce: true }),
    bin: limit => send('GET', '/admin/bin', { query: { limit } }),
    restore: ids => send('POST', '/admin/restore', { body: { ids } }),
    proposals: limit => send('GET', '/consolidate/proposals', { query: { limit } }),
    settleProposal: (id, action) =>
      send('POST', `/consolidate/proposals/${encodeURIComponent(id)}`, { body: { action } }),
    hookSessionStart: body => send('POST', '/hooks/session-start', { body, isSentOnce: true }),
    hookPrompt: body => send('POST', '/hooks/prompt', { body, isSentOnce: true }),
    hookStop: body => send('POST', '/hooks/stop', { body, isSentOnce: true }),
    hookPreCompact: body => send('POST', '/hooks/pre-compact', { body, isSentOnce: true }),
    hookSessionEnd: body => send('POST', '/hooks/session-end', { body, isSentOnce: true }),
    hookTry: query => send('GET', '/hooks/try', { query }),
    hookLog: query => send('GET', '/hooks/log', { query }),
    exportPage: query => send('GET', '/admin/export', { query }),
    importPage: body => send('POST', '/admin/import', { body }),
  };
}

function withId<Memory extends { id?: string | undefined }>(memory: Memory): Memory & { id: string } {
  return { ...memory, id: memory.id ?? randomId() };
}

/** Whether a body with status 503 is from a degraded service. A proxy that cannot reach the service answers 503 too. */
function isHealth(body: unknown): boolean {
  return (body as Partial<HealthAnswer> | null)?.status === 'degraded';
}
