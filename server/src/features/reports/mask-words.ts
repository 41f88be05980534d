/** How the masks of a data set were read, in words: whose count, where, and what was made of them first. */
import type { DataFacts } from '@neuroloom/contract/datasets'
import type { Words } from './words.ts'

/** Nothing where each image simply has one mask. */
export function maskSentences(
  { masks, readers }: Pick<DataFacts, 'masks' | 'readers'>,
  words: Words,
): string[] {
  if (!masks) return []
  const {
    counts,
    agreement,
    channel,
    joined,
    things,
    smeared,
    renumbered,
    regions,
    regionFrom,
    open,
    turned,
  } = masks
  const isMixed = counts === 'majority' || counts === 'all'
  return [
    ...(readers && counts !== null
      ? [words.say(`masks.${isMixed ? counts : 'reader'}`, { name: counts, readers: readers.length })]
      : []),
    ...(agreement === null ? [] : [words.say('masks.agreement', { dice: words.number(agreement, 2) })]),
    ...(channel === null ? [] : [words.say('masks.channel', { name: channel })]),
    ...(joined > 0 ? [words.say('masks.joined', { count: joined })] : []),
    ...(things > 0 ? [words.say('masks.things')] : []),
    ...(smeared > 0 ? [words.say('masks.smeared', { count: smeared })] : []),
    ...(renumbered ? [words.say('masks.renumbered', { count: renumbered })] : []),
    ...(regions > 0 ? [words.say('masks.region', { count: regions, folder: regionFrom ?? '' })] : []),
    ...(open
      ? [
          words.say('masks.open', {
            ...{ value: open.value, count: open.images, share: words.percent(open.share, 2) },
          }),
        ]
      : []),
    ...(turned > 0 ? [words.say('masks.turned', { count: turned })] : []),
  ]
}
