/** All operations of the interface. Fixed paths precede patterns that would also match them. */
import type { InputLimits } from '../domain/input.js';
import { analysisOperations } from './analysis.js';
import { consolidationOperations } from './consolidation.js';
import { healthOperation } from './health.js';
import { hookOperations } from './hooks.js';
import { perLimits } from './input.js';
import { maintenanceOperations, reprocessOperation, workStatusOperation } from './maintenance.js';
import { historyOperations, memoryOperations } from './memories.js';
import type { Access, Operation } from './operation.js';
import { recallOperation, startupRecallOperation } from './recall.js';
import { relationOperations } from './relations.js';
import type { OperationName } from './routes.js';
import { projectOperations, tagOperations } from './tags.js';
import { transferOperations } from './transfer.js';
import { whyNotOperation } from './why-not.js';

/** @param startupAccess who may call the startup recall */
export function createOperations(limits: InputLimits, startupAccess: Access = 'public'): readonly Operation[] {
  return [
    healthOperation,
    workStatusOperation,
    ...analysisOperations,
    startupRecallOperation(startupAccess),
    ...projectOperations,
    reprocessOperation,
    ...maintenanceOperations,
    ...consolidationOperations,
    recallOperation(limits),
    whyNotOperation(limits),
    ...hookOperations(),
    ...relationOperations,
    ...tagOperations,
    ...memoryOperations(limits),
    ...historyOperations,
    ...transferOperations(limits),
  ];
}

/** The operations for callers in this process. */
export const operationsByName = perLimits(
  limits =>
    Object.fromEntries(createOperations(limits).map(operation => [operation.name, operation])) as Record<
      OperationName,
      Operation
    >,
);
