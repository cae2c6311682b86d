/** The development half of the planted corpus: seven topics that share people, places and words. */
import type { Pair, TopicText } from './read-corpus.js';

export const DEVELOPMENT_TOPICS: readonly TopicText[] = [
  {
    name: 'checkout',
    tags: ['project:kestrel', 'payments'],
    notes: `
C kestrel-is | Kestrel is the checkout service of the shop; it takes carts and turns them into paid orders.
D | Kestrel charges cards through Adyen, because the fees for small carts are lower there.
C kestrel-owner-old | Kestrel belongs to team Basalt.
I pool-starved | The checkout outage in March came from starved database connections: every retry took another one out of the pool.
D idempotent | Each payment request to Kestrel carries an idempotency key, so that a customer is never charged twice.
C kestrel-timeout-old | Requests from Kestrel to Adyen time out after 30 seconds.
H tobias-watch | Tobias Renner watches the payment dashboard for an hour after each release of Kestrel.
C | Refunds in Kestrel are booked by a nightly job, and the customer gets a mail the next morning.
I jitter | Without jitter all checkout workers retried at the same second and knocked the payment provider over again.
C kestrel-port-old | The staging checkout of Kestrel listens on port 7443.
S | Error messages of the checkout never mention the card number, not even its last four digits.
D | Vouchers are checked when the cart is paid, not when it is filled.
C kestrel-refund-a | Refunds above 500 euros need the approval of Mara Lindholm before Kestrel pays them out.
T flaky-sandbox | Payment tests fail on Mondays, since the provider resets its sandbox on Sunday night.
C | The cart of a guest is kept for fourteen days, that of a customer for ninety.
C kestrel-timeout-new | The Kestrel requests to Adyen now time out after 8 seconds.
P alerts | Mara Lindholm wants payment alerts by text message and not by mail.
D half-even | Currency conversion in the checkout rounds half to even, as the accountants asked.
C | Fraud checks of Kestrel look at the shipping address, the age of the account and the size of the cart.
C kestrel-refund-b | Before Kestrel pays out refunds above 500 euros, Mara Lindholm needs to give approval.
C kestrel-owner-new | Kestrel now belongs to team Granite.
I decimal-commas | Order totals were wrong for a day because amounts with decimal commas were read as thousands.
C | Kestrel writes one event for every paid order to the topic orders.paid.
C kestrel-port-new | Kestrel's staging checkout listens on port 7553.
C kestrel-log-a | Kestrel keeps payment logs for 400 days because auditors ask for them.
C kestrel-log-b | Payment logs of Kestrel are kept for 400 days because auditors ask for them.
D | The checkout button stays disabled until the shipping costs are known.
I annika-books | Only Annika can book chargebacks by hand, which nobody has learned for the time of her leave from June on.
C | Invoices of the shop are numbered without gaps, which the tax office demands.
C | Chargebacks of Kestrel reached 0.4 percent of orders in April.
C | Chargebacks of Kestrel reached 0.7 percent of orders in June.
`,
  },
  {
    name: 'renovation',
    tags: ['home', 'kitchen'],
    notes: `
D worktop | The kitchen gets a worktop of oak, oiled and not varnished.
C fitter-old | The kitchen fitter comes on 12 December.
C | The old tiles behind the stove come off with the wall plaster, so that wall must be redone.
I damp-wall | The damp patch in the kitchen wall came from a cracked downpipe outside and not from the sink.
D | All sockets of the kitchen move above the worktop, with two more beside the window.
C oven-a | The new oven is 60 cm wide and needs its own fuse of 16 amperes.
P | I like drawers better than cupboards below the worktop.
C | Bellini Interiors offered the cabinets for 7,900 euros without the fridge.
C oven-b | The new oven needs its own fuse of 16 amperes and is 60 cm wide.
T | Craftsmen cancel when it rains, whatever work indoors is planned for them.
C paint-old | The kitchen walls are painted in the colour Chalk.
D barrel | Rain from the kitchen roof goes into the barrel beside the greenhouse and no longer into the drain.
C | The electrician found aluminium wiring from the sixties behind the fridge.
C budget-old | The budget of the kitchen renovation is 18,000 euros.
I primer | Paint peeled off the kitchen ceiling, because grease had not been washed off before the primer.
I lime | Two sacks of lime are left from plastering the kitchen wall, enough for soil that is as acid as the lower bed.
C | The sink is ceramic, with one and a half bowls.
H | We photograph every open wall of the house before it is closed again.
C | The floor of the kitchen will be linoleum in dark green, laid in one piece.
D | The extractor hood blows outside; a filter that only recirculates was no choice.
C fitter-new | The kitchen fitter now comes on 19 December.
C budget-new | The budget of the kitchen renovation is now 21,500 euros.
C keys-a | The spare key for the craftsmen hangs in the meter cupboard next to the front door.
C keys-b | For craftsmen, the spare key hangs in the meter cupboard next to the front door.
C paint-new | The walls of the kitchen are painted in the colour Sage instead.
C | The dishwasher stands left of the sink, because the water pipe ends there.
C | Window sill number 1 in the kitchen is 92 cm long.
C | Window sill number 2 in the kitchen is 118 cm long.
I dust | Sanding the floor covered everything in dust down to the cellar, since nobody had taped the doors.
C | The plasterer needs the kitchen to be empty for four days.
C | The hinges of the cabinets close softly and carry twelve kilos each.
`,
  },
  {
    name: 'running',
    tags: ['marathon', 'sport'],
    notes: `
C race-old | The Lisbon marathon starts at 08:00.
D | I run four times a week until the marathon: two easy runs, one of intervals and a long one.
I knee | My knee hurts when I run downhill fast, and it stops after two days without stairs.
C | Coach Ines plans the long runs, up to 32 kilometres in September.
H | I stretch my calves on the stairs after each run.
C shoes-a | My running shoes have 640 km in them and should be replaced at 800 km.
I breakfast | Oats before a long run sit badly; white bread with honey two hours before works.
C shoes-b | My running shoes have 640 km on them; they should be replaced at 800 km.
P | I prefer running along the river before sunrise, when nobody is there.
D caffeine | No caffeine in the last ten days before the marathon, so that the gel at kilometre 30 has an effect.
C | Intervals last week: six times 800 metres in 3:25 each.
C | Intervals this week: six times 1000 metres in 4:20 each.
T | After three weeks of more kilometres a fourth one with half of them keeps me free of injuries.
C | Long run in July: 24 kilometres in 2:16, with a pulse of 148.
C | Long run in August: 28 kilometres in 2:41, with a pulse of 150.
C pace-old | My target pace for the marathon is 5:20 per kilometre.
I sleep | Tempo runs go badly after nights with less than six hours of sleep.
C | The physiotherapist taped my shin and forbade hills for two weeks.
C race-number | The race number is collected at the fair in the Parque das Nações until Saturday evening.
C race-new | The start of the Lisbon marathon is now at 07:30.
D | Heart rate decides how fast the easy runs are, not the watch's pace.
C pace-new | My target pace for the marathon is now 5:35 per kilometre.
C | Ines says that I land on my heels when I get tired after 25 kilometres.
H | On rest days I swim twenty lengths to loosen my legs.
C club-a | The running club meets at the boathouse on Wednesdays at 18:30.
C club-b | On Wednesdays at 18:30 the running club meets at the boathouse.
C | Blisters on the left heel came from the seam of the new socks.
I heat | Above 25 degrees my pulse is ten beats higher at the same pace.
C | I have run two marathons before, in Hamburg and in Vienna.
P | Gels with lemon are the only ones that I can swallow while running.
`,
  },
  {
    name: 'warehouse',
    tags: ['project:osprey', 'data'],
    notes: `
C | Osprey moves our reporting from the nightly spreadsheets to a data warehouse.
D pgbouncer | Osprey reads the shop database only through a connection pool of its own, so that reports never starve the checkout of database connections.
C osprey-db-old | The Osprey warehouse runs on Redshift.
I duplicates-events | Paid orders arrive twice in the warehouse when a checkout worker restarts; the idempotency key of the payment tells which to drop.
D | Tables of Osprey are rebuilt by dbt every morning at five.
H leonie-check | Leonie Fuchs checks the row counts of the load before the stand-up.
C load-a | The nightly load of Osprey takes 50 minutes for 12 million rows.
C | The finance dashboard of Osprey shows revenue by country and week.
I rounding | Revenue in the warehouse was some cents off, since amounts were rounded by row and not half to even as in the checkout.
D hashed | Personal data is hashed before it enters the warehouse.
C load-b | Osprey's nightly load takes 50 minutes for 12 million rows.
C osprey-lead-old | The lead of Osprey is Leonie Fuchs.
S | Column names in Osprey are in snake case and end in their unit.
T | Late events from phones arrive up to three days after the day they belong to.
C | Old spreadsheets stay readable in an archive bucket until the end of next year.
D decimal | Amounts reach the warehouse as integers in cents, because decimal commas had been read as thousands.
C osprey-retention-old | The raw events of Osprey are stored for 90 days.
C osprey-db-new | The Osprey warehouse runs on Snowflake now.
C | The marketing team asks for a table of customers by first campaign.
I | Incremental models drifted from the full ones by two percent within a month, so a full rebuild runs on Sundays.
C osprey-lead-new | The lead of Osprey is now Pavel Novak.
C | A failed load of Osprey pages the data engineer on duty, but only after the second attempt.
P | Analysts prefer one wide table of orders over five narrow ones.
C osprey-retention-new | The raw events of Osprey are now stored for 365 days.
C dict-a | The data dictionary of Osprey is generated from the comments in the models.
C dict-b | From the comments in the models the data dictionary of Osprey is generated.
C | Partition 7 of the events table holds 3.1 million rows.
C | Partition 8 of the events table holds 4.6 million rows.
D | Reports may be an hour old; nobody gets live queries on the warehouse.
C | The seed tables of the warehouse hold countries, currencies and tax rates.
`,
  },
  {
    name: 'garden',
    tags: ['garden', 'vegetables'],
    notes: `
D watering | The greenhouse is watered with rain from the barrel that the kitchen roof fills.
C | Tomatoes stand along the south wall, eight plants of four kinds.
I slugs | Slugs eat the lettuce only where the mulch is thick and wet.
H | Every Sunday I turn the compost and check its temperature.
C bed-a | The raised bed holds carrots, beetroot and spinach in three rows.
I kneeling | Weeding on my knees makes the knee that hurts on downhill runs worse, so I use a low stool.
C bed-b | Carrots, beetroot and spinach grow in three rows in the raised bed.
D | No peat in the garden; leaf mould does the same for the seedlings.
C | The first frost came on 14 October last year and took the courgettes.
P | I grow beans on poles rather than bushes, since picking is easier on the back.
C beans-old | The beans are sown 4 cm deep.
T | Cabbage whites come in two waves, early in June and in the middle of August.
C | Seeds of the yellow tomato come from my neighbour Ottilie, who has saved them for years.
I copper | Copper tape around the pots keeps snails off for a season and no longer.
C acid-soil | The soil of the lower bed has a pH of 5.9 and needs lime.
D | Potatoes follow garlic in the second bed, and nothing of the cabbage family for three years.
C hose | The garden hose is stored in the cellar from November on, because it burst last winter.
C | The pear tree has scab; infected leaves go into the bin and not on the compost.
C beans-new | The beans are now sown 2 cm deep.
D spades | Oil left over from the oak worktop protects the wooden handles of the spades.
C | Branches of the apple tree are cut back in February.
C greenhouse-a | The greenhouse door stays open at night from June to August to keep mildew away.
C greenhouse-b | From June to August the greenhouse door stays open at night, to keep mildew away.
C | Bed 3 gets two barrows of manure.
C | Bed 4 gets five barrows of manure.
I | Basil beside the tomatoes grows better than in pots of its own.
C harvest-old | The cellar shelf holds 24 jars of beetroot.
H | I write down on the shed door what was sown where.
C | Hedgehogs live under the brushwood pile behind the shed.
C | Pumpkins need so much room that they grow over the compost heap.
C harvest-new | The cellar shelf holds only 9 jars of beetroot now.
`,
  },
  {
    name: 'portuguese',
    tags: ['language', 'portuguese'],
    notes: `
C | My Portuguese lessons with Beatriz are by video, from her flat in Porto.
C lesson-old | The weekly Portuguese lesson is on Tuesdays at 19:00.
I nasal | Nasal vowels get better when I hum before I speak them.
D signing | By the Lisbon marathon I want to ask for my race number and the way to the fair in Portuguese.
H | I read one page of a Portuguese newspaper at breakfast and mark the verbs.
C cards-a | My deck of Portuguese flash cards has 1,450 words.
C | Beatriz corrects my letters in green, since red frightens her pupils.
C cards-b | There are 1,450 words in my deck of Portuguese flash cards.
T | I mix up "ser" and "estar" whenever I talk about the weather.
P | I learn words in sentences rather than in lists.
D evening | Grammar is for mornings; after nights of less than six hours of sleep I only listen, since nothing sticks.
C book-old | The textbook for the Portuguese course is Caminhos.
C | The future subjunctive appears after "quando" and "se", which no other language I know has.
I | Songs by Rui Veloso help with endings that are swallowed in speech.
C | Chapter 6 of the course is about shopping and prices.
C | Chapter 7 of the course is about doctors and pharmacies.
C lesson-new | The weekly Portuguese lesson is now on Thursdays at 20:00.
D | I take the B1 exam in Portuguese in November and not before.
C | False friends: "puxar" means to pull, whatever it sounds like.
C book-new | The textbook for the Portuguese course is now Horizontes.
C | Beatriz grew up in Braga and drops the vowels that I look for.
C tandem-a | My tandem partner Duarte wants to speak German for half of each call.
C tandem-b | For half of each call my tandem partner Duarte wants to speak German.
I podcast | Podcasts on long runs teach me more Portuguese than the app does.
S | I write the date in Portuguese on every page of my notebook.
I drowsy | Without caffeine in the ten days before the marathon I fell asleep over the verbs of my newspaper.
C | Numbers above a hundred still take me a second each.
C | In Lisbon they say "autocarro", in Rio "ônibus", for the same bus.
H | On Fridays I write Beatriz a letter of a hundred words.
C | The port of Leixões lies where we went on the excursion of the course.
P | I like the accent of the Azores best, although I understand it least.
`,
  },
  {
    name: 'hiring',
    tags: ['team', 'hiring'],
    notes: `
D | Candidates get a paid task of three hours in place of a puzzle at the whiteboard.
C | The open position is for a backend engineer with experience in payments.
I review-load | Tobias Renner reviews half of all pull requests, and everything waits when he watches the payment dashboard after a release.
H | I talk with everyone in the team for half an hour every second week.
C headcount-old | The team may hire 2 engineers this year.
D pairing | New engineers pair with Leonie Fuchs for their first month, because only she knows how the warehouse load is checked before the stand-up.
C notice-a | Jonas has a notice period of three months and could begin in October.
C | The recruiter sends profiles on Fridays, five at most.
C notice-b | Jonas could begin in October, as he has a notice period of three months.
I | Candidates who ask about failures in the first call stay longest.
P | Mara Lindholm prefers to see candidates in person before the offer goes out.
T | Offers are declined when more than two weeks pass after the last interview.
C | The salary band for seniors goes from 78,000 to 92,000 euros.
C standup-old | The stand-up of the team is at 09:30.
D | Interviews have the same six questions for everyone, so that answers compare.
S | Feedback to applicants is written within three days and names one strength at least.
I oncall | People on call want to be texted; alerts by mail were read hours too late, as with the payment alerts.
C annika-leave | Annika leaves at the end of June for her parental leave.
C | Sprint 14 ended with 31 points.
C | Sprint 15 ended with 26 points.
C standup-new | The team's stand-up is now at 10:15.
D | Working from home is possible on any day but Wednesdays.
C headcount-new | The team may hire 4 engineers this year now.
H | After each interview both interviewers write their notes before they talk.
C retro-a | The retrospective of the team happens every other Thursday without managers.
C retro-b | Every other Thursday the retrospective of the team happens without managers.
D council | The works council agreed to the warehouse on the condition that personal data is hashed before it enters.
C | The works council must see every job advertisement a week before it is published.
I | Juniors learn faster when they own a small service from the first month.
C | The buddy of a new colleague shows the office, the canteen and the build pipeline.
P | The team likes quiet afternoons: no meetings after two o'clock.
`,
  },
];

/** Pairs of notes that should be linked although their topics differ. */
export const DEVELOPMENT_LINKS: readonly Pair[] = [
  ['pool-starved', 'pgbouncer'],
  ['idempotent', 'duplicates-events'],
  ['half-even', 'rounding'],
  ['decimal-commas', 'decimal'],
  ['barrel', 'watering'],
  ['knee', 'kneeling'],
  ['sleep', 'evening'],
  ['race-number', 'signing'],
  ['tobias-watch', 'review-load'],
  ['alerts', 'oncall'],
  ['leonie-check', 'pairing'],
  ['caffeine', 'drowsy'],
  ['worktop', 'spades'],
  ['annika-leave', 'annika-books'],
  ['acid-soil', 'lime'],
  ['hashed', 'council'],
];
