/** Notes of nine invented projects. The notes of each project are stored within a few minutes. */
import { burst } from './burst.js';
import type { GoldenMemories } from './golden-memory.js';

export const BURST_MEMORIES: GoldenMemories = {
  // A ticket office for small theatres.
  ...burst('thistle', '2025-09-18T09:02:00Z', [
    {
      name: 'thistle-payments',
      content: 'Card payments in Thistle go through Zellpay.',
      tags: ['payments'],
      type: 'Decision',
    },
    { name: 'thistle-mail', content: 'Booking confirmations are sent with Postwren.', tags: ['mail'] },
    {
      name: 'thistle-port',
      content: "The Thistle API listens on port 4710 on developers' machines.",
      tags: ['development'],
    },
    { name: 'thistle-region', content: 'Everything runs in the Stockholm region of Nimbusrack.', tags: ['hosting'] },
    {
      name: 'thistle-owner',
      content: 'Hedda Lorenz is product owner of Thistle.',
      tags: ['team', 'entity:people:hedda-lorenz'],
    },
    {
      name: 'thistle-formatter',
      content: 'TypeScript in Thistle is formatted with dprint: two spaces, no semicolons.',
      tags: ['code-style:typescript'],
      type: 'Style',
    },
    {
      name: 'thistle-licence',
      content: 'The seat map component is open source under the Apache 2.0 licence.',
      tags: ['legal'],
    },
    { name: 'thistle-backup', content: 'Nightly database backups are kept for 35 days.', tags: ['operations'] },
  ]),
  // A shop for candles.
  ...burst('candlewick', '2025-09-18T15:40:00Z', [
    {
      name: 'candlewick-payments',
      content: 'Checkout is handled by Mondra, with direct debit switched off.',
      tags: ['payments'],
      type: 'Decision',
    },
    { name: 'candlewick-mail', content: 'Order mails and the newsletter both leave through Larkmail.', tags: ['mail'] },
    { name: 'candlewick-parcels', content: 'Parcels are packed by Hofkamp Logistics in Venlo.', tags: ['shipping'] },
    {
      name: 'candlewick-prices',
      content: 'Catalogue prices are stored in cents and without VAT.',
      tags: ['database'],
      type: 'Style',
    },
    { name: 'candlewick-photos', content: 'Product photos live in the bucket cwick-media.', tags: ['hosting'] },
    {
      name: 'candlewick-oncall',
      content: 'Samira Odell carries the on-call phone on weekends.',
      tags: ['team', 'entity:people:samira-odell'],
    },
    { name: 'candlewick-search', content: 'The search index is rebuilt every hour with Meridex.', tags: ['search'] },
    { name: 'candlewick-runtime', content: 'Candlewick runs on Python 3.12 and Django 5.', tags: ['runtime'] },
    {
      name: 'candlewick-domain',
      content: 'The domain is registered with Namedock until November 2027.',
      tags: ['operations'],
    },
  ]),
  // Data of weather stations.
  ...burst('orrery', '2025-10-02T08:15:00Z', [
    {
      name: 'orrery-broker',
      content: 'Stations publish their readings over MQTT to mq.orrery.example.',
      tags: ['ingest'],
    },
    {
      name: 'orrery-storage',
      content: 'Readings are stored in TimescaleDB with chunks of one day.',
      tags: ['database'],
      type: 'Decision',
    },
    {
      name: 'orrery-retention',
      content: 'Raw readings are thrown away after 90 days; hourly averages stay for ever.',
      tags: ['database'],
    },
    { name: 'orrery-aggregation', content: 'The nightly aggregation starts at 01:15 UTC.', tags: ['jobs'] },
    {
      name: 'orrery-maintainer',
      content: 'Bastian Okoro maintains the ingest service.',
      tags: ['team', 'entity:people:bastian-okoro'],
    },
    {
      name: 'orrery-mail',
      content: 'Alert mails go out from alerts@orrery.example, by way of Postwren.',
      tags: ['mail'],
    },
    {
      name: 'orrery-lint',
      content: 'Rust code must pass clippy with warnings denied.',
      tags: ['code-style:rust'],
      type: 'Style',
    },
    {
      name: 'orrery-region',
      content: 'The Orrery cluster stands in the Zurich zone of Nimbusrack.',
      tags: ['hosting'],
    },
  ]),
  // A program for the appointments of a clinic.
  ...burst('fernhill', '2025-10-23T13:30:00Z', [
    {
      name: 'fernhill-port',
      content: 'Postgres is mapped to port 5544 in the compose file of Fernhill.',
      tags: ['development'],
    },
    {
      name: 'fernhill-reminders',
      content: 'Reminder texts are sent with Chirpline, 24 hours before an appointment.',
      tags: ['messaging'],
    },
    {
      name: 'fernhill-mail',
      content: "Mail leaves through smtp.fernhill.example, a server of the clinic's own IT.",
      tags: ['mail'],
    },
    {
      name: 'fernhill-payments',
      content: 'Nothing is paid online; patients without insurance use the Quandari terminal at the desk.',
      tags: ['payments'],
    },
    {
      name: 'fernhill-privacy',
      content: 'Data protection officer for Fernhill is Ines Calloway.',
      tags: ['legal', 'entity:people:ines-calloway'],
    },
    {
      name: 'fernhill-session',
      content: 'Staff are logged out after 12 minutes without activity.',
      tags: ['security'],
      type: 'Decision',
    },
    {
      name: 'fernhill-browser',
      content: 'The oldest browser to support is Firefox ESR 115, which the wards use.',
      tags: ['frontend'],
    },
    {
      name: 'fernhill-release',
      content: 'Releases go out on Wednesday evenings, when the practice is closed.',
      tags: ['release'],
      type: 'Habit',
    },
  ]),
  // An open-source checker of links in documentation.
  ...burst('quillfish', '2025-11-12T17:05:00Z', [
    { name: 'quillfish-licence', content: 'Quillfish is licensed under MPL 2.0.', tags: ['legal'], type: 'Decision' },
    {
      name: 'quillfish-formatter',
      content: 'The Go code is formatted with gofumpt.',
      tags: ['code-style:go'],
      type: 'Style',
    },
    {
      name: 'quillfish-publisher',
      content: 'Only Wen Tabor can publish to Homebrew.',
      tags: ['release', 'entity:people:wen-tabor'],
    },
    { name: 'quillfish-go-version', content: 'The oldest Go that Quillfish supports is 1.22.', tags: ['runtime'] },
    {
      name: 'quillfish-docs',
      content: 'The documentation site is built with Hugo from the docs branch.',
      tags: ['docs'],
    },
    { name: 'quillfish-support', content: 'Users get help in the Zulip stream quillfish-help.', tags: ['community'] },
    {
      name: 'quillfish-settings',
      content: 'Settings are looked up in quillfish.toml, first in the working directory, then in the home folder.',
      tags: ['configuration'],
    },
    { name: 'quillfish-exit-code', content: 'Exit code 3 means that links are broken.', tags: ['cli'] },
  ]),
  // A bookkeeping service for clubs.
  ...burst('amber-ledger', '2025-12-01T10:20:00Z', [
    {
      name: 'amber-payments',
      content: 'Subscriptions are billed monthly in advance through Zellpay.',
      tags: ['payments'],
    },
    {
      name: 'amber-mail',
      content: 'Carrierfox delivers the mail, from servers in the EU only.',
      tags: ['mail'],
      type: 'Decision',
    },
    {
      name: 'amber-oncall',
      content: 'On-call changes every Monday at ten between Farid, Lotte and Mikko.',
      tags: ['team'],
      type: 'Habit',
    },
    { name: 'amber-port', content: 'The reporting service answers on port 8092.', tags: ['development'] },
    {
      name: 'amber-amounts',
      content: 'Amounts are integers in the smallest unit of the currency, never floats.',
      tags: ['code-style'],
      type: 'Style',
    },
    {
      name: 'amber-region',
      content: 'Customer data must stay in the Paris region.',
      tags: ['hosting', 'legal'],
      type: 'Decision',
    },
    { name: 'amber-flags', content: 'Feature flags are kept in Togglewise.', tags: ['release'] },
    {
      name: 'amber-roadmap',
      content: 'Lotte Verhagen decides about the roadmap of Amber Ledger.',
      tags: ['team', 'entity:people:lotte-verhagen'],
    },
    { name: 'amber-auditors', content: 'The auditors of Hollis & Teal come every March.', tags: ['legal'] },
  ]),
  // The conversion of an attic into a flat.
  ...burst('loft', '2026-01-10T11:00:00Z', [
    {
      name: 'loft-architect',
      content: 'The architect Renske Duval can be reached on Tuesdays and Thursdays.',
      tags: ['people', 'entity:people:renske-duval'],
    },
    {
      name: 'loft-budget',
      content: 'The loft may cost 68,000 euro at most, kitchenette included.',
      tags: ['finance'],
      type: 'Decision',
    },
    { name: 'loft-permit', content: 'The city granted the building permit under number BV-2291.', tags: ['permits'] },
    {
      name: 'loft-windows',
      content: 'Roof windows with triple glazing are ordered from Velden.',
      tags: ['windows'],
      type: 'Decision',
    },
    {
      name: 'loft-floor',
      content: 'We settled on oiled oak boards for the floor.',
      tags: ['materials'],
      type: 'Decision',
    },
    { name: 'loft-insulation', content: 'The rafters get 24 cm of wood fibre insulation.', tags: ['materials'] },
    {
      name: 'loft-wiring',
      content: 'Piet Hamming does the wiring.',
      tags: ['craftsmen', 'entity:people:piet-hamming'],
    },
    {
      name: 'loft-scaffolding',
      content: 'The Abarca family lets us put scaffolding in their drive from 7 to 25 April.',
      tags: ['neighbours'],
    },
    {
      name: 'loft-stairs',
      content: 'The staircase will be a steel spiral, 140 cm wide.',
      tags: ['materials'],
      type: 'Decision',
    },
  ]),
  // A wedding in September.
  ...burst('freya-wedding', '2026-01-24T20:10:00Z', [
    {
      name: 'wedding-registry',
      content: 'The registry office is booked for 11:30 on 5 September 2026.',
      tags: ['dates'],
    },
    {
      name: 'wedding-venue',
      content: 'The party is in the orangery of Gut Rosenbeck.',
      tags: ['venue'],
      type: 'Decision',
    },
    { name: 'wedding-caterer', content: 'Olive & Ash cater; the tasting is on 14 March at five.', tags: ['food'] },
    { name: 'wedding-band', content: 'The Velvet Herons play from nine to midnight.', tags: ['music'] },
    { name: 'wedding-guests', content: '82 guests are invited, eleven of them children.', tags: ['guests'] },
    {
      name: 'wedding-rings',
      content: 'The goldsmith Tarik Bensaid engraves the rings.',
      tags: ['rings', 'entity:people:tarik-bensaid'],
    },
    {
      name: 'wedding-flowers',
      content: 'Flowers come from Blumen Petri: dahlias and eucalyptus, no lilies.',
      tags: ['decoration'],
      type: 'Preference',
    },
    {
      name: 'wedding-hotel',
      content: 'Hotel Seeblick holds 20 rooms for us until 30 June.',
      tags: ['guests', 'travel'],
    },
  ]),
  // An app for falling asleep.
  ...burst('vesper', '2026-02-09T09:45:00Z', [
    { name: 'vesper-crashes', content: 'Crashes are reported to Faultline.', tags: ['observability'] },
    {
      name: 'vesper-ios',
      content: 'The oldest system that Vesper supports is iOS 16.',
      tags: ['mobile:ios'],
      type: 'Decision',
    },
    {
      name: 'vesper-signing',
      content: 'The Android signing key lies in the 1Password vault of the mobile team.',
      tags: ['mobile:android', 'security'],
    },
    { name: 'vesper-payments', content: 'Entitle manages the in-app purchases.', tags: ['payments'], type: 'Decision' },
    { name: 'vesper-mail', content: 'Login links are mailed with Larkmail.', tags: ['mail'] },
    {
      name: 'vesper-translations',
      content: 'Polyphrase translates the app into seven languages.',
      tags: ['localisation'],
    },
    {
      name: 'vesper-illustrations',
      content: 'Noor Petrak draws the illustrations.',
      tags: ['design', 'entity:people:noor-petrak'],
    },
    {
      name: 'vesper-consent',
      content: 'Nothing is measured before the user has given consent.',
      tags: ['privacy'],
      type: 'Decision',
    },
    {
      name: 'vesper-formatter',
      content: 'Kotlin is formatted with ktfmt, Swift with swift-format.',
      tags: ['code-style'],
      type: 'Style',
    },
  ]),
};
