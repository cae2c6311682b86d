/** A client of the REST interface, for any program that has `fetch`. */
import { type EngraphClient, memoryOver } from '../api/routes.js';
import { callOver, type SenderOptions } from './sender.js';

export type { AnalysisAnswer, CredentialPageParameters, CredentialsAnswer } from '../api/analysis.js';
export type { ConsolidateParameters } from '../api/consolidation.js';
export type {
  BinAnswer,
  ConsolidateAnswer,
  ConsolidationStatusAnswer,
  ProposalsAnswer,
  RestoreAnswer,
  RunDetailsAnswer,
  SettledProposalAnswer,
  UndoAnswer,
} from '../api/consolidation-answers.js';
export type { HealthAnswer } from '../api/health.js';
export type {
  ContextAnswer,
  HookLogAnswer,
  HookLogParameters,
  PromptParameters,
  SessionStartParameters,
  StopAnswer,
  StopParameters,
} from '../api/hooks.js';
export type {
  ReembedAnswer,
  ReembedParameters,
  ReprocessAnswer,
  SyncAnswer,
  SyncParameters,
  WorkStatusAnswer,
} from '../api/maintenance.js';
export type { ChangeAnswer, HistoryAnswer, MemoryAnswer, StoreAnswer, StoreManyAnswer } from '../api/memories.js';
export type { MemoryPatchRequest, NewMemoryRequest, StoreRequest } from '../api/memory-requests.js';
export type { RecallAnswer, StartupRecallAnswer } from '../api/recall.js';
export type { RecallParameters } from '../api/recall-request.js';
export type {
  AssociationAnswer,
  AssociationRequest,
  AssociationsAnswer,
  RelatedAnswer,
  RelatedParameters,
} from '../api/relations.js';
export type {
  ChangedProjectAnswer,
  ProjectParameters,
  ProjectsAnswer,
  TagPageAnswer,
  TagPageParameters,
  TagRemovalAnswer,
} from '../api/tags.js';
export type { ExportPageAnswer, ImportPageAnswer } from '../api/transfer.js';
export type { ExportPageParameters, ImportPageParameters } from '../api/transfer-records.js';
export type { WhyNotAnswer } from '../api/why-not.js';
export { EngraphError } from './sender.js';
export type { EngraphClient };

export type ClientOptions = SenderOptions;

export function createClient(options: ClientOptions): EngraphClient {
  return memoryOver(callOver(options));
}
