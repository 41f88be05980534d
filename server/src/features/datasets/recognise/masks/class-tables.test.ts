import { expect, it } from 'vitest'
import type { Assembled } from '../shapes.ts'
import { withOwnNames, withTableNames } from './class-tables.ts'

const found = (maskValues: Record<string, number>): Assembled => ({
  ...{ items: [], problems: [], channels: 1, factor: null, facts: null, failure: null, maskValues },
  classes: Object.keys(maskValues).map((value, index) => (index === 0 ? 'background' : `class ${value}`)),
})
const colours = { '#000000': 0, '#ff0000': 1, '#40c080': 2 }
const numbers = { '0': 0, '1': 1, '7': 2 }

it.each([
  [
    'class_dict.csv',
    'name,r,g,b\nVoid,0,0,0\nBlood,255,0,0\nTumor wall,64,192,128\n',
    colours,
    ['Void', 'Blood', 'Tumor wall'],
  ],
  [
    'label_colors.txt',
    '255 0 0 Blood\n64 192 128\tTumor wall\n',
    colours,
    ['background', 'Blood', 'Tumor wall'],
  ],
  [
    'labelmap.txt',
    '# label:color_rgb:parts:actions\nbackground:0,0,0::\nblood:255,0,0::\nwall:64,192,128::\n',
    colours,
    ['background', 'blood', 'wall'],
  ],
  ['labels.txt', '0: nothing\n1: vessel\n7: lesion\n', numbers, ['nothing', 'vessel', 'lesion']],
  [
    'labels.txt',
    '# ITK-SnAP Label Description File\n0 0 0 0 0 0 0 "Clear"\n1 255 0 0 1 1 1 "vessel"\n7 0 255 0 1 1 1 "lesion"\n',
    numbers,
    ['Clear', 'vessel', 'lesion'],
  ],
  ['classes.txt', 'vessel\nlesion\n', numbers, ['background', 'vessel', 'lesion']],
  ['classes.txt', '血管\n病灶\n', numbers, ['background', '血管', '病灶']],
  ['labels.txt', 'vessel\n', numbers, ['background', 'class 1', 'class 7']],
  ['notes.txt', 'vessel\nlesion\n', numbers, ['background', 'class 1', 'class 7']],
])('classes are called as %s says: %j', async (path, text, maskValues, classes) => {
  const folder = { paths: [`set/${path}`], emptyFolders: [], read: async () => text }
  expect((await withTableNames(found(maskValues), folder)).classes).toEqual(classes)
})

it('and as the owner says, unless two would be called alike', () => {
  const classNames = { 'class 1': 'vessel' }
  expect(withOwnNames(found(numbers), { classNames }).classes).toEqual(['background', 'vessel', 'class 7'])
  expect(withOwnNames(found(numbers), { classNames: { 'class 1': 'class 7' } }).classes).toContain('class 1')
})
