import type { MaskFacts } from '@neuroloom/contract/datasets'
import { expect, it } from 'vitest'
import { maskSentences } from './mask-words.ts'
import { wordsOf } from './words.ts'

const plain: MaskFacts = {
  ...{ counts: null, mayVote: false, agreement: null, channels: [], channel: null, values: [] },
  ...{ smeared: 0, things: 0, joined: 0, regions: 0, regionFrom: null, turned: 0, masksTurned: 0, unsure: 0 },
}
const readers = ['a', 'b'].map((key) => ({ key, name: key, items: 3 }))

it.each([
  ['en', 'the masks called “a” are the reference', 'Only pixels inside the masks of “fov” count'],
  ['zh', '以“a”的掩膜为参考标准', '只计“fov”掩膜内的像素'],
  ['ru', 'эталоном служат маски «a»', 'только пиксели внутри масок «fov»'],
] as const)(
  'a report in %s says whose masks are the reference and where pixels count',
  (language, whose, where) => {
    const masks = { ...plain, counts: 'a', agreement: 0.789, regions: 20, regionFrom: 'fov' }
    const said = maskSentences({ masks, readers }, wordsOf(language))
    expect(said).toHaveLength(3)
    expect(said[0]).toContain(whose)
    expect(said[1]).toMatch(/0[.,]79/)
    expect(said[2]).toContain(where)
  },
)

it('each way of mixing, and whatever was done to masks, has words', () => {
  const words = wordsOf('en')
  for (const counts of ['majority', 'all'])
    expect(maskSentences({ masks: { ...plain, counts }, readers }, words)[0]).toMatch(/marked by 2 readers/)
  const open = { value: '255', images: 5, share: 0.0512 }
  const all = { ...plain, open, channel: 't1', joined: 1, things: 2, smeared: 3, renumbered: 5, turned: 4 }
  for (const sentence of maskSentences({ masks: all }, words)) expect(sentence).not.toMatch(/masks\.|\{\{/)
  expect(maskSentences({ masks: all }, words)).toHaveLength(7)
  expect(maskSentences({ masks: all }, words).join(' ')).toContain('(5.12% of all, in 5 masks) do not count')
  expect(maskSentences({ masks: plain }, words)).toEqual([])
})
