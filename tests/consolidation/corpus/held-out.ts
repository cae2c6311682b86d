/** The held-out half of the planted corpus: other topics, people and places, used only after everything was built. */
import type { Pair, TopicText } from './read-corpus.js';

export const HELD_OUT_TOPICS: readonly TopicText[] = [
  {
    name: 'app',
    tags: ['project:lapwing', 'mobile'],
    notes: `
C | Lapwing is the mobile app in which field workers record their inspections of bridges.
D offline | Lapwing stores inspections on the phone first and sends them when there is a network, as on the islands there often is none.
C sdk-old | Lapwing requires Android 9 or later.
I battery | Lapwing emptied phones by noon, because it asked for the position every ten seconds.
C | Photos in Lapwing are reduced to 1600 pixels before they are sent.
H | Yusuf Demir tries every build of Lapwing on the oldest tablet of the office.
C crash-a | Lapwing crashed on tablets without a camera until version 2.4.
D maps | Maps in Lapwing come as vector tiles from our own server in the basement and not from a paid provider.
C crash-b | Until version 2.4 Lapwing crashed on tablets without a camera.
P | Inspectors want big buttons that they can hit with gloves.
S | Screens of Lapwing have one question each and never scroll sideways.
C release-old | Lapwing 3.0 is due on 3 September.
T | Reviews in the store get worse in the week after each change of icons.
C | Signatures are drawn with a finger and kept as a path of points.
C | The test plan of Lapwing has 84 steps.
C lead-old | The product owner of Lapwing is Greta Olsen.
D | Lapwing asks for a PIN after four hours without use.
I clock-skew | Inspections got the wrong order, since phones without a network had clocks that were minutes off.
C sdk-new | Lapwing now requires Android 11 or later.
C beta-a | The beta group of Lapwing has 35 inspectors in four districts.
C | Crash reports of build 118 name the camera module.
C | Crash reports of build 121 name the map module.
C beta-b | The beta group of Lapwing has 35 inspectors, in four districts.
C release-new | Lapwing 3.0 is now due on 22 October.
C lead-new | The product owner of Lapwing is now Henrik Dahl.
D | Translations of Lapwing are made by the districts themselves.
C | Voice notes were dropped from Lapwing, as nobody listened to them.
I grip | Inspectors hold the phone in the left hand, so the main button moved to the left edge.
C | Push messages remind inspectors of bridges that are due within a week.
C bridge-sand | Inspectors photograph the sand that settles at the piers of each bridge with Lapwing.
`,
  },
  {
    name: 'bees',
    tags: ['bees', 'hobby'],
    notes: `
C | Four hives stand behind the orchard of the Marquardt family.
I damp-hive | Mould grew in the hive with the closed floor, while the ones with a mesh stayed dry through the winter.
D varroa | The bees are treated against varroa mites with formic acid right after the last honey.
C | Queens are marked by year: blue is for this one.
C inspect-old | I inspect the hives on Saturdays.
H | I weigh every hive in the evening of the first of the month.
C honey-a | The spring honey of the bees filled 62 jars of 500 grams.
P lime-honey | I like the lime blossom honey best and keep it for myself.
C honey-b | The bees' spring honey filled 62 jars of 500 grams.
T | Swarms leave on the first warm day after a week of rain.
C queen-old | The queen of hive two is from the breeder Sandberg.
D sensors | A scale under hive three sends its weight by radio to the server in the basement.
I wasps | Narrow entrances keep wasps out better than any trap does.
C | The smoker burns dried tansy and egg boxes.
C | Hive 1 weighed 41 kg in September.
C | Hive 2 weighed 36 kg in September.
C inspect-new | I inspect the hives on Mondays now.
C | The neighbour's sunflowers bloom in July and the bees bring yellow pollen.
D | No frames are moved between hives, so that foul brood cannot spread.
C queen-new | The queen of hive two is now from the breeder Hagström.
C syrup-a | In autumn each hive gets fifteen kilos of sugar syrup.
C syrup-b | Each hive gets fifteen kilos of sugar syrup in autumn.
I calm | Bees are calm when I hum while I open the hive.
C | The veil has a hole at the left shoulder.
S | Notes on a hive say brood, stores, temper and queen, in that order.
C | The beekeepers' club lends its extractor for five euros a day.
C | Wax of old combs is melted in the sun and swapped for new foundation.
C | Drone brood is cut out three times until the middle of June.
H | I wash the extractor with cold water before any warm water touches it.
P | Wooden hives are nicer to work with than those of foam.
`,
  },
  {
    name: 'norway',
    tags: ['trip:norway', 'travel'],
    notes: `
C | In August we walk from hut to hut through Rondane for nine days.
C ferry-old | The ferry to Oslo leaves Kiel at 14:00.
D | We carry no tent, since the huts always have a place on the floor.
I no-network | Half of the islands and most of the huts have no network, so tickets and maps must be on the phone beforehand.
C | The hut key of the tourist association costs a deposit of 100 kroner.
P | Solveig wants at least one day without a backpack.
C boots-a | My hiking boots were resoled in May and have to be worn in before the trip.
H | At every hut we write the weather and our next stop into the book.
C boots-b | My hiking boots have to be worn in before the trip, as they were resoled in May.
C budget-old | Our budget for Norway is 1,900 euros for each of us.
D bread-trip | We bake two loaves of rye bread for the trip, because bread that is a week old still tastes good then.
C | The bridge over the Store Ula is closed after heavy rain.
T | Afternoon storms come up from the west after three hot days.
I blisters | Two thin pairs of socks prevent blisters where one thick pair did not.
C cabin-old | In Bergen we stay at the hotel Fjordlys.
C | Day 4 of the walk has 18 kilometres and 700 metres of ascent.
C | Day 5 of the walk has 23 kilometres and 950 metres of ascent.
C | Reindeer graze in the northern part, and dogs are on the lead there until October.
C ferry-new | The ferry to Oslo now leaves Kiel at 13:15.
S | The packing list states the weight of each thing in grams.
C cabin-new | In Bergen we now stay at the hotel Bryggen.
C budget-new | The budget for Norway is now 2,300 euros for each of us.
D cash | We take no cash, for every hut takes cards or a promise to pay later.
C train-a | The train from Oslo to Otta has a family car with a playground.
C train-b | There is a family car with a playground in the train from Oslo to Otta.
C | Otta has a supermarket that closes at ten, and the next one comes after six days.
I trout | Trout bite best at midnight, when the sun stands low behind the ridge.
C | Wild camping is allowed 150 metres away from houses.
P | I prefer dried apples over bars with chocolate, which melt.
C church-oslo | On the last evening there is a concert of the cathedral choir in Oslo, with the Requiem by Duruflé.
`,
  },
  {
    name: 'homelab',
    tags: ['homelab', 'server'],
    notes: `
C | The server in the basement is a used workstation with 64 GB of memory.
D tiles | The basement server has a cache of vector tiles for all of the country, 40 GB of maps.
C backup-old | The backup of the basement server runs at 02:00.
I moisture | The disks rusted, because the basement was damp; a mesh in place of the closed door keeps the rack dry.
C | The router separates the lamps and the speakers from everything else.
H | On the first Sunday of the month I restore one random file from the backup.
C ups-a | The battery of the power supply lasts 22 minutes with both machines on.
D time | The server gives the right time to all devices in the house, because clocks that were minutes off had mixed up the order of photos.
C ups-b | With both machines on the battery of the power supply lasts 22 minutes.
P | I prefer plain containers on one machine to a cluster that nobody understands.
C scale-radio | The radio receiver for the hive scale hangs at the basement window, since its weight did not arrive through the ceiling.
T | Updates of the media server break its subtitles every time.
C nas-old | The storage of the basement server has 8 TB.
C | Port 4 of the switch runs at 100 megabits.
C | Port 9 of the switch runs at 1000 megabits.
C dns-old | The domain of the home network is registered at Gandi.
S | Every container has a text file next to it that says why it exists.
I fan | The fan got loud since a cable touched it, not since the processor was hot.
C | Cameras record for a week and delete the oldest day first.
C backup-new | The backup of the basement server now runs at 04:30.
C dns-new | The domain of the home network is now registered at Netcup.
D | Passwords of the house are kept in one vault, with a printed sheet at the notary.
C power-a | The rack in the basement draws 95 watts when idle.
C power-b | When idle, the rack in the basement draws 95 watts.
C | The mail of the family goes through a provider, for blocklists made our own server useless.
I | A second disk from the same batch failed in the same week as the first one.
C nas-new | The storage of the basement server has 16 TB now.
C | The old tablet in the hall shows calendar, weather and shopping list.
H | Cables get a label on both ends before they are plugged in.
C recordings | Recordings of the rehearsals lie on the basement server, in a folder for each season of the choir.
`,
  },
  {
    name: 'choir',
    tags: ['choir', 'music'],
    notes: `
C | The chamber choir sings in the church of St Anne and has 28 voices.
C rehearsal-old | The choir rehearses on Tuesdays at 19:45.
D requiem | The autumn concert of the choir is the Requiem by Duruflé, with organ and without orchestra.
I humming | Humming before the first chord calms nervous singers, as it calms the bees.
C | Frau Petersen conducts with her left hand when the altos are too late.
P | The basses want the scores on paper and not on tablets.
C fee-old | The choir's yearly fee is 120 euros.
H | We sing the hardest page last, when the voices are warm.
C hall-a | The parish hall has to be swept and locked by eleven after each rehearsal.
C hall-b | After each rehearsal the parish hall has to be swept and locked by eleven.
T | Attendance drops by a third in the weeks before school holidays.
C organ-old | The organist for the autumn concert is Martin Kühn.
S | Breath marks are written in pencil above the staff.
C | Tenors are missing: five of them stand against nine sopranos.
D record | Every rehearsal of the season is recorded, and the recordings are kept on a server for members who were away.
C | Concert in May: 210 people came and gave 1,480 euros.
C | Concert in December: 340 people came and gave 2,650 euros.
I pitch | The choir sinks by a quarter tone whenever the church is colder than fifteen degrees.
C rehearsal-new | The choir now rehearses on Thursdays at 19:45.
C fee-new | The choir's yearly fee is now 150 euros.
C | The Latin of the psalms is pronounced in the Italian way.
C tour-a | For the tour to Utrecht the choir travels by train with one coach reserved.
C tour-b | The choir travels by train, with one coach reserved, for the tour to Utrecht.
C organ-new | The organist for the autumn concert is now Elisabeth Brandt.
D | New singers come to three rehearsals before they sing for Frau Petersen.
C | The folders are black, and so are shoes and shirts.
P | I like to stand next to the second altos, who keep the rhythm.
C | The key of the vestry is with the sexton, Herr Albers.
H choir-cake | After concerts the choir shares sourdough bread, cheese and wine in the vestry.
C | The piano in the hall is tuned twice a year.
`,
  },
  {
    name: 'thesis',
    tags: ['thesis', 'river'],
    notes: `
C | My thesis is about how sand moves in the lower Weser after the dredging of the channel.
C | Supervisors are Professor Adeyemi and, for the statistics, Doctor Lund.
D | Grain sizes are measured by laser and not by sieve, because samples are small.
I piers | Sand settles at the piers of a bridge on the side away from the current, as the photographs of the inspectors show.
C deadline-old | The thesis is due on 15 January.
C | The boat Undine is booked for the third week of each month.
H | I write 300 words every morning before I open the mail.
C samples-a | The cold room holds 212 sediment samples in numbered bags.
P | Professor Adeyemi prefers figures without colours, since she prints everything.
C samples-b | The cold room holds 212 sediment samples, in numbered bags.
I drift | The clocks of the current meters were minutes off after a month, so their order had to be repaired by the tide.
C model-old | The transport model of the thesis is Delft3D.
T | Chapters that start with the results get fewer red marks.
C | Station 3 lies at 4.2 metres below mean tide.
C | Station 6 lies at 7.9 metres below mean tide.
D weights | Samples are weighed wet and dry by a scale that writes its weight by radio into the table, as the one under the beehive does.
C | The literature list has 140 titles, half of them in German.
C meeting-old | The meeting with my supervisors is on Mondays at 11:00.
C model-new | The transport model of the thesis is now Telemac.
S | Figures have their units in brackets behind the name of the axis.
C deadline-new | The thesis is now due on 28 February.
C | The tide gauge at Brake has gaps in March and April.
C meeting-new | The meeting with my supervisors is now on Fridays at 11:00.
D | Raw data goes to the repository of the university when the thesis is accepted.
C probe-a | The turbidity probe is cleaned with vinegar after every trip on the boat.
C probe-b | After every trip on the boat the turbidity probe is cleaned with vinegar.
I | Storms move more sand in two days than the tide does in a season.
C | Doctor Lund wants a bootstrap in place of the t-test.
C | The conference in Delft takes abstracts until the end of May.
P | I like to draw maps of the river bed by hand before I plot them.
`,
  },
  {
    name: 'baking',
    tags: ['baking', 'bread'],
    notes: `
C | My sourdough starter is called Gustav and lives in the fridge door.
I crumb | The crumb was gummy because the loaf was cut while it was warm.
D rye | Rye loaves rest for two days, since bread that is a week old still tastes good when it was not cut at once.
C oven-temp-old | Bread goes into the oven at 250 degrees.
C | The mill in Worpswede sells stone-ground flour on Saturdays.
H | On Thursday evenings I feed the starter, and on Friday I bake.
C salt-a | My basic dough has two percent of salt, counted from the flour.
P | My father eats only the heel of the loaf.
C salt-b | Counted from the flour, my basic dough has two percent of salt.
T | In summer the dough is ready two hours earlier than the recipe says.
C flour-old | My standard flour is type 1050 wheat.
C | Oven tray 1 warps when it is hot.
C | Oven tray 2 has lost its coating.
D honey-dough | The brioche is sweetened with lime blossom honey and no sugar.
I humidity | Crust stays crisp in a linen bag and turns leathery in the closed tin, where it is damp.
C stone-old | My baking stone is 2 cm thick.
S | Recipes are written by weight and never by cups.
C | The proofing basket has to dry in the sun, or mould grows in its cane.
C oven-temp-new | Bread now goes into the oven at 230 degrees.
C neighbours-a | The neighbours get one loaf each on the last Friday of the month.
C neighbours-b | On the last Friday of the month the neighbours get one loaf each.
C flour-new | My standard flour is now type 1600 wheat.
D | Doughs rise in the cellar overnight at twelve degrees.
C | Old bread becomes dumplings, crumbs or food for the hens next door.
C stone-new | My baking stone is now 3 cm thick.
I | Caraway hides a starter that has become too sour.
C | Banneton, scraper and lame hang on the rail beside the stove.
H vestry | I bake four big sourdough loaves for the vestry before each concert.
C | The bread course in Bremen was full within a day.
P | I like a dark crust that others would call burnt.
`,
  },
];

/** Pairs of notes that should be linked although their topics differ. */
export const HELD_OUT_LINKS: readonly Pair[] = [
  ['offline', 'no-network'],
  ['maps', 'tiles'],
  ['clock-skew', 'time'],
  ['clock-skew', 'drift'],
  ['time', 'drift'],
  ['bridge-sand', 'piers'],
  ['damp-hive', 'moisture'],
  ['sensors', 'scale-radio'],
  ['sensors', 'weights'],
  ['scale-radio', 'weights'],
  ['calm', 'humming'],
  ['church-oslo', 'requiem'],
  ['bread-trip', 'rye'],
  ['recordings', 'record'],
  ['choir-cake', 'vestry'],
  ['lime-honey', 'honey-dough'],
];
