/**
 * Sorts names into the letters of an address book.
 *
 * Latin letters lose their accents (É → E); of Cyrillic ones only Ё becomes another (Е). Chinese characters have the first
 * letter of their pinyin: the browser's collation sorts characters by it, so a character belongs to the last letter whose first
 * character does not come after it. Everything else is below #.
 */
import { currentLanguage, currentTag } from '../../../lib/i18n.ts'

export type LetterGroup<Named> = { letter: string; members: Named[] }

/** Groups in the order of the alphabet; Cyrillic letters come first where Russian is spoken. */
export function groupByLetter<Named extends { nickName: string }>(
  members: readonly Named[],
  isRussian = currentLanguage() === 'ru',
): LetterGroup<Named>[] {
  const byName = new Intl.Collator(currentTag(), { sensitivity: 'base', numeric: true })
  const groups = new Map<string, Named[]>()
  for (const member of [...members].sort((one, other) => byName.compare(one.nickName, other.nickName))) {
    const letter = letterOf(member.nickName)
    const group = groups.get(letter)
    if (group) group.push(member)
    else groups.set(letter, [member])
  }
  const rank = (letter: string): number => {
    if (letter === OTHER) return 2
    return isCyrillic(letter) === isRussian ? 0 : 1
  }
  return [...groups]
    .map(([letter, named]) => ({ letter, members: named }))
    .sort(
      (one, other) =>
        rank(one.letter) - rank(other.letter) ||
        (one.letter < other.letter ? -1 : Number(one.letter > other.letter)),
    )
}

export function letterOf(name: string): string {
  const [first = ''] = name.trim().toUpperCase()
  if (isCyrillic(first)) return first === 'Ё' ? 'Е' : first
  const [plain = ''] = first.normalize('NFD')
  if (plain >= 'A' && plain <= 'Z') return plain
  return /\p{Script=Han}/u.test(first) ? pinyinLetter(first) : OTHER
}

const OTHER = '#'

const isCyrillic = (letter: string): boolean => /\p{Script=Cyrillic}/u.test(letter)

/** The first character of each letter in the order of pinyin; I, U and V begin no syllable. */
const firstCharacters = '阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀'
const letters = 'ABCDEFGHJKLMNOPQRSTWXYZ'
/** Characters that sound otherwise where they are family names. */
const familyNames: Record<string, string> = { 曾: 'Z', 单: 'S', 仇: 'Q', 查: 'Z', 翟: 'Z', 解: 'X', 朴: 'P' }
const pinyin = new Intl.Collator('zh-CN-u-co-pinyin')

function pinyinLetter(character: string): string {
  const known = familyNames[character]
  if (known !== undefined) return known
  const index = [...firstCharacters].findLastIndex((first) => pinyin.compare(first, character) <= 0)
  return letters[index] ?? OTHER
}
