/** Words beside a name that mark it as the name of a person or a pet. */
import { before, behind, isSome, oneOf } from './phrases.js';

const ROLE = oneOf(`
  sister, brother, mother, father, mom, mum, dad, wife, husband, son, daughter, aunt, uncle, grandma, grandpa, grandmother
  grandfather, cousin, niece, nephew, twin, stepson, stepdaughter, sister-in-law, brother-in-law, godmother, godfather, ex, fiancée?
  friend, girlfriend, boyfriend, roommate, flatmate, housemate, neighbou?r, colleague, coworker, co-worker, teammate, boss
  manager, mentor, mentee, intern, assistant, therapist, doctor, dentist, teacher, tutor, coach, trainer, landlord, landlady
  lawyer, accountant, designer, developer, engineer, cto, ceo, cfo, coo, vp, architect, nanny, babysitter, contact, director
  professor, analyst, researcher, founder, recruiter, secretary, supervisor, deputy, successor, predecessor, candidate
  singer, author, actor, actress, writer, painter, nurse, midwife, vet, plumber, electrician, hairdresser, buddy, pal, guest
  tester, student, scientist, consultant, dog, cat, puppy, kitten, horse, pony, hamster, rabbit, parrot, pet, baby, tortoise
  turtle, guinea pig
`);

const COMPANY_KEPT = oneOf(`
  met, meet, meets, meeting, talk(?:ed|ing|s)?, sp(?:oke|eak|eaking), chat(?:ted|ting)?, lunch, dinner, coffee, breakfast, brunch
  drinks, calls?, 1:1, one-on-one, sync(?:ed)?, pair(?:ed|ing), liv(?:e|es|ed|ing), stay(?:ed|ing)?, went, go, going, hang(?:ing)?
  hung, dat(?:e|ed|ing), shared?, discuss(?:ed|ion)?, agreed?, appointment, session, trip, walk, argued, argument, touch, along
  together, friends, catch, caught, check(?:ed)?, follow(?:ed)?, collaborat(?:ed|ing|es?), brainstorm(?:ed|ing)?, watch(?:ed|ing)
  celebrat(?:ed|ing), cook(?:ed|ing), bak(?:ed|ing), studied, practi[cs](?:ed|ing), swam, climbed, play(?:ed|ing), aligned, danced?
  hiked?, out, interview
`);
const ADDRESSED_TO = oneOf(`
  talk(?:ed|ing)?, speak, spoke, speaking, wrote, write, writing, reports?, reported, reporting, listen(?:ed)?, assigned, handed
  explained, mentioned, thanks, kudos, props, engaged, married, apologi[sz]ed, belongs, forwarded, delegated, introduced, next
  happened, according, reach(?:ed)? out, said
`);
const DONE_TO_PEOPLE = oneOf(`
  ask(?:ed|s|ing)?, told, tell(?:s|ing)?, thank(?:ed|s)?, call(?:ed)?, phoned?, e-?mail(?:ed)?, messaged?, text(?:ed)?, ping(?:ed)?
  invited?, interview(?:ed)?, hired?, promoted, met, remind(?:ed)?, helped, convinced, notif(?:y|ied), marry, married, dating
  congratulated?, hugged, let, babysit, cc
`);
const MADE = oneOf(`
  written, built, designed, reviewed, approved, signed(?: off)?, fixed, authored, made, painted, cooked, baked, led, run, owned
  proposed, suggested, reported, requested, drawn, sent, merged, hosted, chaired, patch, talk, song, book, novel, painting, recipe
  commit, review, comment, message, proposal, article
`);
const RECEIVED = oneOf(`
  feedback, e-?mail, message, mail, note, letter, text, call, gift, present, approvals?, review, PR, pull request, patch, branch
  tickets?, idea, suggestion, proposal, advice, reply, answer, questions?, comments?, input, postcard, invitation, heard, hear
  borrowed, learned, learnt, them, sign-off
`);
const TITLE = oneOf(`
  Dr, Mr, Mrs, Ms, Mx, Prof, Professor, Sir, Madame, Lady, Lord, [Uu]ncle, [Aa]unt, [Aa]untie, [Aa]unty, [Gg]randma, [Gg]randpa
  [Gg]ranny, Captain, Coach, Judge, Senator, President, Nurse, [Cc]ousin
`);
const GREETING = oneOf(`
  hey, hi, hello, dear, thanks, thank you, bye, goodbye, good (?:morning|evening|afternoon|night), morning, congrats
  congratulations, welcome(?: back)?, happy birthday, sorry, see you, cheers, good luck, well done, great job
`);
const INTERJECTION = oneOf(`
  nice, take care, wow, yeah, yep, oh(?: no| wow)?, ah, aw+, no, yes, well, sure, right, okay, ok, absolutely, exactly, totally
  definitely, of course, no worries, miss you, love you, come on, look, listen, you know, i know, i agree, same, true, great, cool
  awesome, amazing
`);
const NAMING = oneOf(`
  name(?:['’]s| is| was), named (?:him|her|it|them|(?:the|our|my) \\w+), call(?:ed)? (?:him|her|(?:the|our|my) \\w+), nicknamed
  i['’]m, i am, (?:reviewer|owner|assignee|author|host|lead) is
`);
const LIST_OF_PEOPLE = oneOf(`
  owner, assignee, assigned, reviewers?, attendees, participants, stakeholders?, authors?, contacts?, cc, present, host, guests?
  speakers?, organi[sz]er, lead, manager
`);

