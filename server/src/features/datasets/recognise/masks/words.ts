/** What words in the names of folders and files say of masks: what is marked, by whom, or only where a picture has something to see. */
import { maskWords } from '@neuroloom/contract/reading/pair-words'
import { isSplitName, partOf } from '../folder-names.ts'

const set = (text: string): Set<string> => new Set(text.split(' '))

const labelWords: ReadonlySet<string> = new Set([
  ...maskWords.label,
  ...set(
    'manual manuals expert reader rater observer annotator lesion lesions contour contours outline outlines',
  ),
  ...set('delineation delineations roi rois fov groundtruths'),
])
/** Besides labels of which there are many kinds: the same thing painted for people, or counted. */
const paintedWords = set(
  'color colour colors colours instance instances instanceids object objects overlay overlays vis',
)
const personWords =
  /^(\d+(st|nd|rd|th)?|(manual|expert|reader|rater|observer|annotator|doctor|ann|anno|gt|label|mask|seg|r|a|o)\d*|\d+(st|nd|rd|th)?ho|ho\d*|[a-z]{2,3})$/
const sideWords = set('left right l r')

/** Folders' names come again with each of their files. */
const known = new Map<string, readonly string[]>()
const MOST_KNOWN = 5000

/** `leftMask_01.b` → left, mask, 01, b. Chinese and Russian words for a side of a pair become English ones. */
export function tokensOf(name: string): readonly string[] {
  const before = known.get(name)
  if (before) return before
  const tokens = split(name)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, tokens)
  return tokens
}

function split(name: string): string[] {
  return name
    .replace(maskWords.foreignLabel, ' mask ')
    .replace(maskWords.foreignImage, ' image ')
    .replace(/leftImg8bit/g, 'image')
    .replace(/gt(Fine|Coarse)/g, 'gt')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/ground[ _.-]truths?/g, 'groundtruth')
    .split(/[\s_.()/[\]-]+/)
    .filter((token) => token !== '')
}

export const isLabelToken = (token: string): boolean =>
  labelWords.has(token) || labelWords.has(token.replace(/\d+$/, '')) || token === '@seg'

export const isImageToken = (token: string): boolean => maskWords.image.has(token)

/** The words of a name that neither say a side nor a part nor count. */
export const ownWords = (name: string): string[] =>
  tokensOf(name).filter(
    (token) => !isLabelToken(token) && !isImageToken(token) && !partOf(token) && !/^[@\d]/.test(token),
  )

export const isPainted = (role: string): boolean => tokensOf(role).some((token) => paintedWords.has(token))

/** Nothing but what every mask is called: where others say more, it may only show where there is something to see. */
export function isBareMask(role: string): boolean {
  const tokens = tokensOf(role).filter((token) => !partOf(token) && !/^\d+$/.test(token))
  return isField(role) || (tokens.length > 0 && tokens.every((token) => /^masks?$/.test(token)))
}

export const isField = (role: string): boolean => tokensOf(role).some((token) => token === 'fov')

/** `1st_manual`, `reader2`, `ah`: somebody who marked the same thing as others. */
export function isPerson(role: string): boolean {
  const tokens = tokensOf(role).filter((token) => !partOf(token))
  return tokens.length > 0 && tokens.every((token) => personWords.test(token) || isLabelToken(token))
}

/** `left mask` and `right mask` are the two halves of one thing. */
export const isHalf = (role: string): boolean => tokensOf(role).some((token) => sideWords.has(token))

export const withoutHalf = (role: string): string =>
  tokensOf(role)
    .filter((token) => !sideWords.has(token))
    .join(' ')

/** The parts that folders are named after: what stands in different ones belongs to different pictures. */
export const partsIn = (segments: readonly string[]): string =>
  [
    ...new Set(
      segments.flatMap((segment) => (isSplitName(segment) ? [segment] : tokensOf(segment))).map(partOf),
    ),
  ]
    .filter((part) => part !== null)
    .sort()
    .join('+')
