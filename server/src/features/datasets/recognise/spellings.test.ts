import { expect, it } from 'vitest'
import { folderOf, images, made } from '../../../../test/dataset-texts.ts'
import { assemble } from './assemble.ts'
import { recognise } from './recognise.ts'
import { spellingsOf, withJoinedSpellings } from './spellings.ts'

it('classes that differ in case and blanks alone are shown together', () => {
  expect(spellingsOf(['Nevus', 'nevus', 'NEVUS', 'Grade 1', 'grade  1', 'grade_2', 'Ｎｅｖｕｓ'])).toEqual([
    ['Nevus', 'nevus', 'NEVUS', 'Ｎｅｖｕｓ'],
    ['Grade 1', 'grade  1'],
  ])
  expect(spellingsOf(['grade 1', 'grade 2', 'grade1', '1.5', '15'])).toEqual([])
  // The first С is Cyrillic; nobody sees the last letter of the second name.
  expect(
    spellingsOf(['\u04211', 'C1\u200b', 'да', 'Да.', '01', '1.0', '\uff11', 'pre–op', 'pre-op']),
  ).toEqual([
    ['\u04211', 'C1\u200b'],
    ['да', 'Да.'],
    ['01', '1.0', '\uff11'],
    ['pre–op', 'pre-op'],
  ])
})

const facts = {
  ...{ format: 'png', width: 9, height: 9, depth: null, spacing: null, orientation: null },
  ...{ channels: 1 as const, bits: 8, mean: 0.5, std: 0.1, values: null },
}
const look = {
  sha256: (path: string) => path.replace(/^.*\/(copy)?/, ''),
  check: () => ({ facts, reason: null }),
}
const classNames = { nevus: 'Nevus', NEVUS: 'Nevus', Nevus: 'Nevus', mole: 'Nevus' }

it('spellings that were given one name are one class, and other classes never are', async () => {
  const layout = await recognise(
    folderOf(images('nevus/1.png', 'Nevus/copy1.png', 'Nevus/2.png', 'NEVUS/3.png', 'mole/4.png')),
    'classification',
  )
  if (layout.layout === null) throw new Error(layout.failure)
  const found = assemble(withJoinedSpellings(layout, { classNames }), look)
  expect(found.classes).toEqual(['mole', 'Nevus'])
  expect(found.items.map((item) => item.class).sort()).toEqual([0, 1, 1, 1, 1])
  expect(found.facts?.classCounts).toEqual([1, 4])
})

it('boxes and findings are joined likewise', async () => {
  const box = (category_id: number) => ({ image_id: 1, category_id, bbox: [1, 1, 4, 4] })
  const list = {
    images: [{ id: 1, file_name: '1.png' }],
    annotations: [box(1), box(2)],
    categories: [
      { id: 1, name: 'nevus' },
      { id: 2, name: 'NEVUS' },
    ],
  }
  const boxed = await recognise(folderOf({ ...images('1.png'), 'l.json': JSON.stringify(list) }), 'detection')
  if (boxed.layout === null) throw new Error(boxed.failure)
  const joined = withJoinedSpellings(boxed, { classNames })
  expect('items' in joined && joined.classes).toEqual(['Nevus'])
  const table = { ...images('1.png', '2.png'), 'l.csv': 'image,labels\n1.png,nevus;NEVUS\n2.png,mole' }
  const labels = await recognise(folderOf(table), 'multilabel')
  if (labels.layout === null) throw new Error(labels.failure)
  const one = assemble(withJoinedSpellings(labels, { classNames }), look)
  expect(one.items.map((item) => item.labels)).toEqual([[1], [0]])
  expect((await made('multilabel', table)).classes).toHaveLength(3)
})