const BEFORE_PERSON = [
  before(`${COMPANY_KEPT}\\b[^.;:]{0,30}\\bwith(?: both)?`),
  before(`${ADDRESSED_TO} (?:\\w+ ){0,2}to`),
  before(DONE_TO_PEOPLE),
  before(`${MADE} by`),
  before(`${RECEIVED} from`),
  before(
    `(?:my|our|his|her|their|your|the|an?|new|\\w+['’]s) (?:\\w+ )?${ROLE}(?:,| is| was|['’]?s name is| named| called)?`,
  ),
  new RegExp(`\\b${TITLE}\\.? $`),
  new RegExp(`(?:^|[.!?:*]\\s*)${GREETING},? $`, 'i'),
  before(NAMING),
  new RegExp(`(?:^|[\\n.])[\\s*-]{0,70}${LIST_OF_PEOPLE}(?: is)?: $`, 'i'),
];
/** Matches an interjection before the name of the person who is addressed: "Wow, Leo, that is great". */
const BEFORE_ADDRESSED = new RegExp(`(?:^|[.!?:*]\\s*)${INTERJECTION}, $`, 'i');
const AFTER_ADDRESSED = /^\s*(?:[,!?.]|$)/;

const ADVERB =
  '(?:(?:also|then|just|already|still|never|always|really|finally|kindly|later|usually|often|even|only) )?';
/** Activities that only people do. */
const PERSONAL = oneOf(`
  said, says, asked, asks, told, tells, wants, wanted, thinks, thought, believes, believed, likes, liked, loves, loved, hates, hated
  prefers, preferred, suggested, suggests, agreed, disagreed, disagrees, mentioned, mentions, reminded, promised, complained
  warned, insisted, insists, replied, replies, answered, texted, e-?mailed, lives, lived, married, teaches, feels, felt, hopes
  hoped, enjoys, enjoyed, cooked, baked, quit, resigned, retired, reviewed, recommended, apologi[sz]ed, volunteered, noticed
  forgot, laughed, cried, smiled, sang, drove, babysat, graduated, turned \\d+
`);
/** Activities of people. Companies or programs sometimes do them too. */
const SPOKEN = oneOf(`
  knows, warns, agrees, answers, wrote, writes, studied, studies, taught, speaks, spoke, leads, led, joined, joins, reviews
  explained, explains, recommends, proposed, confirmed, refactored, merged
`);
/** Activities of people, companies and products. They are a cue only after a full name or a listed given name. */
const DEED = oneOf(`
  moved, left, went, ran, owns, owned, bought, sold, sent, fixed, fixes, played, travell?ed, visited, invited, hired, signed
  approved, approves, manages, managed, handles, plans, planned, decided, offered, called, and i
`);
const CONDITION = oneOf(`
  on (?:leave|vacation|holiday|call), sick, ill, away, pregnant, vegan, vegetarian, allergic, married, engaged, worried, angry
  blocked, busy, coming, joining us, visiting, leaving us, moving (?:to|in|out), responsible for, my, our, his, her, their
`);
const OWNED = oneOf(`
  birthday, wedding, party, house, home, flat, apartment, team, desk, laptop, phone, e-?mail, answer, proposal, opinion, idea, advice
  suggestion, request, question, feedback, review, parents, kids, children, family, job, car, kitchen, recipe, favou?rite, talk
  presentation, handover, onboarding, calendar, vacation, leave, shift, surgery, flight, pull request, branch, comment, badge
`);

const BEHIND_PEOPLE = [
  new RegExp(
    `^,? (?:my|our|his|her|their|your|the|an?) (?:(?:new|old|former|best|late|lead|senior|head|product|older|younger) )?${ROLE}\\b`,
  ),
  behind(`(?:is|was) ${CONDITION}`),
  behind(`(?:is|was) (?:the|an?) (?:\\w+ ){0,2}${ROLE}`),
  behind('and (?:I|my)'),
];
const AFTER_PERSON = [behind(`${ADVERB}(?:${PERSONAL}|${SPOKEN})`), ...BEHIND_PEOPLE];
const AFTER_UNKNOWN_PERSON = [behind(`${ADVERB}${PERSONAL}`), ...BEHIND_PEOPLE];
const AFTER_WORDLIKE_PERSON = [behind(`${ADVERB}${DEED}`), ...AFTER_PERSON];
const OWNED_BY_PERSON = [behind(`(?:${ROLE}|${OWNED})`)];

export function isBeforePerson(text: string): boolean {
  return isSome(BEFORE_PERSON, text);
}

export function isAddressed(textBefore: string, textAfter: string): boolean {
  return AFTER_ADDRESSED.test(textAfter) && BEFORE_ADDRESSED.test(textBefore);
}

/** Whether the text after a capitalised word within a sentence shows that the word names a person. */
export function isAfterPerson(text: string): boolean {
  return isSome(AFTER_PERSON, text);
}

/**
 * Whether the text after the first word of a sentence shows that the word names a person. The word is not in a list of
 * names, so only this text can show it.
 */
export function isAfterUnknownPerson(text: string): boolean {
  return isSome(AFTER_UNKNOWN_PERSON, text);
}

/** Whether the text after a given name that is also an ordinary word shows that the word names a person. */
export function isAfterWordlikePerson(text: string): boolean {
  return isSome(AFTER_WORDLIKE_PERSON, text);
}

/** Whether the text after a possessive shows that the possessive names a person: "Oksana's desk". */
export function isOwnedByPerson(text: string): boolean {
  return isSome(OWNED_BY_PERSON, text);
}

/**
 * Whether the text after several words shows that these words name a person. The words are not in a list of names, so
 * only this text can show it.
 */
export function isAfterFullName(text: string): boolean {
  return isAfterWordlikePerson(text) || isOwnedByPerson(text);
}
