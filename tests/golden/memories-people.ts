/** Golden memories of people, meetings and private life. Every person and event is invented. */
import type { GoldenMemories } from './golden-memory.js';

export const PEOPLE_MEMORIES: GoldenMemories = {
  'oksana-role': {
    content: 'Oksana Brandt leads the billing team and is the one to ask about taxes and invoices.',
    type: 'Context',
    tags: ['entity:people:oksana-brandt', 'team:billing'],
    importance: 0.7,
    at: '2025-03-17T09:05:00Z',
  },
  'dmitri-role': {
    content: 'Dmitri Falk is the on-call engineer for the platform in odd weeks; he prefers Signal over e-mail.',
    type: 'Context',
    tags: ['entity:people:dmitri-falk', 'team:platform'],
    importance: 0.65,
    at: '2025-03-17T09:05:20Z',
  },
  'yuki-moved': {
    content: 'Yuki Arai moved from the Osaka office to Lisbon and now works Portuguese hours.',
    type: 'Context',
    tags: ['entity:people:yuki-arai', 'team:design'],
    importance: 0.6,
    at: '2025-10-07T08:30:00Z',
  },
  'yuki-osaka': {
    content: 'Yuki Arai works in the Osaka office, eight hours ahead of us.',
    type: 'Context',
    tags: ['entity:people:yuki-arai', 'team:design'],
    importance: 0.6,
    at: '2025-03-25T08:30:00Z',
    invalidatedBy: 'yuki-moved',
  },
  'meeting-roadmap': {
    content:
      'Roadmap meeting: Priya wants subscriptions before gift cards; Dmitri warned that the ledger needs idempotency keys first. Decision postponed to May.',
    type: 'Context',
    tags: ['meeting', 'roadmap', 'entity:people:priya-menon'],
    importance: 0.7,
    at: '2026-02-12T13:30:00Z',
  },
  'meeting-retro': {
    content:
      'Retrospective: stand-ups are too long. From now on we write them in Slack before ten and meet only on Tuesdays.',
    type: 'Context',
    tags: ['meeting', 'team:process'],
    importance: 0.65,
    at: '2026-02-20T15:00:00Z',
  },
  'meeting-security': {
    content:
      'The penetration test by Quillon Labs found one high issue: password reset links could be used twice. Tomasz fixes it by 15 March.',
    type: 'Context',
    tags: ['meeting', 'security', 'entity:people:tomasz-riedel'],
    importance: 0.85,
    at: '2026-02-25T10:00:00Z',
  },
  'meeting-vendor': {
    content:
      'Call with Parcelwing: shipping labels will cost 0.11 euro from April, and their sandbox is down every Sunday.',
    type: 'Context',
    tags: ['meeting', 'vendor:parcelwing'],
    importance: 0.6,
    at: '2026-02-25T10:12:00Z',
  },
  'hiring-frontend': {
    content:
      'We are hiring a senior frontend engineer; Priya owns the process and the take-home task must not exceed three hours.',
    type: 'Context',
    tags: ['hiring', 'entity:people:priya-menon'],
    importance: 0.55,
    at: '2026-01-19T11:20:00Z',
  },
  'pref-short-answers': {
    content: 'The user prefers short answers with the command first and the explanation after it.',
    type: 'Preference',
    tags: ['preference:communication'],
    importance: 0.9,
    at: '2025-03-09T19:00:00Z',
  },
  'pref-dark': {
    content: 'The user likes dark themes everywhere, with the Gruvbox palette in the terminal and in Neovim.',
    type: 'Preference',
    tags: ['preference:editor'],
    importance: 0.6,
    at: '2025-03-09T19:00:07Z',
  },
  'pref-metric': {
    content: 'Use metric units and the 24-hour clock; dates as 2026-03-01.',
    type: 'Preference',
    tags: ['preference:format'],
    importance: 0.7,
    at: '2025-03-09T19:00:16Z',
  },
  'pref-shell': {
    content: 'The user works in fish on a Framework laptop with NixOS; bash snippets have to be adapted.',
    type: 'Preference',
    tags: ['preference:shell'],
    importance: 0.65,
    at: '2025-05-12T20:10:00Z',
  },
  'habit-focus': {
    content: 'Mornings until eleven are for focused work; meetings go in the afternoon whenever possible.',
    type: 'Habit',
    tags: ['habit:work'],
    importance: 0.55,
    at: '2025-05-26T08:00:00Z',
  },
  'diet-vegetarian': {
    content: 'The user eats vegetarian.',
    type: 'Preference',
    tags: ['preference:food'],
    importance: 0.7,
    at: '2025-04-20T18:00:00Z',
    invalidatedBy: 'diet-vegan',
  },
  'diet-vegan': {
    content: 'Since January the user eats vegan, and never wants recipes with mushrooms.',
    type: 'Preference',
    tags: ['preference:food'],
    importance: 0.75,
    at: '2026-01-06T18:00:00Z',
  },
  allergy: {
    content: 'Her daughter Mila is allergic to hazelnuts and carries an adrenaline pen in the blue backpack.',
    type: 'Context',
    tags: ['family', 'health', 'entity:people:mila'],
    importance: 1,
    at: '2025-06-09T17:45:00Z',
  },
  'mila-school': {
    content: 'Mila started at the Lindenhof primary school in September; her teacher is Mr Okafor.',
    type: 'Context',
    tags: ['family', 'entity:people:mila'],
    importance: 0.7,
    at: '2025-09-08T16:30:00Z',
  },
  'mila-piano': {
    content: 'Mila has piano lessons on Thursdays at half past four.',
    type: 'Habit',
    tags: ['family', 'entity:people:mila'],
    importance: 0.5,
    at: '2025-10-14T16:30:00Z',
  },
  anniversary: {
    content: 'The wedding anniversary is on 19 July; last year they had dinner at Casa Ofelia.',
    type: 'Context',
    tags: ['family', 'dates'],
    importance: 0.8,
    at: '2025-07-01T21:00:00Z',
  },
  'mother-birthday': {
    content: 'Her mother turns seventy on 3 June and would like a weekend in the Dolomites with the whole family.',
    type: 'Context',
    tags: ['family', 'dates', 'travel'],
    importance: 0.75,
    at: '2026-02-01T11:15:00Z',
  },
  'trip-norway': {
    content:
      'Summer trip: night train to Oslo on 12 July, then a cabin near Flåm for nine days, booked under the reference QX7LT2.',
    type: 'Context',
    tags: ['travel:norway', 'family'],
    importance: 0.7,
    at: '2026-02-14T20:20:00Z',
  },
  'seat-aisle': {
    content: 'On trains and planes the user wants an aisle seat, far from the engines.',
    type: 'Preference',
    tags: ['travel', 'preference:travel'],
    importance: 0.5,
    at: '2025-07-19T12:00:00Z',
  },
  'car-service': {
    content: 'The car, a Škoda Enyaq, goes to Garage Lindqvist for service; the winter tyres are stored there too.',
    type: 'Context',
    tags: ['household', 'car'],
    importance: 0.45,
    at: '2025-11-03T10:30:00Z',
  },
  heating: {
    content: 'The heat pump shows error E17 when the outdoor filter is clogged; cleaning it with warm water helps.',
    type: 'Insight',
    tags: ['household', 'how-to'],
    importance: 0.55,
    at: '2025-12-27T09:10:00Z',
  },
  'wifi-guest': {
    content: 'The guest wifi is called Heron-Gast; the password is in the kitchen drawer.',
    type: 'Context',
    tags: ['household'],
    importance: 0.4,
    at: '2025-12-27T09:10:09Z',
  },
  sourdough: {
    content:
      'Sourdough that worked: 75 percent water, 20 percent starter, four hours at 25 degrees, then a night in the fridge.',
    type: 'Insight',
    tags: ['cooking', 'how-to'],
    importance: 0.5,
    at: '2025-11-30T19:40:00Z',
  },
  'book-club': {
    content: 'The book club reads The Salt Cartographer next and meets on the last Friday of the month at Beatriz.',
    type: 'Context',
    tags: ['hobby:reading', 'entity:people:beatriz'],
    importance: 0.45,
    at: '2026-02-02T20:00:00Z',
  },
  running: {
    content:
      'Training for the Havel half marathon in May: three runs a week, the long one on Sunday; left knee hurts after 15 km.',
    type: 'Habit',
    tags: ['health', 'hobby:running'],
    importance: 0.6,
    at: '2026-01-11T08:45:00Z',
  },
  'gym-offer': {
    content: 'The gym offers half price until the end of November.',
    type: 'Context',
    tags: ['health'],
    importance: 0.3,
    at: '2025-11-10T18:00:00Z',
    until: '2025-12-01T00:00:00Z',
  },
  dentist: {
    content: 'Dentist Dr Halvorsen, checked in October; a crown on the upper left has to be made in spring.',
    type: 'Context',
    tags: ['health'],
    importance: 0.5,
    at: '2025-10-16T11:00:00Z',
  },
  'landlord-old': {
    content: 'The rent is 1450 euro, paid to Hausverwaltung Kessler.',
    type: 'Context',
    tags: ['household:flat', 'finance'],
    importance: 0.6,
    at: '2025-04-01T07:00:00Z',
    invalidatedBy: 'landlord-new',
  },
  'landlord-new': {
    content: 'The rent rose to 1520 euro in January; it is now paid to Nordhaus GmbH on the first of the month.',
    type: 'Context',
    tags: ['household:flat', 'finance'],
    importance: 0.65,
    at: '2026-01-02T07:00:00Z',
  },
  steuer: {
    content: 'Die Steuererklärung macht Frau Wegener; die Belege müssen bis Ende Mai bei ihr sein.',
    type: 'Context',
    tags: ['finance', 'entity:people:wegener'],
    importance: 0.7,
    at: '2026-01-22T17:00:00Z',
  },
  'japanese-lesson': {
    content: '日本語のレッスンは土曜日の午前十時、先生は田中さん。',
    type: 'Habit',
    tags: ['hobby:japanese'],
    importance: 0.45,
    at: '2025-10-25T08:00:00Z',
  },
  'pension-future': {
    content: 'The new pension plan with 4 percent matching applies.',
    type: 'Context',
    tags: ['finance'],
    importance: 0.6,
    at: '2026-02-22T10:00:00Z',
    from: '2026-07-01T00:00:00Z',
  },
};

