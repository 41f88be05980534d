/** Pinyin syllables in Russian letters, by the system of Palladius. Knows no customary names. */

/** Each syllable has one spelling, made of its initial and its final. */
export function palladius(syllables: readonly string[]): string {
  const parts = syllables.map(syllable)
  // A syllable that ends in -ng must not run into a vowel: Чанъань.
  return parts
    .map((part, index) =>
      syllables[index]?.endsWith('ng') && /^[аоэеиуюяй]/.test(parts[index + 1] ?? '') ? `${part}ъ` : part,
    )
    .join('')
}

function syllable(pinyin: string): string {
  const text = pinyin.replace('v', 'ü')
  const whole = wholes[text]
  if (whole !== undefined) return whole
  const initial = Object.keys(initials).find((one) => text.startsWith(one)) ?? ''
  const final = text.slice(initial.length)
  const table = /^[jqx]$/.test(initial) ? { ...finals, ...afterSoft } : finals
  const russian = table[final]
  if (russian === undefined) throw new Error(`No Russian spelling of "${pinyin}"`)
  return `${initials[initial] ?? ''}${russian}`
}

/** Longest first. */
const initials: Record<string, string> = {
  zh: 'чж',
  ch: 'ч',
  sh: 'ш',
  b: 'б',
  p: 'п',
  m: 'м',
  f: 'ф',
  d: 'д',
  t: 'т',
  n: 'н',
  l: 'л',
  g: 'г',
  k: 'к',
  h: 'х',
  j: 'цз',
  q: 'ц',
  x: 'с',
  r: 'ж',
  z: 'цз',
  c: 'ц',
  s: 'с',
}

const finals: Record<string, string> = {
  a: 'а',
  ai: 'ай',
  an: 'ань',
  ang: 'ан',
  ao: 'ао',
  e: 'э',
  ei: 'эй',
  en: 'энь',
  eng: 'эн',
  er: 'эр',
  i: 'и',
  ia: 'я',
  ian: 'янь',
  iang: 'ян',
  iao: 'яо',
  ie: 'е',
  in: 'инь',
  ing: 'ин',
  iong: 'юн',
  iu: 'ю',
  o: 'о',
  ong: 'ун',
  ou: 'оу',
  u: 'у',
  ua: 'уа',
  uai: 'уай',
  uan: 'уань',
  uang: 'уан',
  ue: 'юэ',
  ui: 'уй',
  un: 'унь',
  uo: 'о',
  ü: 'юй',
  üe: 'юэ',
}

/** After j, q and x the letter u is spoken ü. */
const afterSoft: Record<string, string> = { u: 'юй', uan: 'юань', ue: 'юэ', un: 'юнь' }

const wholes: Record<string, string> = {
  zhi: 'чжи',
  zi: 'цзы',
  ci: 'цы',
  si: 'сы',
  hui: 'хуэй',
  lü: 'люй',
  nü: 'нюй',
  ya: 'я',
  yan: 'янь',
  yang: 'ян',
  yao: 'яо',
  ye: 'е',
  yi: 'и',
  yin: 'инь',
  ying: 'ин',
  yo: 'йо',
  yong: 'юн',
  you: 'ю',
  yu: 'юй',
  yuan: 'юань',
  yue: 'юэ',
  yun: 'юнь',
  wa: 'ва',
  wai: 'вай',
  wan: 'вань',
  wang: 'ван',
  wei: 'вэй',
  wen: 'вэнь',
  weng: 'вэн',
  wo: 'во',
  wu: 'у',
}
