/** A place where a text seems to contain a secret. Offsets are in UTF-16 code units. */
export interface FoundSecret {
  /** Kind of the credential, such as "GitLab token". */
  kind: string;
  start: number;
  end: number;
}
