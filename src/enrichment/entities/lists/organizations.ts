/** Known companies and institutions, and the words that mark other names as organisations. */
import { phrasesOf, wordSet } from './word-set.js';

/** Names that are found only where the text writes them with capitals. */
export const ORGANIZATIONS = phrasesOf(`
  Google, Microsoft, IBM, Intel, AMD, Nvidia, NVIDIA, Qualcomm, Samsung, Sony, Huawei, Xiaomi, Lenovo, Dell, Hewlett-Packard, HP
  Cisco, SAP, Salesforce, Adobe, VMware, Red Hat, HashiCorp, Atlassian, ServiceNow, Workday Inc, Palantir, OpenAI, Anthropic, DeepMind
  Google DeepMind, Mistral AI, Hugging Face Inc, Tesla, SpaceX, NASA, ESA, CERN, Toyota, Honda, Volkswagen, BMW, Daimler, Mercedes-Benz
  Audi, Porsche, Volvo, Renault, Peugeot, Fiat, Hyundai, General Motors, Airbus, Boeing, Lufthansa, Ryanair, easyJet, KLM, Deutsche Bahn
  Siemens, Bosch, Philips, Ericsson, Nokia, Bayer, BASF, Pfizer, Novartis, Roche, Moderna, BioNTech, AstraZeneca, Johnson & Johnson
  Nestlé, Unilever, Procter & Gamble, Coca-Cola, Pepsi, PepsiCo, Starbucks, McDonald's, Burger King, KFC, Subway Restaurants, IKEA
  Walmart, Costco, Tesco, Lidl, Aldi, Carrefour, Amazon, eBay, Alibaba, Zalando, Shopify, Etsy, Klarna, Adyen, Revolut, N26, Mastercard
  Visa Inc, American Express, Goldman Sachs, JPMorgan, Morgan Stanley, Deutsche Bank, Barclays, HSBC, UBS, Credit Suisse, Citibank, ING
  Deloitte, KPMG, PwC, Ernst & Young, McKinsey, Accenture, Capgemini, Infosys, Wipro, Tata Consultancy Services, Booking.com, Airbnb, Uber
  Lyft, DoorDash, Deliveroo, DHL, FedEx, UPS, Maersk, Shell plc, ExxonMobil, BP, TotalEnergies, Vodafone, Verizon, AT&T, T-Mobile, Deutsche Telekom
  Disney, Pixar, Warner Bros, Paramount Pictures, Universal Studios, BBC, CNN, New York Times, The Guardian, Reuters, Bloomberg, National Geographic
  Nike, Adidas, Puma SE, Under Armour, Lego, LEGO, Mattel, Ubisoft, Electronic Arts, Valve, Activision, Blizzard
  MIT, ETH Zurich, ETH Zürich, EPFL, UCLA, NYU, Stanford, Harvard, Princeton, Caltech, Oxford University, Cambridge University, TU Delft
  TU Munich, TU Berlin, KTH, Imperial College, Sorbonne, Red Cross, UNICEF, UNESCO, WHO, NATO, WWF, Greenpeace, Amnesty International
  United Nations, European Union, European Commission, World Bank, FBI, CIA, NHS, FDA, IRS, Mozilla, Wikimedia, Apache Foundation, Linux Foundation
  Y Combinator, Sequoia Capital, Techstars, Globex, Initech, SUSE, JetBrains s.r.o, Spotify AB, ByteDance, Tencent, Baidu, Meta AI
`);

/**
 * Names of organisations that are also ordinary words. At the beginning of a sentence they count only before words such
 * as "is", "needs" or "supports".
 */
export const WORDLIKE_ORGANIZATIONS = phrasesOf(`
  Apple, Meta, Oracle, Target, Shell, Visa, Orange, Sprint, Square, Block, Gap, Ford, Puma, Subway, Chase Bank, Mars
`);

/** Last words that mark capitalised words as an organisation: "Quillon Labs". */
export const ORGANIZATION_ENDINGS = wordSet(`
  inc ltd llc plc corp corporation company co gmbh ag kg ug se sa srl spa bv nv ab oy as pty llp group holding holdings labs lab
  university college institute academy school bank foundation association society union clinic hospital insurance ventures
  capital partners consulting solutions technologies systems software studios studio industries logistics airlines airways
  pharmaceuticals motors records press publishing orchestra church museum library council ministry agency committee club
  brewery bakery supermarket pharmacy theatre theater
`);

/** Endings that only names of companies have. Even an ordinary word before such an ending belongs to the name. */
export const COMPANY_FORMS = wordSet('inc ltd llc plc corp corporation gmbh ag kg ug srl bv nv oy pty llp');

/** First words that mark an organisation, before `of` or before a name: "University of Ghent", "Sparkasse Ulm". */
export const ORGANIZATION_BEGINNINGS = wordSet(
  'university bank institute ministry department college church museum sparkasse volksbank universität hochschule tu eth banco banque universidad université',
);
