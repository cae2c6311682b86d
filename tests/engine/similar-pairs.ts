/** Pairs of memories with nearly the same meaning, and pairs with similar words but different facts. */

export type Pair = readonly [older: string, newer: string];

export const NEARLY_THE_SAME: readonly Pair[] = [
  [
    'The user prefers short answers with the command first and the explanation after it.',
    'User prefers short answers: command first, explanation afterwards.',
  ],
  [
    'Jo Arden moved from the Cork office to Lisbon and now works Portuguese hours.',
    'Jo Arden has moved to Lisbon from the Cork office and works Portuguese hours now.',
  ],
  [
    'Her daughter Ida is allergic to walnuts and carries an adrenaline pen in the red satchel.',
    'Ida is allergic to walnuts; she carries an adrenaline pen in her red satchel.',
  ],
  [
    'The user likes light themes everywhere, with the Solarized palette in the terminal and in Emacs.',
    'Likes light themes everywhere: Solarized palette in terminal and Emacs.',
  ],
  ['Ledger runs on CockroachDB.', 'The ledger service runs on CockroachDB.'],
  ['Ann likes tea.', 'Ann likes green tea.'],
  ['Ann likes tea in the morning.', 'In the mornings Ann likes tea.'],
  [
    'We decided to use PostgreSQL for payroll because of its transactions.',
    'Decision: use PostgreSQL for payroll because it has transactions.',
  ],
  [
    'The upload limit is 100 requests per minute for each token.',
    'Each token has an upload limit of 100 requests per minute.',
  ],
  [
    'Deploys go out on Tuesdays at ten, after the stand-up.',
    'Each deploy goes out on Tuesday at ten after the stand-up.',
  ],
  ['Ida has cello lessons on Thursdays at half past four.', 'Ida has her cello lesson on Thursday at half past four.'],
  ['The mirror database is at db-mirror.internal, port 5433.', 'Mirror database: db-mirror.internal on port 5433.'],
  ['The user prefers tabs over spaces in Go.', 'User prefers tabs to spaces in Go code.'],
];

export const DIFFERENT: readonly Pair[] = [
  ['Fact number 1.', 'Fact number 2.'],
  ['fact 17', 'fact 18'],
  ['Fact number 1: the sky is blue.', 'Fact number 2: the grass is green.'],
  ['Ann likes coffee.', 'Bob likes coffee.'],
  ['Ann likes coffee in the morning.', 'Bob likes coffee in the morning.'],
  ['Ann likes coffee.', 'Ann likes chess.'],
  ['The port of the mirror database is 5433.', 'The port of the mirror cache is 6380.'],
  [
    'Meeting with customer 17 about invoice 2231 was moved to room 4.',
    'Meeting with customer 18 about invoice 2232 was moved to room 5.',
  ],
  ['Olga Brandt leads the payroll team.', 'Dirk Falk leads the network team.'],
  ['The guest eats vegetarian.', 'Since January the guest eats vegan, and never wants recipes with aubergines.'],
  ['Bug 4711 in the parser was fixed by checking for null.', 'Bug 4712 in the parser was fixed by checking for null.'],
  ['Server web-01 runs in Frankfurt.', 'Server web-02 runs in Frankfurt.'],
  ['Memory 3 of the load test, written by thread 2', 'Memory 4 of the load test, written by thread 2'],
  ['Test memory about apples', 'Test memory about oranges'],
  ['Paula owns the hiring process.', 'Paula owns the release process.'],
  ['Theo fixes it by 15 March.', 'Theo fixes it by 20 April.'],
  ['Birthday of Ann: 4 May 1990.', 'Birthday of Bob: 7 June 1985.'],
];
