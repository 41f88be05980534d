/** Names are made at build time, so here the tree is made as the build makes it. */
import { describe, expect, it } from 'vitest'
import { type AreaNode, areaTree } from '../build/areas.ts'
import { palladius } from '../build/palladius.ts'
import { areaOf, listsAlong } from '../src/features/accounts/fields/area-lists.ts'

const trees = { en: areaTree('en'), zh: areaTree('zh'), ru: areaTree('ru') }

type Flat = { value: string; label: string; level: number }
const flat = (nodes: AreaNode[], level = 1): Flat[] =>
  nodes.flatMap(([value, label, children = []]) => [{ value, label, level }, ...flat(children, level + 1)])

describe.each(['en', 'zh', 'ru'] as const)('the areas in %s', (language) => {
  const all = flat(trees[language])

  it('are 34 provinces and overseas, with cities and districts below', () => {
    const counts = [1, 2, 3].map((level) => all.filter((one) => one.level === level).length)
    expect(counts[0]).toBe(35)
    expect(counts[1]).toBeGreaterThan(400)
    expect(counts[2]).toBeGreaterThan(3000)
  })

  it('have a value of their own and a label each', () => {
    expect(all.filter(({ value, label }) => !/^\d{6}$/.test(value) || label.trim() === '')).toEqual([])
    expect(new Set(all.map(({ value }) => value)).size).toBe(all.length)
  })

  it('are the same places as in Chinese', () => {
    expect(all.map(({ value }) => value)).toEqual(flat(trees.zh).map(({ value }) => value))
  })

  it('are written in its letters', () => {
    const letters = { en: /^[A-Za-zÀ-ÿ' ()-]+$/, zh: /^\p{Script=Han}+$/u, ru: /^[А-Яа-яЁё ()-]+$/ }
    expect(all.filter(({ label }) => !letters[language].test(label))).toEqual([])
  })

  it('are told apart by their labels', () => {
    const repeats = (nodes: AreaNode[]): string[] => [
      ...nodes.map(([, label]) => label).filter((label, index, labels) => labels.indexOf(label) !== index),
      ...nodes.flatMap(([, , children = []]) => repeats(children)),
    ]
    expect(repeats(trees[language])).toEqual([])
  })
})

describe('a place is called', () => {
  it.each([
    ['110000', 'Beijing', 'Пекин'],
    ['310000', 'Shanghai', 'Шанхай'],
    ['500000', 'Chongqing', 'Чунцин'],
    ['610000', 'Shaanxi', 'Шэньси'],
    ['140000', 'Shanxi', 'Шаньси'],
    ['150000', 'Inner Mongolia', 'Внутренняя Монголия'],
    ['540000', 'Tibet (Xizang)', 'Тибет'],
    ['650000', 'Xinjiang', 'Синьцзян'],
    ['710000', 'Taiwan', 'Тайвань'],
    ['810000', 'Hong Kong', 'Гонконг'],
    ['820000', 'Macao', 'Макао'],
    ['440100', 'Guangzhou', 'Гуанчжоу'],
    ['440300', 'Shenzhen', 'Шэньчжэнь'],
    ['610100', "Xi'an", 'Сиань'],
    ['320100', 'Nanjing', 'Нанкин'],
    ['230100', 'Harbin', 'Харбин'],
    ['650100', 'Urumqi', 'Урумчи'],
    ['110105', 'Chaoyang District', 'Чаоян (район)'],
    ['310112', 'Minhang District', 'Миньхан (район)'],
    ['610116', "Chang'an District", 'Чанъань (район)'],
    ['500230', 'Fengdu County', 'Фэнду (уезд)'],
    ['130321', 'Qinglong Autonomous County', 'Цинлун (автономный уезд)'],
    ['810102', 'Wan Chai District', 'Ваньчай (район)'],
  ])('%s: %s, %s', (code, english, russian) => {
    const labelIn = (language: 'en' | 'ru') =>
      flat(trees[language]).find(({ value }) => value === code)?.label
    expect([labelIn('en'), labelIn('ru')]).toEqual([english, russian])
  })

  it('with districts directly below a city that is a province', () => {
    const [, , children = []] = trees.en.find(([value]) => value === '310000') ?? []
    expect(children.map(([, label]) => label)).toContain('Pudong New Area')
  })
})

describe('an area is chosen', () => {
  it.each([
    ['three levels', ['Guangdong', 'Shenzhen', 'Nanshan District'], '440000/440300/440305'],
    ['a city that is a province', ['Beijing', 'Chaoyang District'], '110000/110105'],
    ['Hong Kong', ['Hong Kong', 'Kowloon', 'Yau Tsim Mong District'], '810000/810200/810202'],
    ['Macao', ['Macao', 'Taipa and Coloane', 'Cotai'], '820000/820200/820203'],
    ['Taiwan', ['Taiwan', 'Taipei', "Da'an District"], '710000/710100/710105'],
    ['overseas', ['Overseas'], '900000'],
    ['another province', ['Other'], 'other'],
    ['another city', ['Guangdong', 'Other'], '440000/other'],
    ['another district', ['Guangdong', 'Shenzhen', 'Other'], '440000/440300/other'],
  ])('by as many lists as it has levels: %s', (_, names, area) => {
    const path: string[] = []
    for (const name of names) {
      expect(areaOf(trees.en, path)).toBe('')
      const list = listsAlong(trees.en, path)[path.length]
      // The way out of each list, which the field adds.
      path.push(name === 'Other' ? 'other' : (list?.find(([, label]) => label === name)?.[0] ?? name))
    }
    expect(listsAlong(trees.en, path)).toHaveLength(names.length)
    expect(areaOf(trees.en, path)).toBe(area)
  })
})

describe('the Russian spelling of syllables', () => {
  it.each([
    ['chong qing', 'чунцин'],
    ['xi an', 'сиань'],
    ['chang an', 'чанъань'],
    ['jin an', 'цзиньань'],
    ['hang zhou', 'ханчжоу'],
    ['shen zhen', 'шэньчжэнь'],
    ['lü liang', 'люйлян'],
    ['zhu hai', 'чжухай'],
    ['hui zhou', 'хуэйчжоу'],
    ['zi gong', 'цзыгун'],
    ['xuan cheng', 'сюаньчэн'],
    ['quan zhou', 'цюаньчжоу'],
    ['wu xi', 'уси'],
    ['yue yang', 'юэян'],
    ['pu er', 'пуэр'],
    ['nuo mu', 'ному'],
    ['shun yi', 'шуньи'],
    ['rui jin', 'жуйцзинь'],
  ])('%s → %s', (pinyin, russian) => {
    expect(palladius(pinyin.split(' '))).toBe(russian)
  })
})
