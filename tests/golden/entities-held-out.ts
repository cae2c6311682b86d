/**
 * Held-out sentences with the entities that a reader would link them by. Written before the recogniser was first run, and
 * never tuned on: a miss here is a figure, not a bug report. Every person and event is invented.
 */
import { parseLabelled } from './entities.js';

export const HELD_OUT = parseLabelled(`
  # plain notes: work
  Met with Leonora Baxter and her deputy about the renewal. => people: Leonora Baxter
  Talked to Ignacio yesterday; he wants the export by Thursday. => people: Ignacio
  Kwame Asante signed off the security review on 4 March. => people: Kwame Asante
  Had lunch with Beatriz and Olof from the data team. => people: Beatriz, Olof
  The contract with Northwind GmbH ends in August. => organizations: Northwind GmbH
  Hannah's proposal was accepted; she starts the rollout in Rotterdam. => people: Hannah; concepts: Rotterdam
  Interview with a candidate from Shopify went well. => organizations: Shopify
  Ravi used to work at Deutsche Bank before he joined Klarna. => people: Ravi; organizations: Deutsche Bank, Klarna
  Our client Marlowe & Sons Ltd pays within 60 days. => organizations: Marlowe & Sons Ltd
  Professor Adeyemi will review the paper before the ACL conference. => people: Adeyemi; concepts: ACL conference
  Please ask Svetlana whether the visa for the Singapore office is ready. => people: Svetlana; concepts: Singapore
  Gabriel, our new CTO, wants weekly reports. => people: Gabriel
  The feedback from Mei-Ling was about onboarding, not pricing. => people: Mei-Ling
  Kickoff for Project Nightjar is on Monday with Sofia and the Berlin team. => people: Sofia; projects: Nightjar; concepts: Berlin
  Dr. Okonkwo recommended physiotherapy twice a week. => people: Okonkwo
  Microsoft and Salesforce both answered our tender. => organizations: Microsoft, Salesforce
  Emailed Joaquín about the invoice; Joaquín's answer came within an hour. => people: Joaquín
  Mark asked whether the budget covers travel to Toronto. => people: Mark; concepts: Toronto
  # plain notes: code and decisions
  Decided to use PostgreSQL instead of MongoDB for the ledger. => tools: PostgreSQL, MongoDB
  Chose Svelte over React for the admin panel because the bundle is smaller. => tools: Svelte, React
  The staging cluster runs Kubernetes 1.29 behind Traefik. => tools: Kubernetes, Traefik
  We deploy with Terraform and store state in S3. => tools: Terraform, S3
  Rust services talk to each other over gRPC; the gateway is written in Go. => tools: Rust, gRPC, Go
  Fixed the race in the Falconry scheduler by taking the lock earlier. => projects: Falconry
  The \`ledger-sync\` repo needs a new owner. => projects: ledger-sync
  Repo "papertrail" was archived after the move to GitLab. => projects: papertrail; tools: GitLab
  Switched from Jest to Vitest; the suite is twice as fast. => tools: Jest, Vitest
  pnpm 9 broke the lockfile, so we pinned pnpm 8 in CI. => tools: pnpm
  Webhook retries are handled by Temporal, not by cron. => tools: Temporal
  Sentry shows a spike of TypeError: undefined is not a function in checkout. => tools: Sentry
  SQLite beats DuckDB for point lookups in our benchmark. => tools: SQLite, DuckDB
  Ran the embeddings through Voyage and compared them with OpenAI. => tools: Voyage; organizations: OpenAI
  project: harvest-mouse. The importer now streams CSV rows. => projects: harvest-mouse
  Upgraded Django to 5.0 and Celery to 5.4 in one pull request. => tools: Django, Celery
  Claude wrote the migration, and Tobias reviewed it. => tools: Claude; people: Tobias
  Never call fetchInvoices() in a loop, batch the ids first. =>
  Elasticsearch vs OpenSearch: stay with OpenSearch for the licence. => tools: Elasticsearch, OpenSearch
  # personal notes
  Mom's birthday is on 12 May; she wants a trip to Lisbon. => concepts: Lisbon
  My sister Ines got a job at Siemens in Munich. => people: Ines; organizations: Siemens; concepts: Munich
  Grandpa Walter taught me to fish at Lake Constance. => people: Walter; concepts: Lake Constance
  Our dog Pepper is allergic to chicken. => people: Pepper
  Booked flights to Reykjavik for Easter. => concepts: Reykjavik, Easter
  Read "The Left Hand of Darkness" and loved it. => concepts: The Left Hand of Darkness
  Studied biology at the University of Ghent from 2011 to 2015. => organizations: University of Ghent
  Noor ran the Boston Marathon in under four hours. => people: Noor; concepts: Boston Marathon
  I take the blue pill in the morning and the white one before bed. =>
  Aisha moved from Nairobi to Cape Town in 2019. => people: Aisha; concepts: Nairobi, Cape Town
  Thanksgiving at Uncle Pete's house, bring the cranberry sauce. => concepts: Thanksgiving; people: Pete
  # dialogue
  Priscilla: Hey Jon, how was the pottery class? => people: Priscilla, Jon
  Jon: It was great! My teacher Marguerite says I have talent. => people: Jon, Marguerite
  Dexter: Thanks, Wanda! I will bring the tent and the stove. => people: Dexter, Wanda
  Wanda: We went camping near Yosemite last summer, the kids loved it. => people: Wanda; concepts: Yosemite
  Hi Mateo, did you finish the Spanish course? => people: Mateo
  Tamsin: Wow, that sounds amazing. Congrats on the new job at Netflix! => people: Tamsin; organizations: Netflix
  Henrik: I adopted a puppy last week, her name is Luna. => people: Henrik, Luna
  Odette: Been painting a lot lately, mostly sunsets. => people: Odette
  User: I live in Melbourne and work as a nurse. => concepts: Melbourne
  Assistant: Understood, I will remember that you prefer tea. =>
  Gina: My brother Carlos is visiting from Brazil for Christmas. => people: Gina, Carlos; concepts: Brazil, Christmas
  Well, Felix, I think you should talk to her. => people: Felix
  Yeah, Audrey told me about the bakery in Lyon. => people: Audrey; concepts: Lyon
  # hard negatives
  Deploy the new build before the freeze and tell support. =>
  Marketing wants a shorter form. =>
  Everyone said the demo was fine. =>
  Meetings on Monday and Wednesday only, never on Friday. =>
  ERR_CONNECTION_REFUSED appears when the VPN is off. =>
  The API returns 404 for unknown ids and 409 for conflicts. =>
  HTTP headers must be lower case in HTTP/2. =>
  NOTE: DO NOT TOUCH THE PRODUCTION DATABASE ON WEEKENDS. =>
  Swift action saved the release. =>
  May I suggest a different approach? =>
  Will this work on older phones? =>
  Der Kunde möchte die Rechnung am Freitag per Post erhalten. =>
  Chief Technology Officer is a title nobody uses here. =>
  Root Cause: missing index on the orders table. =>
  React quickly when the alarm fires. =>
  How To Write Good Release Notes =>
  Speaking of food, the canteen opens at eleven. =>
  Rose early and walked to the river. =>
  See src/http/app.ts, line 40, and docs/Setup.md. =>
  const Total = Items.map(Item => Item.Price).reduce(Sum, 0); =>
  Happy birthday! =>
  Two-factor authentication is on for all accounts since January. =>
  Customer Success handles refunds, Finance handles invoices. =>
  The Internet was down in the whole building. =>
`);
