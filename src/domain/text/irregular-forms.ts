/** English forms that no suffix rule reduces to their base form: "chose" to "choose", "children" to "child". */

/**
 * Each line has the base form, then its other forms. Forms that are common words themselves ("left", "saw", "found")
 * are left out.
 */
const FORMS = `
arise arose arisen
awake awoke awoken
beat beaten
become became
begin began begun
bend bent
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
know knew known
lay laid
lead led
lean leant
learn learnt
lend lent
lose lost
make made
mean meant
meet met
pay paid
prove proven
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
seek sought
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
spill spilt
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
weave wove woven
win won
write wrote written
child children
foot feet
goose geese
leaf leaves
life lives
man men
mouse mice
person people
shelf shelves
tooth teeth
wife wives
woman women
index indices
matrix matrices
vertex vertices
`;

const BASE_BY_FORM: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split('\n')
    .flatMap(line => {
      const [base = '', ...forms] = line.split(' ');
      return forms.map((form): [string, string] => [form, base]);
    }),
);

/** The base form of an irregular form. Any other word is returned unchanged. */
export function baseForm(word: string): string {
  return BASE_BY_FORM.get(word) ?? word;
}
