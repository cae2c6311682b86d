/** Tests the rules that decide which words are names, one rule at a time. */
import { describe, expect, test } from 'vitest';
import { entityTag } from '../../src/domain/entity.js';
import { recognizeEntities } from '../../src/enrichment/entities/recognize.js';

/** Entities as `kind:name`. */
function found(text: string): string[] {
  return recognizeEntities(text).map(({ kind, name }) => `${kind}:${name}`);
}

describe('recognised names', () => {
  test.each([
    ['of people whom somebody meets', 'Lunch with Quorra and Tavish.', ['people:Quorra', 'people:Tavish']],
    [
      'with a family name',
      'Vincent van Doorn and Maria K. Silva left.',
      ['people:Vincent van Doorn', 'people:Maria K. Silva'],
    ],
    ['without titles', 'Prof. Elena Petrov met Mrs. Oyelaran.', ['people:Elena Petrov', 'people:Oyelaran']],
    [
      'without possessives',
      "Anna’s laptop, Thomas’ badge and Ada's key.",
      ['people:Anna', 'people:Thomas', 'people:Ada'],
    ],
    ['of speakers', '[10:02] Brightwen: I think so\nTavish: me too', ['people:Brightwen', 'people:Tavish']],
    ['of people who are greeted', 'Hey Quorra! Well, Tavish, here we are.', ['people:Quorra', 'people:Tavish']],
    ['that are also words, where people act', 'Will asked whether Mark agrees.', ['people:Will', 'people:Mark']],
    ['that are also months, where people act', 'April said it is due in April.', ['people:April']],
    ['that are also places, where people act', 'Talked to Milan about Milan Kundera.', ['people:Milan Kundera']],
    ['that are places', 'Milan was rainy, Milan is always rainy.', ['concepts:Milan']],
    ['behind an at sign', 'Thanks @Priya!', ['people:Priya']],
    [
      'of companies by their form',
      'Brightwater Ltd. and Quillon Labs merge.',
      ['organizations:Brightwater Ltd', 'organizations:Quillon Labs'],
    ],
    [
      'of employers',
      'She works at Quillon, then joined Brightwater.',
      ['organizations:Quillon', 'organizations:Brightwater'],
    ],
    ['of employers with a product', 'He works at Slack and hates Slack.', ['organizations:Slack']],
    ['of tools that somebody uses', 'We use Zellij and Brutka.', ['tools:Zellij', 'tools:Brutka']],
    ['of tools that are compared', 'Chose Zelbo over Marqua.', ['tools:Zelbo', 'tools:Marqua']],
    ['of tools in lower case', 'runs postgres in docker', ['tools:PostgreSQL', 'tools:Docker']],
    ['of tools that are words', 'Go is fast, and Swift 6 is strict.', ['tools:Go', 'tools:Swift']],
    ['that would share a slug', 'Ported from C++ to C#.', ['tools:Cpp', 'tools:CSharp']],
    [
      'of projects',
      'Project Bluefin and repo "harbor-web"; project: fern-db',
      ['projects:Bluefin', 'projects:harbor-web', 'projects:fern-db'],
    ],
    [
      'of projects by their parts',
      'The Marigold backend calls our Heron API.',
      ['projects:Marigold', 'projects:Heron'],
    ],
    [
      'of places by their kind',
      'Hiked up Mount Zarn, then along Zarn Lake.',
      ['concepts:Mount Zarn', 'concepts:Zarn Lake'],
    ],
    ['of places that somebody visits', 'Visited Zarnburg in May.', ['concepts:Zarnburg']],
    ['of places called like people', 'Tom lives in Charlotte.', ['people:Tom', 'concepts:Charlotte']],
    ['of events', 'Met at the Zarn Festival and at ZarnConf.', ['concepts:Zarn Festival', 'concepts:ZarnConf']],
    ['of works', 'Finished reading "The Glass Orchard".', ['concepts:The Glass Orchard']],
  ])('%s', (_, text, names) => expect(found(text)).toEqual(names));
});

