/**
 * Held-out sentences with their type. They were written before the cues were first measured, and the cues were never
 * tuned on them. Every person and event is invented.
 */
import { parseSentences } from './classification.js';

export const HELD_OUT_TYPES = parseSentences(`
  # Decision
  We decided to postpone the launch until the audit is through. => Decision
  Chose Valkey over Redis because of the licence. => Decision
  Going with monthly billing for the first release. => Decision
  After two trials we picked the Danish supplier. => Decision
  The team opted for trunk-based development. => Decision
  We will use feature flags for the new checkout. => Decision
  I have selected the blue palette for the brochure. => Decision
  Final call: no weekend releases. => Decision
  The steering group approved moving the archive to cold storage. => Decision
  # Pattern
  Deployments on Fridays usually end with a rollback. => Pattern
  Support tickets typically peak two days after an invoice run. => Pattern
  The build tends to fail when two branches touch the lockfile. => Pattern
  Customers often ask for an export before they cancel. => Pattern
  New hires frequently miss the VPN step in the guide. => Pattern
  Memory consistently grows after the nightly import. => Pattern
  A pattern I noticed: bugs cluster around daylight saving time. => Pattern
  # Preference
  Prefers tea over coffee in the afternoon. => Preference
  I like window seats better than aisle seats. => Preference
  Her favourite composer is Sibelius. => Preference
  Always use tabs in Makefiles. => Preference
  He would rather walk than take the bus. => Preference
  User wants answers in German. => Preference
  She hates phone calls before nine. => Preference
  They favor small pull requests. => Preference
  I love hiking in the rain. => Preference
  # Style
  She wrote the apology in a warm, personal style. => Style
  Release notes are written in a casual tone. => Style
  Dates are formatted as ISO 8601 in all reports. => Style
  He communicates in short bullet points. => Style
  Error messages are phrased as questions. => Style
  The newsletter keeps a playful voice. => Style
  # Habit
  I stretch every morning before breakfast. => Habit
  The team meets weekly to triage bugs. => Habit
  Every time she travels, she sends a postcard. => Habit
  He always locks the door twice. => Habit
  Our daily routine starts with the backlog. => Habit
  Backups are checked monthly by the operations team. => Habit
  On Sundays I bake bread. => Habit
  # Insight
  Realized that the cache key ignores the locale. => Insight
  Discovered that the vendor rounds half cents down. => Insight
  I learned that our users read mails on the train. => Insight
  We finally figured out why the sensor drifts. => Insight
  It turns out the clock was an hour behind. => Insight
  Key insight: nobody opens the second tab. => Insight
  The root cause was a missing index. => Insight
  # Context
  During the migration both systems accept writes. => Context
  I am currently working on the tax module. => Context
  At the time, nobody knew about the merger. => Context
  While working on the importer I kept the old parser. => Context
  The situation is tense since two people left. => Context
  In the context of the audit, all logs are frozen. => Context
  # nothing is said
  Anna owns the billing service. => none
  The invoice number is 4711. => none
  The office has two kitchens. => none
  Maria responded to the ticket. => none
  Call me when you are home. => none
  Port 8080 is taken by the proxy. => none
  My passport expires in May. => none
  The pick-up is at noon. => none
  He moved to Utrecht in 2019. => none
  Tom is allergic to cats. => none
  Picked up the parcel from the neighbours. => none
  The concert starts at eight. => none
  Paris is the capital of France. => none
  The server has 64 GB of memory. => none
  I went with her to the dentist. => none
  My sister is called Ines. => none
`);
