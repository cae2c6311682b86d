/** Tokens that the person has entered. They last as long as the tab. */

export type TokenName = 'token' | 'admin';

const keyOf = (name: TokenName) => `engraph.${name}`;

export function storedToken(name: TokenName): string | undefined {
  return sessionStorage.getItem(keyOf(name)) ?? undefined;
}

/** @param value undefined forgets the token */
export function storeToken(name: TokenName, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(keyOf(name));
  else sessionStorage.setItem(keyOf(name), value);
}
