/**
 * Words that may begin a sentence or be capitalised without naming anything. Their stems cover their inflected forms.
 */
import { stem } from '../../../domain/text/words.js';
import { wordSet } from './word-set.js';

const FUNCTION_WORDS = wordSet(`
  a about above across actually after again against ago all almost along already also although always am amid among an and another
  any anybody anyone anything anyway are around as aside at away back be because been before behind being below beside besides between
  beyond both but by can cannot could currently despite did do does down during each either else enough even ever every everybody
  everyone everything everywhere except few finally first for from further furthermore generally given had half has have he hello hence
  her here hers herself hey hi him himself his how however i if in indeed initially inside instead into is it its itself just last lastly
  later least less lets like likewise little lots many may maybe me meanwhile might mine more moreover most mostly much must my myself
  near nearly neither never nevertheless next no nobody none nor not nothing now nowhere of off often ok okay on once one only onto or
  other others otherwise ought our ours ourselves out outside over own per perhaps please plus possibly probably quite rather really
  recently regarding same second several shall she should since so some somebody someone something sometimes somewhere soon still such
  suddenly than thank thanks that the their theirs them themselves then there therefore these they this those though three through
  throughout thus till to today together tomorrow tonight too toward towards twice two under unless unlike until up upon us usually
  various versus very via was we well were what whatever when whenever where whereas wherever whether which while who whoever whole
  whom whose why will with within without would yes yesterday yet you your yours yourself four five six seven eight nine ten eleven
  twelve hundred thousand million third fourth dont cant wont didnt doesnt isnt im ive id ill youre theyre were thats whats lets
  yeah yep yup nope nah wow oh ah aw aww hmm ugh oops whoa yay haha lol omg gosh damn welp huh er um btw fyi asap tbd tba wip faq ps nb
  aka etc eg ie vs mr mrs ms mx dr prof sir sure absolutely definitely exactly totally certainly honestly seriously literally basically obviously clearly
  apparently hopefully unfortunately fortunately luckily sadly congrats congratulations cheers sorry bye goodbye good great nice cool
  awesome amazing fantastic wonderful lovely perfect excellent sweet neat fine glad happy excited proud sounds true false right wrong
`);

const VERBS = wordSet(`
  accept access achieve acknowledge act activate adapt add adjust adopt advise affect agree aim align allow analyze announce answer
  appear apply appreciate approach approve archive argue arrange arrive ask assess assign assist assume attach attend audit automate avoid
  await backfill bake balance base batch beat become begin believe benchmark benefit bet bike bind blame block blog boil book boost borrow
  bought break bring broke brought browse budget bug build built bump bundle buy cache calculate call came cancel capture care carry catch
  cause celebrate challenge change charge chase chat check choose chose cite claim clarify clean clear click climb clone close collect combine
  come comment commit communicate compare compile complete compose compress compute concern conclude configure confirm connect consider
  consist consolidate contact contain continue contribute control convert cook copy correct cost count cover crash create cross cut
  dance deal debug decide declare decline decrease default define delay delegate delete deliver demand demo deny depend deploy deprecate
  describe deserve design detect determine develop differ dig disable disagree disappear discover discuss display document double doubt draft
  draw dream drink drive drop dump duplicate earn eat edit email emphasize enable encounter encourage end enforce enjoy ensure enter
  escalate establish estimate evaluate evolve examine exceed exclude execute exercise exist expand expect experience experiment expire
  explain explore export expose express extend extract face fail fall favor favour feed feel fetch fight figure file fill filter find
  finish fit fix flag flush fly focus follow force forget fork form format forward found freeze gather gave generate get give go got grab
  grant greet group grow guess guide handle hang happen hate head hear heard help hide highlight hike hire hit hold hope host hug hurry
  identify ignore imagine implement imply import impress improve include increase indicate inform inherit initialize inject insert insist
  inspect install integrate intend introduce invest investigate invite involve isolate iterate join journal judge jump keep kept kick kill
  knew know label lack land last laugh launch lead learn leave left lend let level leverage lift limit link list listen live load lock log
  look lose lost love made maintain make manage map mark match matter mean measure meet mention merge message met migrate mind miss mix mock
  model modify monitor mount move mute name need negotiate note notice notify obey observe obtain occur offer open operate optimize order
  organize own pack paint pair park parse pass paste patch pause pay perform phone pick pin ping place plan play point polish poll populate
  post postpone practice praise prefer prepare present press prevent print prioritize probe process produce profile promise promote
  propose protect prove provide publish pull purchase push put query queue quit quote raise ran react read realize rebase reboot rebuild
  recall receive recommend reconsider record recover reduce refactor refer refine reflect refresh refuse regenerate register reject relate
  relax release rely remain remember remind remove rename render renew rent reopen repair repeat replace reply report represent reproduce
  request require reschedule reset resolve respect respond rest restart restore restrict result resume retain retire retry return reuse
  reveal reverse revert review revisit rewrite ride rise roll rotate round route run rush said sang save saw say scale scan schedule scroll
  search see seed seek seem seen select sell send sent separate serve set settle shake share shift ship shop shorten should show shut sign
  simplify sing sit skip sleep slow smoke snow solve sort sound spawn speak specify spend spin split spoke spot spread squash stage stand
  start state stay stick stop store stream strip structure study submit subscribe succeed suffer suggest suit summarize supply support
  suppose surprise survive suspect swap swim switch sync take talk target taste teach tell tend test text think thought throw ticket tie tidy
  time tip told took touch trace track train transfer transform translate travel treat trigger trim trust try tune turn type understand
  undo unify unlock update upgrade upload urge use validate verify view visit volunteer vote wait wake walk want warm warn was wash waste
  watch wear went win wipe wish won wonder work worry wrap write wrote yield zip
`);

