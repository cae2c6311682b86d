/** A client of the REST interface, for any program that has `fetch`. */
import { type EngraphClient, memoryOver } from './memory.js';
import { callOver, type SenderOptions } from './sender.js';

export type { AnalysisAnswer } from '../api/answers/analysis.js';
export type { AssociationAnswer, AssociationsAnswer } from '../api/answers/association.js';
export type {
  BinAnswer,
  ConsolidateAnswer,
  ConsolidationStatusAnswer,
  ProposalsAnswer,
  RestoreAnswer,
  RunDetailsAnswer,
  SettledProposalAnswer,
  UndoAnswer,
} from '../api/answers/consolidation.js';
export type { CredentialsAnswer } from '../api/answers/credentials.js';
export type { HealthAnswer } from '../api/answers/health.js';
export type { HistoryAnswer } from '../api/answers/history.js';
export type { ContextAnswer, HookLogAnswer, StopAnswer } from '../api/answers/hooks.js';
export type { ReembedAnswer, SyncAnswer } from '../api/answers/maintenance.js';
export type { ChangeAnswer, MemoryAnswer, StoreAnswer, StoreManyAnswer } from '../api/answers/memory.js';
export type { ChangedProjectAnswer, ProjectsAnswer } from '../api/answers/project.js';
export type { RecallAnswer } from '../api/answers/recall.js';
export type { RelatedAnswer } from '../api/answers/related.js';
export type { StartupRecallAnswer } from '../api/answers/startup-recall.js';
export type { TagPageAnswer, TagRemovalAnswer } from '../api/answers/tag-page.js';
export type { ExportPageAnswer, ImportPageAnswer } from '../api/answers/transfer.js';
export type { WhyNotAnswer } from '../api/answers/why-not.js';
export type { ReprocessAnswer, WorkStatusAnswer } from '../api/answers/work.js';
export type { AssociationRequest } from '../api/requests/association.js';
export type { ConsolidateParameters } from '../api/requests/consolidation.js';
export type { CredentialPageParameters } from '../api/requests/credentials.js';
export type {
  HookLogParameters,
  PromptParameters,
  SessionStartParameters,
  StopParameters,
} from '../api/requests/hooks.js';
export type { ReembedParameters, SyncParameters } from '../api/requests/maintenance.js';
export type { MemoryPatchRequest, NewMemoryRequest, StoreRequest } from '../api/requests/memory.js';
export type { RelatedParameters, TagPageParameters } from '../api/requests/paging.js';
export type { ProjectParameters } from '../api/requests/project.js';
export type { RecallParameters } from '../api/requests/recall.js';
export type { ExportPageParameters, ImportPageParameters } from '../api/requests/transfer.js';
export { EngraphError } from './engraph-error.js';
export type { EngraphClient };

export type ClientOptions = SenderOptions;

export function createClient(options: ClientOptions): EngraphClient {
  return memoryOver(callOver(options));
}
