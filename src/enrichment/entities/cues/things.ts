/** Words beside a name that mark it as an organisation, a place, a tool or a project. */
import { before, isSome, oneOf } from './phrases.js';

const OCCUPATION = oneOf(`
  job, position, role, interned, internship, interview(?:ed|ing)?, employed, career, engineer, developer, manager, designer
  analyst, consultant, director, salary, offer, recruiter, candidates?, scholarship, degree, professor, studied, studies
  studying, graduated, taught, teaches
`);
const BUSINESS = oneOf(`
  clients?, customers?, vendors?, suppliers?, company, startup, start-up, employer, firm, competitors?, insurer, agency, charity
  airline, brand, retailer, publisher, manufacturer, bank
`);
const BEFORE_EMPLOYER = [
  before('(?:works?|worked|working) (?:at|for)'),
  before(`${OCCUPATION} (?:at|from)`),
  before('(?:employed|hired|fired|audit|acquired|founded) by'),
];
const BEFORE_ORGANIZATION = [
  before('(?:joined|joining|join|acquired|founded|co-founded|sued|volunteer(?:ed|ing|s)? (?:at|for))'),
  before('(?:invoices?|contract|tender|offer|quote|refund|delivery) (?:from|with|by)'),
  before(`${BUSINESS}(?: is| was|,| called| named)?`),
];

const BEING_SOMEWHERE = oneOf(`
  liv(?:e|es|ed|ing), born, grew up, raised, based, located, headquartered, office, house, home, apartment, flat, vacation, holidays?
  weekend, summer, winter, conference, wedding, arriv(?:ed|ing), stay(?:ed|ing)?, landed, city, town, hotel, hiking, hiked, hike
  camping, skiing, surfing, bakery, cabin, cottage, farm
`);
const GOING_SOMEWHERE = oneOf(`
  trip, flights?, flew, fly, flying, travel(?:l?ed|l?ing|s)?, drove, drive, driving, train, bus, relocat(?:e|ed|ing), journey
  move[ds]? back, moving back
`);
const BEFORE_PLACE = [
  before(`${BEING_SOMEWHERE}(?: \\w+)? (?:in|near|around|outside)`),
  before(`${GOING_SOMEWHERE} to`),
  before('(?:visit|visited|visiting|toured|touring)'),
  before('(?:city|town|village|island|region|state|province|district|neighbou?rhood) of'),
];

const USING = oneOf(`
  us(?:e|es|ed|ing), deploy(?:ed|ing|s)?, install(?:ed|ing)?, via, adopt(?:ed|ing)?, upgrad(?:e|ed|ing), configur(?:e|ed|ing)
  (?:switch|migrat)(?:e|ed|es|ing)? (?:to|from), written in, rewr(?:ite|ote) (?:\\w+ )?in, built (?:with|on|in)
  (?:powered|served|backed) by, runs? on, running on, hosted on, integrat(?:e|ed|es|ing|ion) with, replac(?:e|ed|ing) (?:\\w+ )?with
  in favou?r of, on top of, plugin for, driver for, instead of, rather than
`);
const BEFORE_TOOL = before(USING);
const CHOOSING = oneOf(`
  choose, chose, choosing, chosen, pick(?:ed)?, prefer(?:red|s)?, selected, went with, going with, opted for, evaluated, compared
  benchmarked, replaced, dropped
`);
const BEFORE_CHOICE = before(CHOOSING);
const WEIGHED = /^ (?:over|vs\.?|versus|instead of|rather than) /i;
const COMPARED = /^ (?:vs\.?|versus) /i;
const BEFORE_OTHER_CHOICE = [
  /\b(?:vs\.?|versus|over) $/i,
  /\b(?:swap|replac|switch|migrat|mov|port|upgrad|convert)\w{0,70}\b[^.;]{0,70} (?:for|with|by|to|from) $/i,
];
const PART_OF_TOOL = oneOf(`
  is, was, has, had, does, doesn['’]t, isn['’]t, shows, needs, supports, runs, handles, beats, wrote, writes, gives, lets, makes, offers
  crashed, fails, failed, broke, costs, requires, uses, can(?:not)?, over, vs, versus, suggested, suggests, replaced, services?
  code, functions?, apps?, projects?, version, servers?, clients?, library, plugins?, components?, modules?, packages?, compiler
  apis?, sdk, cli, docs, drivers?, backend, frontend, tests?, templates?, scripts?, users, hooks, jobs, workflows?, alerts?, channels?
  tickets?, bot, v?\\d+(?:\\.\\d+)*
`);
const AFTER_WORDLIKE_TOOL = new RegExp(`^ ${PART_OF_TOOL}(?![\\p{L}\\d])|^ (?:and|or) \\p{Lu}`, 'u');

const BEFORE_PROJECT = /\b(?:the|our|my|in|of) $/i;
const PART_OF_PROJECT = oneOf(`
  api, backend, back-end, frontend, front-end, service, scheduler, codebase, code base, repo, repository, monorepo, project
  pipeline, dashboard, worker, importer, gateway, job queue, queue, module, microservice, rewrite, sdk, cli, deployment, deploy
  release, roadmap, backlog, migration, launch, rollout, prototype, mvp, app
`);
const AFTER_PROJECT = new RegExp(`^ ${PART_OF_PROJECT}\\b`, 'i');

/** Whether the text before a name shows that the name is an employer, even if it is better known as a product. */
export function isBeforeEmployer(text: string): boolean {
  return isSome(BEFORE_EMPLOYER, text);
}

export function isBeforeOrganization(text: string): boolean {
  return isBeforeEmployer(text) || isSome(BEFORE_ORGANIZATION, text);
}

export function isBeforePlace(text: string): boolean {
  return isSome(BEFORE_PLACE, text);
}

export function isBeforeTool(text: string): boolean {
  return BEFORE_TOOL.test(text);
}

/** Whether the text around a name shows a choice: "Chose X over", "X vs". Alternatives in a choice count as tools. */
export function isChoice(textBefore: string, textAfter: string): boolean {
  return COMPARED.test(textAfter) || (BEFORE_CHOICE.test(textBefore) && WEIGHED.test(textAfter));
}

/** Whether the text before a name shows that the name is an alternative to an earlier tool, or its replacement. */
export function isBeforeOtherChoice(text: string): boolean {
  return isSome(BEFORE_OTHER_CHOICE, text);
}

/** Whether the text after an ordinary word that begins a sentence shows that the word is the name of a tool. */
export function isAfterWordlikeTool(text: string): boolean {
  return AFTER_WORDLIKE_TOOL.test(text);
}

export function isProject(textBefore: string, textAfter: string): boolean {
  return BEFORE_PROJECT.test(textBefore) && AFTER_PROJECT.test(textAfter);
}