const NOUNS = wordSet(`
  ability account accountant action activity actor addition address admin adult advantage advice age agency agenda agent agreement ai air
  alert algorithm alias alternative amount analysis analyst anger angle animal anniversary answer anything apartment api app apple application
  appointment architect architecture area argument arm array art article artifact artist aspect assembly asset assistant assumption
  attack attempt attention attitude attribute audience aunt author authority autumn average award baby background backend backlog backup bag
  ball band bank bar baseline basis basket bathroom beach bear bed behavior behaviour belief bell beer bicycle bill bird birthday bit board boat body
  boss bottle bottleneck bottom box boy brain branch brand bread breakfast bride bridge brother browser brunch budget buffer bug builder building bus
  business button buyer cafe cake calendar camera camp campaign candidate canteen capacity capital captain car card career case cash cat
  category ceo cfo chair chance channel chapter character chart checklist chef chicken chief child children choice choir church cio circle city class
  client climate clinic clock cloud club cluster cmo coach coast code coffee colleague collection college colour color column command
  community company comparison competitor component computer concept conclusion condition conference confidence conflict
  connection constraint consumer content context contract contractor conversation coo core corner correction cost council couple course court
  cousin coverage cpu credit criteria crowd cto culture currency customer cycle dad daddy data database dataset date daughter day db deadline deal dear
  death debt decision decisions defense degree delivery dentist department dependency deputy desk destination detail dev developer device devops diary
  diet difference dinner director disaster discount disease dish distance district doc docs doctor documentation dog doll domain door doubt dress
  driver drug duty ear earth economy edge editor education effect efficiency effort egg element emergency employee encoding endpoint enemy energy
  engine engineer engineering entity entry environment epic episode error escalation essay estimate evening event evidence evolution example
  exception exchange excuse executive exit expense experience expert explanation expression extension extent eye fact factor factory failure
  fall family fan farm father fault fear feature fee feedback feeling field fight film finance finding fire fish fix flat flight flow flower folder folks follow food foot
  football founder framework freedom freelancer friday fridge friend friendship front frontend fruit function fund funding future game gap garage garden
  gate gateway gender generation gift girl girlfriend boyfriend goal god gold government grade grandfather grandma grandmother grandpa granny granddad grandparents
  graph ground grocery growth guess guest guideline guitar gym habit hack hair hall hand handbook hardware head header health heart heat height hero
  highlight hint history hobby hole holiday home homework honor hope horse hospital host hotel hour house hr human husband hypothesis ice id idea
  identity illness image impact implementation importance incident income increase index indicator individual industry infant influence
  information infrastructure initiative injury input insight inspector instance institution instruction insurance integration intent interaction
  interest interface internet intern interview introduction inventory investigation investor invitation invoice island issue item jacket
  january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  job joke journey judge juice key keyboard kid kitchen knife knowledge laboratory lady lamp landlord language laptop latency law lawyer layer layout
  leader leadership learnings legacy legal lesson letter level library licence license life light limitation line literature livestream loan
  location logic logistics long loss lot luck lunch machine madam mail maintainer maintenance majority mama mam mammal man management manager manual margin
  market marketing marriage master material math matrix maximum meal meaning media medicine meeting member memory men menu merchant mess metal metric method
  microservice microservices middle migration milestone milk mind minimum minister minute mistake mix mobile mode module mom moment momma mommy monday money
  monolith month mood moon morning mother motivation motor mountain mouse mouth movie mum mummy museum music nanny narrator nation nature neck
  neighbor neighbour nephew network news newsletter niece night node noise noon north nose note notebook notes nothing novel number nurse object
  objective observation obstacle office officer oil onboarding operation operations operator opinion opportunity option orange organization
  origin outage outcome outline output oven overview owner pack package page pain pair panel papa paper parameter parent parents park part participant
  partner party password past path patient pattern payment payroll peace peer pension people percentage performance period permission person perspective
  pet photo phrase picture piece pilot pipeline pizza plane planet plant plate platform player pleasure pod policy politics pool popularity port
  position possibility potato power preference presence president presentation pressure price pride principle priority privacy problem procedure
  procurement product production productivity professor profit program programmer progress project property proposal prospect prototype provider pub
  purpose qa quality quantity quarter question queue quiz race radio rain range rate ratio reader reality reason receipt receptionist recipe recommendation
  recruiter recruiting recruitment reference region regression regular relation relationship religion reminder repo repository representative
  request requirement research resident resolution resource response responsibility restaurant retention retro retrospective revenue
  rice ring risk river road roadmap role roof room root rope rose rule rules runtime safety salad salary sale sales salt sample saturday scene schema school
  science scope score script sea season seat secretary section sector security sense sentence sergeant series server service session shape shareholder
  sheet shirt shoe shoulder side signal significance silver singer sir sister site situation size skill sky sleep slot snack snapshot society software soil solution
  somebody son song soul soup source south space speaker speech speed spirit sport spring sprint squad staff stakeholder standard standup star statement
  station status steak step stomach story strategy street strength student stuff style subject success sugar suggestion summary summer sun sunday
  sunset supermarket supervisor supplier surface surgery symptom system table tactic tag takeaway task tax tea teacher team teammate tech technique
  technology tenant tension term terms thanks theme theory therapist therapy thing thursday title toast toilet tomato tool toolchain topic tour tourist
  town trade tradition traffic trainer transaction tree trend trial trip trouble truck truth tuesday tutor tv uncle uni union unit universe university usage
  user users vacation vaccine value variable variation variety vegetable vehicle vendor verdict version vet victim video village virus visa vision
  visitor voice volume wall warning water wave weakness wealth weather web website wedding wednesday week weekend weight west white wife wind window
  wine winter wisdom woman women wood word worker workflow workshop world writer year yoga youth zone legal procurement compliance accounting editorial finance
  approvals backend frontend infra ops qa success sre ux ui css html json sql http https url uri xml csv pdf cli sdk ide ci cd vpn dns ip tcp udp ssl tls utc gmt
  acceptance criteria summary status agenda attendees participants action items owner deadline stack todo fixme hack note warning important
  reminder decision lesson question answer background goal context update result conclusion recommendation user assistant human bot system ai
  append prepend decode encode construct constructor distinguish lookup prebuilt malformed serialize deserialize prefix suffix loop overload
  manipulate emit checkout helper facade fingerprint guard redirect reserve reach scheme supersede robust lightweight invalid analogue envelope
  synchronous asynchronous distributed conceptual reserved negate invalid pipe unpipe middleware exclusion intersection multibyte unsigned
  token spec schema download upload decay spam parser lexer compiler linter formatter bundler scheduler daemon thread mutex semaphore socket packet
  payload header footer sidebar navbar dropdown modal tooltip carousel banner avatar icon logo font theme layout grid widget toggle checkbox slider
  plugin addon extension dependency devdependency lockfile manifest changelog readme license licence boilerplate scaffold snippet template fixture
  mock stub spy assertion suite harness benchmark regression flake hotfix bugfix patch commit rebase merge branch fork diff patchset hunk blame
  webhook callback closure promise iterator generator decorator mixin trait enum struct interface tuple integer float string boolean null undefined
  array vector matrix tensor scalar hash checksum digest cipher nonce salt certificate keystore credential secret session cookie csrf cors oauth
  login logout signup signin captcha otp mfa sso saml ldap proxy router switch firewall subnet gateway hostname localhost ingress egress
  container pod namespace deployment replica shard partition tablespace index view trigger cursor transaction rollback snapshot failover
  throughput latency bandwidth uptime downtime quota throttle backoff retry timeout heartbeat watchdog telemetry tracing logging metrics dashboard
  prompt completion embedding inference finetune fine-tuning dataset corpus label annotation classifier regression ranking recall precision
  null none nil nan utf ascii unicode regex glob wildcard stdin stdout stderr shell terminal console prompt cursor clipboard screenshot
  spreadsheet slide deck memo brief dossier leaflet brochure flyer poster booklet handbook cookbook textbook dictionary encyclopedia
  kickoff standup sprint backlog grooming refinement velocity burndown epic story spike chore blocker dependency stakeholder okr kpi sla slo nda poc mvp
  invoice receipt payroll tax vat ledger balance budget forecast runway burn churn arr mrr ltv cac roi
  breakfast brunch supper dessert soup pasta noodle curry sushi taco burger sandwich cheese butter yogurt cream chocolate cookie cake pie muffin pancake waffle
  onion garlic tomato carrot potato spinach broccoli mushroom pepper lemon lime orange banana strawberry blueberry grape melon mango avocado nut almond
  wine beer whiskey vodka cocktail juice soda lemonade espresso latte cappuccino
  sofa couch chair lamp shelf curtain carpet pillow blanket mattress towel soap shampoo toothbrush mirror fridge freezer oven stove microwave dishwasher
  shirt pants jeans dress skirt sweater jacket coat scarf glove sock shoe boot sneaker sandal hat cap belt watch ring necklace bracelet earring
  guitar piano violin drum flute trumpet concert gig band choir orchestra rehearsal lyric chord melody album playlist podcast
  yoga pilates gym cardio marathon sprint squat deadlift treadmill bicycle cycling swimming hiking climbing skiing surfing tennis soccer basketball baseball hockey golf
  headache fever cough flu cold allergy asthma diabetes migraine injury surgery vaccine prescription dosage pill tablet ointment therapy checkup
  mountain hill valley canyon desert forest jungle meadow lake pond creek waterfall glacier volcano cave cliff shore bay peninsula
  bee butterfly spider ant snake lizard frog turtle eagle owl pigeon parrot duck goose swan cow pig sheep goat lion tiger elephant monkey giraffe zebra
  carpenter plumber electrician mechanic barber baker butcher farmer fisherman gardener janitor librarian pharmacist photographer journalist translator
  heaven hell angel devil demon ghost witch wizard dragon fairy king queen prince princess knight castle kingdom emperor empire
  rocket satellite telescope microscope laser robot drone sensor battery charger cable adapter plug socket screw nail hammer drill saw ladder rope
`);

