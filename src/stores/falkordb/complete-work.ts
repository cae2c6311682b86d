/** Completes work that changes its memory. One statement ends the claim and writes the record, edges and patterns. */
import type { AuxiliaryNode, NodeLink } from '../ports/node-store.js';
import type { WorkOutcome } from '../ports/work-queue.js';
import { type Claim, parseToken } from './claims.js';
import type { Connection } from './connection.js';
import { typeOf } from './edge-properties.js';
import { rewriteClauses, rewriteOf, untilWritten, WRITE_CONFLICT } from './memories.js';
import { labelOf, linkParameters, mergeNode, nodeProperties } from './nodes.js';
import { isOurs, type StoredRow, storedColumns, storedOf } from './record.js';
import { edgeWrites } from './relations.js';
import type { Parameters } from './values.js';
import { assignments, settled, workFields } from './work-fields.js';

export function completeWork(connection: Connection, token: string, outcome: WorkOutcome): Promise<boolean> {
  const claim = parseToken(token);
  if (!claim) return Promise.resolve(false);
  return untilWritten(async () => {
    const stored = await readClaimed(connection, claim);
    if (!stored) return false;
    const rewrite = rewriteOf(stored, outcome.change(stored.memory), []);
    const { clauses, parameters } = outcomeWrites(outcome);
    const fields = workFields(claim.kind);
    const rows = await connection.write(
      `MATCH (m:Memory {id: $id}) WHERE m._revision = $revision AND m.${fields.token} = $nonce
       SET ${assignments('m', settled('m', fields))}
       WITH m
       ${rewriteClauses(rewrite)}
       WITH m
       ${clauses}
       RETURN 1 AS written`,
      { ...rewrite.parameters, ...parameters, nonce: claim.nonce },
    );
    return rows.length > 0 ? true : WRITE_CONFLICT;
  });
}

async function readClaimed(connection: Connection, { kind, id, nonce }: Claim) {
  const [row] = await connection.read<StoredRow>(
    `MATCH (m:Memory {id: $id}) WHERE m.${workFields(kind).token} = $nonce RETURN ${storedColumns('m')}`,
    { id, nonce },
  );
  return row && storedOf(row);
}

/** Builds subqueries for the memory in `m`. Each subquery keeps the row of `m`. */
function outcomeWrites({ edges, patterns }: WorkOutcome): { clauses: string; parameters: Parameters } {
  const parts: { clauses: string; parameters: Parameters }[] = [];
  if (edges) {
    parts.push(removeOutgoing(edges.types.map(typeOf)), edgeWrites(edges.relations));
  }
  if (patterns) {
    const { nodes, links } = patterns;
    parts.push(removeLinks(), ...nodes.map(nodeWrite), ...links.map(linkWrite));
  }
  return {
    clauses: parts.map(({ clauses }) => clauses).join('\n'),
    parameters: Object.assign({}, ...parts.map(({ parameters }) => parameters)) as Parameters,
  };
}

function removeOutgoing(types: readonly string[]) {
  if (types.length === 0) return { clauses: '', parameters: {} };
  const clauses = `CALL { WITH m OPTIONAL MATCH (m)-[r:${types.join('|')}]->(:Memory) DELETE r RETURN count(r) AS removed }`;
  return { clauses, parameters: {} };
}

function removeLinks() {
  const label = labelOf('Pattern');
  const clauses = `CALL { WITH m OPTIONAL MATCH (m)-[r:EXEMPLIFIES]->(:${label}) DELETE r RETURN count(r) AS unlinked }`;
  return { clauses, parameters: {} };
}

function nodeWrite(node: AuxiliaryNode, position: number) {
  const name = `node_${position}`;
  return {
    clauses: `CALL { ${mergeNode(node.kind, `$${name}`)} RETURN count(n) AS ${name} }`,
    parameters: { [name]: nodeProperties(node) },
  };
}

function linkWrite(link: NodeLink, position: number) {
  const name = `link_${position}`;
  return {
    clauses: `CALL {
      MATCH (x:Memory {id: $${name}.memory_id}) WHERE ${isOurs('x')}
      MATCH (n:${labelOf(link.kind)} {id: $${name}.node_id}) WHERE n._node_rank >= 0
      MERGE (x)-[r:EXEMPLIFIES]->(n) SET r = $${name}.edge
      RETURN count(r) AS ${name}
    }`,
    parameters: { [name]: linkParameters(link) },
  };
}
