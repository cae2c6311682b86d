/** Converts summaries of groups to MetaMemory nodes, and such nodes back to summaries. */
import type { GroupSummary, GroupWording } from '../domain/consolidation.js';
import type { Metadata } from '../domain/json.js';
import type { AuxiliaryNode } from '../stores/ports/node-store.js';

export function summaryNode({ id, content, wording, memberIds, about }: GroupSummary, nowIso: string): AuxiliaryNode {
  const { entities, tags, terms, earliest, latest, confidence } = about;
  return {
    kind: 'MetaMemory',
    id,
    properties: {
      content,
      ...(wording && { wording: wording.text, wording_digest: wording.digest }),
      // The ids are stored as text, because a shared graph cannot store lists of this length.
      member_ids: JSON.stringify(memberIds),
      entities: [...entities],
      tags: [...tags],
      terms: [...terms],
      timestamp: earliest,
      earliest,
      latest,
      confidence,
    },
    updated_at: nowIso,
  };
}

/** @returns undefined for a node without the fields of a summary, such as a node that another program made */
export function readSummary({ id, properties }: AuxiliaryNode): GroupSummary | undefined {
  const { content, earliest, latest, confidence } = properties;
  const memberIds = readIds(properties.member_ids);
  if (!memberIds || typeof content !== 'string' || typeof confidence !== 'number') return undefined;
  if (typeof earliest !== 'string' || typeof latest !== 'string') return undefined;
  const [entities, tags, terms] = ['entities', 'tags', 'terms'].map(name => readTexts(properties, name));
  const about = { entities: entities ?? [], tags: tags ?? [], terms: terms ?? [], earliest, latest, confidence };
  const wording = readWording(properties);
  return { id, content, ...(wording && { wording }), memberIds, about };
}

/** @param one null if there is no summary */
export function isSameSummary(one: GroupSummary | null, other: GroupSummary | null): boolean {
  const plain = (summary: GroupSummary | null) =>
    summary && [
      summary.content,
      summary.wording?.digest,
      summary.memberIds,
      Object.entries(summary.about).sort(([a], [b]) => (a < b ? -1 : 1)),
    ];
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

function readWording({ wording: text, wording_digest: digest }: Metadata): GroupWording | undefined {
  return typeof text === 'string' && typeof digest === 'string' ? { text, digest } : undefined;
}

function readIds(value: unknown): string[] | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const ids: unknown = JSON.parse(value);
    return isTexts(ids) ? ids : undefined;
  } catch {
    return undefined;
  }
}

function readTexts(properties: Metadata, name: string): string[] {
  const value = properties[name];
  return isTexts(value) ? value : [];
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string');
}
