/**
 * English forms that no suffix rule reduces to their base form: "chose" to "choose", "children" to "child". Forms that are
 * common words themselves ("left", "saw", "found") are left out.
 */
import FORMS from './irregular-forms.json' with { type: 'json' };

const BASE_BY_FORM: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMS).flatMap(([base, forms]) => forms.map((form): [string, string] => [form, base])),
);

/** The base form of an irregular form. Any other word is returned unchanged. */
export function baseForm(word: string): string {
  return BASE_BY_FORM.get(word) ?? word;
}