describe('recognition finds no names in', () => {
  test.each([
    ['first words', 'Ship it. Grab milk. Marketing wants less. Everyone agreed. Customers asked. Decay writes logs.'],
    [
      'words that are names in front of verbs',
      'Mark it done. Bill the client. Will it work? Rose early. Art is long. Hope helps.',
    ],
    [
      'words that are tools',
      'React quickly. Go home. Rust on the chain. Windows are dirty. Linear regression is enough.',
    ],
    [
      'adjectives with a capital',
      'Uses Dark Mode. Hired Senior Developers. Asked Technical Support. Runs on Public Key.',
    ],
    ['dates', 'Monday, Jan 5, Fri and every May until Q3 and Christmassy December.'],
    ['nationalities and languages', 'Spoke with German and Japanese customers in English.'],
    ['titles and roles', 'The CEO met the Product Owner and the Chief Technology Officer.'],
    ['headlines', 'Lessons Learned From The Outage\nWeekly Report For The Steering Group'],
    ['shouting', 'DO NOT TALK TO ANNA ABOUT THE BUILD'],
    ['German nouns', 'Die Rechnung ist für den Vorstand und nicht für die Kunden mit Vertrag.'],
    ['error codes', 'Met with E1234, ERR_BAD_THING, ORA-00942, 0x80070005 and TypeError.'],
    ['paths and files', 'See src/Anna/Tom.ts, ./Docker/Redis.md, C:\\Users\\Anna and Anna.json.'],
    ['addresses', 'https://redis.io/Anna?x=Tom and anna@Paris.example and www.docker.com'],
    ['code', 'const Anna = Tom.map(Paris => Redis);\nif (Anna.isTom) return Paris;\nSELECT Anna FROM Paris'],
    ['code blocks', '```\nAnna met Tom\n```\n```\nunfinished Redis'],
    ['markup', '<div title="Anna">x</div><Anna/>'],
    ['shell lines', '$ docker run redis'],
    ['labels', 'Fix: done. Note: I think so. TODO: you decide. User: hi. Assistant: hello you.'],
    ['parts of a project', 'Project Manager, Project plan, the project React needs, Project: build it'],
    ['licences', 'MIT License'],
    ['contractions', "Thanks, I've seen it. Hey, don't worry."],
  ])('%s', (_, text) => expect(found(text).filter(name => !ALLOWED.has(name))).toEqual([]));

  // Names that may be found in the texts above, because those texts test other rules.
  const ALLOWED = new Set(['tools:React']);
});

describe('names between back-ticks', () => {
  test.each([
    ['a tool', '`redis`', ['tools:Redis']],
    ['a command', '`npm run build`', ['tools:npm']],
    ['a repository', 'the `fern-db` repo', ['projects:fern-db']],
    ['a package', 'bumped `fern-db`', ['tools:fern-db']],
    ['a slug of unknown kind', 'see `fern-db`', ['projects:fern-db']],
    ['a codename', 'the `Fernwold` service', ['projects:Fernwold']],
    [
      'a telling symbol',
      '`parseFernHeader()` and `fern_row_count`',
      ['concepts:parseFernHeader', 'concepts:fern_row_count'],
    ],
    ['no names: short symbols', '`getUser()`, `user_id`, `MAX_RETRIES`, `BadFernError`', []],
    ['no names: parts of programs', 'the `no-fern` rule, property `fern-items`, `utf-8`', []],
    ['no names: plain words, literals and paths', '`true`, `42`, `build`, `Unauthorized`, `src/fern.ts`, `a == b`', []],
  ])('%s', (_, text, names) => expect(found(text)).toEqual(names));
});

describe('recognition finds one entity for several spellings', () => {
  test.each([
    ['accents', 'Zoë asked Zoe.', ['people:Zoë']],
    [
      'case and aliases',
      'Kubernetes, kubernetes, K8s and Postgres, PostgreSQL',
      ['tools:Kubernetes', 'tools:PostgreSQL'],
    ],
    [
      'a first name and the full name',
      'Anna asked. Anna Kowalski agreed, and Kowalski left.',
      ['people:Anna Kowalski'],
    ],
    [
      'but not for two people with the same first name',
      'Maria Silva met Maria Lopez, and Maria left.',
      ['people:Maria Silva', 'people:Maria Lopez', 'people:Maria'],
    ],
    ['one kind for a name', 'Project Heron is late. We use Heron.', ['projects:Heron']],
    ['a name within a title', 'Read "Anna in Paris" to Anna.', ['concepts:Anna in Paris', 'people:Anna']],
  ])('%s', (_, text, names) => expect(found(text)).toEqual(names));

  test('and returns the entities in the order in which they appear', () => {
    const text = 'In Paris, Anna moved Project Heron from Redis to the Globex cloud.';
    const places = recognizeEntities(text).map(({ name }) => text.indexOf(name));
    expect(places).toHaveLength(5);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe('recognition', () => {
  test('finds at most 20 entities', () => {
    const cities =
      'Paris, Rome, Oslo, Lima, Bern, Kyiv, Riga, Baku, Doha, Lyon, Turin, Graz, Linz, Bonn, Kiel, Ulm, Porto, Braga, Faro';
    expect(recognizeEntities(`${cities}, Delhi, Tokyo, Seoul, Cairo, Tunis, Accra, Dakar`)).toHaveLength(20);
  });

  test('finds names only within the first 5,000 characters', () => {
    expect(found(`${'x '.repeat(2_490)} Anna ${'x '.repeat(60)} Tom`)).toEqual(['people:Anna']);
  });

  test('finds a long name, and does not shorten its tag', () => {
    const [entity] = recognizeEntities(`Repo "${'fern-'.repeat(7)}db"`);
    expect(entity && entityTag(entity)).toBe(`entity:projects:${'fern-'.repeat(7)}db`);
  });
});
