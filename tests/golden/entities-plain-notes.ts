/**
 * Further held-out sentences, as an assistant stores them about the work and life of a person. They were written and
 * labelled without reading the lists of the recogniser, and before the recogniser was first run on them. The
 * recogniser was never tuned on these sentences. Every person and event is invented.
 */
import { parseLabelled } from './entities.js';

export const PLAIN_NOTES = parseLabelled(`
  # people, at the start and elsewhere
  Jürgen prefers to get the meeting notes as a PDF on Friday. => people: Jürgen
  Maxime Delacroix took over the account from Sabine on 3 February 2025. => people: Maxime Delacroix, Sabine
  Schröder and his team want a fixed price for the second phase. => people: Schröder
  Geneviève is allergic to shellfish, so book somewhere else for the team dinner. => people: Geneviève
  User's wife is called Annelie and works as a nurse at Charité. => people: Annelie; organizations: Charité
  User calls his brother Alexander "Lex" in most messages. => people: Alexander, Lex
  Told Frau Wiesner that the rent will be paid on the 15th. => people: Wiesner
  Benoît's flight from Lyon lands at 14:20, pick him up. => people: Benoît; concepts: Lyon
  Katie B. from HR sends the contract next week. => people: Katie B
  Heinz-Peter wants to retire in 2026 and hand the workshop to Lukas. => people: Heinz-Peter, Lukas
  Weekly sync with Thibault, Marlene and Ossi is now at 10 on Wednesdays. => people: Thibault, Marlene, Ossi
  The dentist, Dr. Amélie Fournier, moved her practice to Strasbourg. => people: Amélie Fournier; concepts: Strasbourg
  Big Mike from the gym knows a good physio. => people: Mike
  Rosalind handed her notice in; Deniz takes over the mobile team. => people: Rosalind, Deniz
  user's dog is named Pretzel and has to see the vet in March => people: Pretzel
  Grandma Ilse turns 90 on 12 May, the party is in Freiburg. => people: Ilse; concepts: Freiburg
  # tools, often in lower case
  user prefers pnpm over npm and runs everything in docker => tools: pnpm, npm, Docker
  switched from eslint and prettier to biome because it is faster => tools: ESLint, Prettier, Biome
  the nightly backup uses restic and goes to backblaze b2 => tools: restic, Backblaze B2
  terraform state is kept in an s3 bucket in eu-central-1 => tools: Terraform, S3
  Notion is used for meeting notes, but decisions go to Confluence. => tools: Notion, Confluence
  uses neovim with tree-sitter on a ThinkPad with Fedora => tools: Neovim, tree-sitter, ThinkPad, Fedora
  Figma files are shared with the client, Miro boards are not. => tools: Figma, Miro
  ffmpeg fails on the server since the upgrade to ubuntu 24.04 => tools: FFmpeg, Ubuntu
  The team decided on fastapi with sqlalchemy and alembic for the new service. => tools: FastAPI, SQLAlchemy, Alembic
  Bought a Garmin Forerunner and syncs it with Strava. => tools: Garmin Forerunner, Strava
  Tracks spending in YNAB and splits bills with Splitwise. => tools: YNAB, Splitwise
  Sentry shows the crash only on Android 14. => tools: Sentry, Android
  kafka consumers lag behind when flink restarts => tools: Kafka, Flink
  Records podcasts with Audacity and publishes them on Spotify. => tools: Audacity, Spotify
  # projects, files, code
  Project Heron is paused until the audit is over. => projects: Heron
  The customer portal is called Sundial internally; its repo is sundial-web. => projects: Sundial, sundial-web
  config for the staging cluster lives in deploy/values.staging.yaml =>
  \`retryWithJitter\` in \`lib/http.ts\` must not retry a POST. => concepts: retryWithJitter
  Deadline of the Polarfuchs project moved from 1 June to 15 July 2025. => projects: Polarfuchs
  repo: tidepool-ingest, main language go, owner Friederike => projects: tidepool-ingest; tools: Go; people: Friederike
  Rename the branch before merging into tidepool-ingest. => projects: tidepool-ingest
  Working on Moonshot with Élodie, launch is planned for Q4. => projects: Moonshot; people: Élodie
  # organizations, places, events
  User starts at Zalando on 1 September as a staff engineer. => organizations: Zalando
  Quote from Müller Fensterbau GmbH for the windows: 8,400 euros. => organizations: Müller Fensterbau GmbH
  Studied physics at the University of Heidelberg and did a PhD at ETH Zurich. => organizations: University of Heidelberg, ETH Zurich
  Siemens and Schneider Electric are the two biggest customers. => organizations: Siemens, Schneider Electric
  Health insurance is with Techniker Krankenkasse, pension with Allianz. => organizations: Techniker Krankenkasse, Allianz
  Vacation in Brittany from 2 to 16 August, no laptop. => concepts: Brittany
  Gave a talk at FOSDEM in Brussels about index maintenance. => concepts: FOSDEM, Brussels
  Moved from Leipzig to Copenhagen because of Freja's job at Novo Nordisk. => concepts: Leipzig, Copenhagen; people: Freja; organizations: Novo Nordisk
  The kids start school after Easter at the Montessori school in Potsdam. => concepts: Easter, Potsdam
  Reading "The Left Hand of Darkness" for the book club. => concepts: The Left Hand of Darkness
  Der Termin mit Herrn Albrecht in Stuttgart ist am 4. November. => people: Albrecht; concepts: Stuttgart
  Doctolib booking for Mathis confirmed: 9:40 on Thursday. => tools: Doctolib; people: Mathis
  # nothing to link
  Prefers short answers with code first and the explanation after. =>
  The build takes nine minutes since Tuesday and nobody knows why. =>
  Invoices go out on the last working day of the month. =>
  Never commit generated files; run the generator in the pipeline. =>
  Allergic to peanuts, vegetarian since 2019. =>
  Retro outcome: smaller tickets, fewer meetings, one owner per feature. =>
  logs/app-2025-01-14.log has the stack trace =>
  Wants to learn to swim properly before the summer. =>
  Cache invalidation happens on write, never on read. =>
  Spring cleaning is planned for the long weekend. =>
`);