const OTHERS = wordSet(`
  vegan vegetarian introvert extrovert auth able absent active additional afraid alive alone angry annual anonymous apparent automatic available average aware bad basic beautiful best better
  big bitter black blank blind blue bold boring brave brief bright broad broken brown busy calm careful central certain cheap chief chinese civil classic
  close cold comfortable commercial common complete complex comprehensive concrete confident conscious consistent constant continuous cooperative
  correct crazy creative critical crucial curious current daily damaged dangerous dark dead dear deep default delicious different difficult digital
  direct dirty distinct double dry due dutch dynamic early easy eastern economic educational effective efficient electric eleventh emotional empty english entire
  environmental equal essential exact exciting existing expensive experimental explicit external extra extreme fair familiar famous fancy fast
  fat favorite favourite federal female financial fixed flexible foreign formal former free french frequent fresh friendly full fun fundamental funny future general
  gentle genuine german global golden gradual grateful greek green grey gross guilty handy hard healthy heavy helpful hidden high holy honest hot huge hungry
  ideal ill illegal immediate implicit impossible inactive incorrect independent indian individual inevitable informal initial inner innocent instant
  intelligent internal international italian japanese jewish joint junior key korean large late latest latter lazy legitimate liberal light likely limited
  live local lonely long loose loud low lower lucky mad magic main major male manual marine massive maximum medical mental mere middle mild
  military minimal minor missing mobile modern modest monthly moral multiple muslim mutual naked narrow nasty national native natural neat necessary negative
  nervous neutral new nice noisy normal northern nuclear numerous obvious odd official old open opposite optional ordinary organic original outdoor
  outer overall painful parallel partial particular past patient peaceful permanent personal physical plain pleasant polish political poor popular portuguese positive
  possible potential powerful practical pregnant present pretty previous primary prime prior private professional proper provisional psychological
  public pure quick quiet random rapid rare raw ready real realistic reasonable recent red regional regular relative relevant reliable remarkable remote
  representative responsible rich roman rough royal rude rural russian sad safe secondary secret secure senior sensitive serious severe sexual sharp
  short sick significant silent silly similar simple single slight slow small smart smooth social soft solid sour southern soviet spanish spare special specific
  spicy stable standard static steady steep strange strategic straight strict strong stupid subsequent substantial successful sudden sufficient suitable super superb
  sure surprised swedish sweet swift tall technical temporary terrible thick thin tight tiny tired top total tough traditional transparent tremendous tricky
  tropical turkish ugly ultimate unable unfair unhappy unique universal unknown unusual upper upset urban urgent usable useful useless usual valid
  valuable vast verbal vital vulnerable warm weak weekly weird western wet wide wild willing wise wonderful wooden worried worse worst worth wrong yellow young
  american australian african asian european british irish scottish brazilian mexican canadian swiss austrian polish ukrainian norwegian danish finnish
  arabic latin hebrew hindi mandarin cantonese catholic christian buddhist hindu islamic protestant democrat republican
`);

/** Contractions such as "I've" and "don't". They are not names. */
const CONTRACTION = /'(?:ve|ll|re|d|m|t)$/;
const LETTERS = /^[a-z]+$/;

/** The stems of the ordinary words. This set is built when the first text is read, not when the module is loaded. */
let ordinaryStems: ReadonlySet<string> | undefined;

function stems(): ReadonlySet<string> {
  ordinaryStems ??= new Set([FUNCTION_WORDS, VERBS, NOUNS, OTHERS].flatMap(words => [...words].map(stem)));
  return ordinaryStems;
}

/** Whether a word may begin a sentence or be capitalised without naming anything. @param word in lower case */
export function isOrdinaryWord(word: string): boolean {
  if (FUNCTION_WORDS.has(word) || stems().has(stem(word)) || CONTRACTION.test(word)) return true;
  const parts = word.split(/['’-]/);
  return (
    parts.length > 1 &&
    parts.every(part => part === '' || part.length === 1 || !LETTERS.test(part) || isOrdinaryWord(part))
  );
}
