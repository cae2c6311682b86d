/** Lists of function words, in lower case. The package has no types. */
declare module 'stopword' {
  type Words = readonly string[];
  export const ara: Words,
    bul: Words,
    cat: Words,
    ces: Words,
    dan: Words,
    deu: Words,
    ell: Words,
    est: Words,
    eus: Words;
  export const fas: Words,
    fin: Words,
    fra: Words,
    gle: Words,
    glg: Words,
    heb: Words,
    hin: Words,
    hrv: Words,
    hun: Words;
  export const ind: Words,
    ita: Words,
    jpn: Words,
    kor: Words,
    lav: Words,
    lit: Words,
    mya: Words,
    nld: Words,
    nob: Words;
  export const pol: Words,
    por: Words,
    ron: Words,
    rus: Words,
    slk: Words,
    slv: Words,
    spa: Words,
    swe: Words,
    tha: Words;
  export const tur: Words, ukr: Words, urd: Words, vie: Words, zho: Words;
}
