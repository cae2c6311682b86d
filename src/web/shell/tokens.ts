/** The API token and the admin token of this tab. The browser keeps them until the tab closes. */

export type TokenName = 'token' | 'admin';

const keyOf = (name: TokenName) => `engraph.${name}`;

export function storedToken(name: TokenName): string | undefined {
  return sessionStorage.getItem(keyOf(name)) ?? undefined;
}

/** @param value the token; if undefined, the stored token is removed */
export function storeToken(name: TokenName, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(keyOf(name));
  else sessionStorage.setItem(keyOf(name), value);
}