/**
 * A chat. Each message is a memory, stored 30 or 45 s after the previous one. Answers share few words with their
 * questions.
 */
export const DIALOGUE_MEMORIES: GoldenMemories = dialogue('session:garden-2026-02-08', '2026-02-08T17:00:00Z', [
  ['garden-1', 'Lena: Hi Ruben, did you finally get the allotment by the canal?'],
  ['garden-2', 'Ruben: Yes, since last week! Number 48, with a shed and two old apple trees.'],
  ['garden-3', 'Lena: Wonderful. What will you plant first?'],
  ['garden-4', 'Ruben: Broad beans and peas in March, they can stand a little frost.'],
  ['garden-5', 'Lena: And how are you going to keep the slugs away?'],
  ['garden-6', 'Ruben: My neighbour swears by copper tape around the beds, so I ordered twenty metres.'],
  ['garden-7', 'Lena: I would get two Indian runner ducks instead, like my aunt in Emden.'],
  ['garden-8', 'Ruben: Ha, the association does not allow animals, I read the rules twice.'],
  ['garden-9', 'Lena: Who is going to water it all while you are in Norway?'],
  ['garden-10', 'Ruben: Amara from number 50 offered, and I would mow her lawn in return.'],
  ['garden-11', 'Lena: How much is the lease, by the way?'],
  ['garden-12', 'Ruben: 210 euro a year plus eighty for water, cheaper than my parking space.'],
]);

function dialogue(session: string, start: string, turns: [name: string, text: string][]): GoldenMemories {
  const entries = turns.map(([name, content], index) => [
    name,
    {
      content,
      type: 'Context' as const,
      tags: [session, `speaker:${content.split(':')[0]?.toLowerCase()}`],
      importance: 0.5,
      at: new Date(Date.parse(start) + index * 40_000 + (index % 3) * 5_000).toISOString(),
    },
  ]);
  return Object.fromEntries(entries) as GoldenMemories;
}
