/** Every way in which a request can contain the API token, and a request without a token. */

export const NO_TOKEN: Form = { name: 'no token', headers: {}, query: '', isRight: false };
export interface Form {
  name: string;
  headers: Record<string, string>;
  query: string;
  isRight: boolean;
}

export function formsOf(token: string, isRight: boolean): Form[] {
  const name = isRight ? 'the right token' : 'a wrong token';
  return [
    { name: `${name} as a bearer`, headers: { authorization: `Bearer ${token}` }, query: '', isRight },
    { name: `${name} in X-API-Key`, headers: { 'x-api-key': token }, query: '', isRight },
    { name: `${name} in api_key`, headers: {}, query: `api_key=${encodeURIComponent(token)}`, isRight },
  ];
}
