import { describe, expect, it } from 'vitest'
import { entryNames } from './entry-names.ts'
import { asClasses, boxesOver } from './over.ts'

describe('names in the archives of the engine', () => {
  // As `engine/neuroloom_engine/names.py` answers.
  it.each([
    [['a/b/7.png'], ['7.png']],
    [
      ['x/7.png', 'y/7.png', '7.PNG.png'],
      ['7.png', '7-2.png', '7.PNG.png'],
    ],
    [
      ['A.png', 'a.png'],
      ['A.png', 'a-2.png'],
    ],
    [
      ['.hidden', 'dots...png', ' . '],
      ['hidden.png', 'dots.png', 'item.png'],
    ],
    [
      ['что:где?.png', '肝 脏.png', 'a\u00a0b.png'],
      ['что_где_.png', '肝 脏.png', 'a_b.png'],
    ],
    [['c\\d.e.png'], ['d.e.png']],
  ])('of %j are %j', (names, made) => {
    expect(entryNames(names, '.png')).toEqual(made)
  })
})

describe('labels over a result', () => {
  const label = (key: string) => ({ key, colour: null, name: null, count: 1 })

  it('are named as classes; the background and what does not count are nothing', () => {
    const maskValues = { '0': 0, '85': 1, '255': -1 }
    const found = asClasses([label('85'), label('255')], { classes: ['background', 'cell'], maskValues })
    expect(found.labels.map(({ name }) => name)).toEqual(['cell', null])
    expect(found.nothing).toEqual([2])
    const star = asClasses([label('7')], { classes: ['background', 'cell'], maskValues: { '0': 0, '*': 1 } })
    expect(star.labels[0]?.name).toBe('cell')
    const colours = { '#000000': 0, '#c80000': 1, '#0000c8': 2 }
    const numbers = [
      { ...label('1'), colour: '#0000c8' },
      { ...label('2'), colour: '#c80000' },
    ]
    const painted = asClasses(numbers, { classes: ['background', 'red', 'blue'], maskValues: colours })
    expect(painted.labels.map(({ name }) => name)).toEqual(['blue', 'red'])
  })

  it('of boxes have the same number in what is true and what was found', () => {
    const box = (at: number) => ({ class: at, x0: 1, y0: 2, x1: 4, y1: 8 })
    const all = [box(2), box(0), box(2)]
    const { labels, marks } = boxesOver({ of: [box(2)], all, classes: ['a', 'b', 'c'], size: [9, 9, 1] })
    expect(labels.map(({ key, name, count }) => [key, name, count])).toEqual([['1', 'a', 0], ['2', 'c', 1]]) // biome-ignore format: pairs
    expect(marks?.things).toMatchObject([{ class: '2', shape: { x: 1, y: 2, width: 3, height: 6 } }])
  })
})
