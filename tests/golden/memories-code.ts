/** Golden memories of a developer's projects: decisions, code style, bugs and how-tos. Every text is invented. */
import type { GoldenMemories } from './golden-memory.js';

export const CODE_MEMORIES: GoldenMemories = {
  'queue-redis': {
    content:
      'Decided to run the Lanternfish job queue on Redis Streams instead of RabbitMQ, because consumer groups give us replay and we already operate Redis for sessions.',
    type: 'Decision',
    tags: ['project:lanternfish', 'architecture:queue', 'decision'],
    importance: 0.95,
    at: '2025-04-14T09:12:00Z',
  },
  'db-mysql': {
    content: 'Lanternfish stores its orders in MySQL 8 on a single host.',
    type: 'Context',
    tags: ['project:lanternfish', 'architecture:database'],
    importance: 0.7,
    at: '2025-03-20T10:00:00Z',
    invalidatedBy: 'db-postgres',
  },
  'db-postgres': {
    content:
      'Lanternfish moved its orders from MySQL to PostgreSQL 17; the reason was row-level security for tenants and jsonb indexes.',
    type: 'Decision',
    tags: ['project:lanternfish', 'architecture:database', 'decision'],
    importance: 0.95,
    at: '2025-09-02T14:30:00Z',
  },
  'auth-paseto': {
    content:
      'Chose PASETO v4 tokens over JWT for the Lanternfish API: no algorithm confusion, and refresh tokens live for 14 days.',
    type: 'Decision',
    tags: ['project:lanternfish', 'security:auth', 'decision'],
    importance: 0.9,
    at: '2025-05-06T11:05:00Z',
  },
  'monorepo-turbo': {
    content:
      'The web team keeps everything in one monorepo built with Turborepo; packages live under packages/, apps under apps/.',
    type: 'Context',
    tags: ['project:harbor-web', 'build'],
    importance: 0.6,
    at: '2025-03-28T08:40:00Z',
  },
  'css-tailwind': {
    content:
      'Harbor Web drops styled-components in favour of Tailwind CSS, since runtime styles cost us 180 ms of blocking time on phones.',
    type: 'Decision',
    tags: ['project:harbor-web', 'frontend:css', 'decision'],
    importance: 0.9,
    at: '2025-06-17T15:20:00Z',
  },
  'graphql-rejected': {
    content:
      'We rejected GraphQL for the partner API: partners want plain REST with OpenAPI files, and caching by URL is simpler at the edge.',
    type: 'Decision',
    tags: ['project:lanternfish', 'api', 'decision'],
    importance: 0.85,
    at: '2025-07-08T13:00:00Z',
  },
  'lockfile-error': {
    content:
      'CI failed with ERR_PNPM_OUTDATED_LOCKFILE because Renovate bumped package.json without the lockfile. Fix: run pnpm install --lockfile-only in the Renovate post-upgrade task.',
    type: 'Insight',
    tags: ['project:harbor-web', 'bug-fix', 'ci'],
    importance: 0.75,
    at: '2025-08-11T16:45:00Z',
  },
  'parse-response': {
    content:
      'parseHttpResponse in src/net/response.ts dropped the last chunk when the body ended without CRLF; fixed by flushing the decoder in finishBody.',
    type: 'Insight',
    tags: ['project:lanternfish', 'bug-fix', 'network'],
    importance: 0.8,
    at: '2025-10-03T10:22:00Z',
  },
  'pool-exhausted': {
    content:
      'Root cause of the Monday outage: the connection pool was exhausted, because report exports held a transaction open while streaming to S3. Fixed by copying to a temporary table first.',
    type: 'Insight',
    tags: ['project:lanternfish', 'bug-fix', 'incident'],
    importance: 0.9,
    at: '2025-11-17T18:10:00Z',
  },
  'flaky-timezone': {
    content:
      'The invoice test was flaky only after 23:00 UTC: it compared local dates. Freeze the clock with vi.setSystemTime and always format in UTC.',
    type: 'Insight',
    tags: ['project:lanternfish', 'bug-fix', 'testing'],
    importance: 0.7,
    at: '2025-10-21T07:50:00Z',
  },
  'memory-leak-worker': {
    content:
      'The thumbnail worker leaked 40 MB an hour: sharp instances were cached per request. Limiting the cache with sharp.cache(false) ended it.',
    type: 'Insight',
    tags: ['project:harbor-web', 'bug-fix', 'performance'],
    importance: 0.75,
    at: '2025-12-09T12:15:00Z',
  },
  'cors-preflight': {
    content:
      'Browsers refused uploads to media.harbor.example since the preflight answer lacked Access-Control-Allow-Headers for X-Upload-Token.',
    type: 'Insight',
    tags: ['project:harbor-web', 'bug-fix', 'network'],
    importance: 0.65,
    at: '2026-01-13T09:35:00Z',
  },
  'deadlock-inventory': {
    content:
      'Inventory updates deadlocked under load; sorting the SKUs before SELECT FOR UPDATE gives all transactions the same lock order.',
    type: 'Insight',
    tags: ['project:lanternfish', 'bug-fix', 'architecture:database'],
    importance: 0.85,
    at: '2026-01-27T20:05:00Z',
  },
  'style-no-default-export': {
    content: 'TypeScript rule: named exports only, never default exports, so that renames are found by the compiler.',
    type: 'Style',
    tags: ['code-style:typescript'],
    importance: 0.75,
    at: '2025-04-02T09:00:00Z',
  },
  'style-errors-result': {
    content:
      'In TypeScript services we return a Result object for expected failures and throw only for programming errors.',
    type: 'Style',
    tags: ['code-style:typescript', 'error-handling'],
    importance: 0.7,
    at: '2025-04-02T09:00:08Z',
  },
  'style-python-ruff': {
    content:
      'Python code is formatted with ruff at 100 columns, type-checked with pyright in strict mode, and tested with pytest.',
    type: 'Style',
    tags: ['code-style:python'],
    importance: 0.7,
    at: '2025-04-02T09:00:15Z',
  },
  'style-go-context': {
    content: 'Go functions that do I/O take a context.Context as their first parameter and never store it in a struct.',
    type: 'Style',
    tags: ['code-style:go'],
    importance: 0.65,
    at: '2025-04-02T09:00:24Z',
  },
  'style-sql-uppercase': {
    content: 'SQL keywords in upper case, one clause per line, and every migration has a down script.',
    type: 'Style',
    tags: ['code-style:sql'],
    importance: 0.6,
    at: '2025-04-02T09:00:33Z',
  },
  'style-commit': {
    content:
      'Commit messages: imperative mood, at most 72 characters in the subject, ticket number at the end of the body.',
    type: 'Style',
    tags: ['code-style:git'],
    importance: 0.6,
    at: '2025-05-19T10:10:00Z',
  },
  'review-two': {
    content: 'Every pull request that touches billing needs two approvals, one of them from Oksana.',
    type: 'Habit',
    tags: ['team:process', 'billing'],
    importance: 0.7,
    at: '2025-06-03T09:30:00Z',
  },
  'pattern-outbox': {
    content:
      'We use the transactional outbox pattern to publish order events: write the event in the same transaction, and let a relay send it.',
    type: 'Pattern',
    tags: ['project:lanternfish', 'architecture:events', 'pattern'],
    importance: 0.85,
    at: '2025-07-22T11:45:00Z',
  },
  'pattern-feature-flags': {
    content:
      'Risky changes ship behind a feature flag in Unleash and reach 5 percent of tenants for two days before everyone.',
    type: 'Pattern',
    tags: ['team:process', 'release', 'pattern'],
    importance: 0.75,
    at: '2025-08-26T14:00:00Z',
  },
  'howto-release': {
    content:
      'To release Harbor Web: run pnpm changeset version, merge the version pull request, then tag vX.Y.Z; GitHub Actions deploys the tag to production.',
    type: 'Context',
    tags: ['project:harbor-web', 'how-to', 'release'],
    importance: 0.8,
    at: '2025-09-15T10:30:00Z',
  },
  'howto-restore': {
    content:
      'To restore a backup: fetch the newest dump with restic restore latest, then pg_restore --jobs 4 into an empty database, then run scripts/reindex.sh.',
    type: 'Context',
    tags: ['project:lanternfish', 'how-to', 'operations'],
    importance: 0.85,
    at: '2025-10-29T17:25:00Z',
  },
  'howto-rotate-keys': {
    content: 'Signing keys are rotated with bin/rotate-keys --stage production; the old key stays valid for 24 hours.',
    type: 'Context',
    tags: ['project:lanternfish', 'how-to', 'security:auth'],
    importance: 0.75,
    at: '2025-11-05T09:15:00Z',
  },
  'node-18': {
    content: 'All services run on Node 18.',
    type: 'Context',
    tags: ['team:platform', 'runtime'],
    importance: 0.6,
    at: '2025-03-11T12:00:00Z',
    invalidatedBy: 'node-22',
  },
  'node-22': {
    content: 'All services were upgraded to Node 22.14; the base image is node:22-bookworm-slim.',
    type: 'Context',
    tags: ['team:platform', 'runtime'],
    importance: 0.7,
    at: '2025-12-02T12:00:00Z',
  },
  'config-path': {
    content:
      'Production settings are read from /etc/lanternfish/config.toml, secrets from Vault under kv/lanternfish/prod.',
    type: 'Context',
    tags: ['project:lanternfish', 'operations', 'configuration'],
    importance: 0.7,
    at: '2025-06-24T08:20:00Z',
  },
  'staging-url': {
    content: 'Staging is at https://staging.lanternfish.example and is reset every night at 02:00 UTC.',
    type: 'Context',
    tags: ['project:lanternfish', 'operations'],
    importance: 0.6,
    at: '2025-06-24T08:20:12Z',
  },
  'rate-limit': {
    content: 'The public API allows 600 requests per minute for each key; beyond that it answers 429 with Retry-After.',
    type: 'Context',
    tags: ['project:lanternfish', 'api'],
    importance: 0.65,
    at: '2025-06-24T08:20:25Z',
  },
  'rate-limit-copy': {
    content: 'Public API rate limit: 600 requests a minute per key, then 429 and a Retry-After header.',
    type: 'Context',
    tags: ['project:lanternfish', 'api:limits'],
    importance: 0.5,
    at: '2025-08-19T13:05:00Z',
  },
  'use-debounce': {
    content:
      'useDebouncedSearch in apps/shop/src/hooks/use-debounced-search.ts waits 250 ms before it queries the catalogue.',
    type: 'Context',
    tags: ['project:harbor-web', 'frontend:hooks'],
    importance: 0.5,
    at: '2025-11-20T15:55:00Z',
  },
  'bundle-budget': {
    content: 'The shop bundle must stay under 170 kB gzipped; the size-limit check in CI enforces it.',
    type: 'Preference',
    tags: ['project:harbor-web', 'performance'],
    importance: 0.7,
    at: '2025-09-23T11:11:00Z',
  },
  'test-containers': {
    content:
      'Integration tests use Testcontainers with a real PostgreSQL; mocks of the database are not accepted in review.',
    type: 'Preference',
    tags: ['project:lanternfish', 'testing'],
    importance: 0.75,
    at: '2025-09-30T09:45:00Z',
  },
  'log-format': {
    content:
      'Logs are JSON lines on stderr with the fields level, msg, traceId and tenant; personal data is never logged.',
    type: 'Style',
    tags: ['team:platform', 'observability'],
    importance: 0.7,
    at: '2025-07-15T10:00:00Z',
  },
  'alert-latency': {
    content: 'Pager alert fires when the p99 latency of checkout is above 1.2 seconds for ten minutes.',
    type: 'Context',
    tags: ['project:lanternfish', 'observability', 'incident'],
    importance: 0.65,
    at: '2025-12-16T16:40:00Z',
  },
  'freeze-2025': {
    content: 'Code freeze for the Christmas sales: no deployments from 15 December to 2 January.',
    type: 'Context',
    tags: ['team:process', 'release'],
    importance: 0.8,
    at: '2025-11-28T09:00:00Z',
    until: '2026-01-03T00:00:00Z',
  },
  'docker-mirror': {
    content: 'Until the registry contract is renewed, pull images through mirror.harbor.example.',
    type: 'Context',
    tags: ['team:platform', 'build'],
    importance: 0.6,
    at: '2025-08-05T08:00:00Z',
    until: '2025-10-01T00:00:00Z',
  },
  'windows-paths': {
    content:
      'The scaffolding script broke on Windows: it joined paths with slashes. Use node:path join and posix only for globs.',
    type: 'Insight',
    tags: ['project:harbor-web', 'bug-fix', 'build'],
    importance: 0.55,
    at: '2026-02-10T14:25:00Z',
  },
  'unicode-slug': {
    content: 'Slugs for product names are made with slugify after NFKD normalisation; emoji are dropped.',
    type: 'Context',
    tags: ['project:harbor-web', 'frontend'],
    importance: 0.4,
    at: '2026-02-18T10:05:00Z',
  },
  'german-deploy': {
    content:
      'Die Auslieferung nach Frankfurt läuft nur mittwochs zwischen sechs und acht Uhr, weil das Rechenzentrum sonst gesperrt ist.',
    type: 'Context',
    tags: ['project:lanternfish', 'operations', 'region:eu'],
    importance: 0.6,
    at: '2026-02-04T06:10:00Z',
  },
  'japanese-search': {
    content: '商品検索の並び順は人気順ではなく新着順にする。',
    type: 'Decision',
    tags: ['project:harbor-web', 'region:jp'],
    importance: 0.7,
    at: '2026-02-06T03:30:00Z',
  },
};
