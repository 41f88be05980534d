import { readFileSync } from 'node:fs'
import { languages } from '@neuroloom/contract/language'
import { type Document, readDocument } from '@neuroloom/contract/network/document/document'
import { structurePicture } from '@neuroloom/contract/network/picture/picture'
import { describe, expect, test } from 'vitest'
import { makeRandom, makeRandomDocument } from './random.ts'
import { builtIn, exampleIds, library, makeNetwork } from './wire.ts'

/** Looks keys up as the pages do. */
function titlesIn(language: string): (key: string) => string {
  const url = new URL(`../../locales/${language}/layers.json`, import.meta.url)
  const texts: unknown = JSON.parse(readFileSync(url, 'utf8'))
  return (key) => {
    const found = key.split('.').reduce<unknown>((value, step) => {
      return typeof value === 'object' && value !== null
        ? Object.entries(value).find(([name]) => name === step)?.[1]
        : undefined
    }, texts)
    return typeof found === 'string' ? found : ''
  }
}

const draw = (document: Document, language = 'en') =>
  structurePicture(document, { vocabulary: library, titles: titlesIn(language) })
const wordsOf = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? '')

/** Every tag is closed in order, and only drawing is left: nothing that runs, is fetched or reaches outside. */
function checkSvg(svg: string): void {
  const open: string[] = []
  const rest = svg.replace(/<(\/?)(\w+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/g, (_, end, name, attributes, own) => {
    expect(['svg', 'title', 'rect', 'g', 'path', 'text']).toContain(name)
    for (const [, key] of attributes.matchAll(/ ([\w:-]+)=/g)) expect(key).not.toMatch(/^on|href|style/)
    if (end === '/') expect(open.pop()).toBe(name)
    else if (own === '') open.push(name)
    return ''
  })
  expect(open).toEqual([])
  expect(rest).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
  expect(svg).not.toMatch(/NaN|undefined|Infinity|url\(/)
}

describe.each(languages)('in %s', (language) => {
  test.each(exampleIds)('the picture of %s is sound and in that language', (id) => {
    const { svg, width, height } = draw(builtIn(id), language)
    checkSvg(svg)
    expect(svg).toContain(`width="${width}" height="${height}"`)
    const words = wordsOf(svg)
    expect(words).toContain({ en: 'Result', zh: '结果', ru: 'Результат' }[language])
    expect(words.filter((text) => /\b(op|block|param|choice|category|picture)\./.test(text))).toEqual([])
  })
})

test('shows cards, copies, shapes, counts, what the colours mean, and the source', () => {
  const document = builtIn('resnet18')
  const words = wordsOf(draw({ ...document, title: 'ResNet-18' }).svg)
  expect(words).toEqual(
    expect.arrayContaining([
      'ResNet-18',
      'Parameters: 11\u202f689\u202f512 · Multiply-adds: 1.81\u202fG',
      'Input · image',
      '3 × 224 × 224',
      'Conv + norm + ReLU',
      'stem · 7×7 · Stride 2',
      'Residual block',
      'stage2 · Stride 2',
      '×2',
      '128 × 28 × 28',
      '512',
      '1000',
      'Pooling',
    ]),
  )
  expect(words.join(' ')).toContain('https://arxiv.org/abs/1512.03385')
})

test('names all outputs of a block, and whose weights it uses', () => {
  const words = wordsOf(draw(builtIn('fcos')).svg)
  expect(words).toContain('20 + 4 + 1 × 32 × 32')
  expect(words).toContain('h4 · Weights of h3')
})

test('names of members cannot become markup', () => {
  const evil = '"><script>alert(1)</script>&\u0000\u0008\ud800\u2028'
  const document = makeNetwork({
    name: evil,
    title: evil,
    source: `${evil} ${evil.repeat(40)}`,
    blocks: { own: { title: evil, nodes: { a: { op: 'relu', in: 'x' } } } },
    nodes: { constructor: { op: 'own', note: evil }, b: { op: 'conv', mode: evil } },
    heads: { main: { task: evil, from: 'constructor' } },
  })
  const { svg } = draw(document)
  checkSvg(svg)
  expect(svg).toContain('&lt;script&gt;')
})

test('draws what is known of a network with mistakes', () => {
  const document = makeNetwork({
    nodes: {
      a: { op: 'conv', in: 'c' },
      b: { op: 'nothing_known', in: 'a' },
      c: { op: 'conv', in: ['b', 'nowhere'], kernel: '=1/0' },
      d: { op: 'conv', in: [], off: true },
    },
  })
  const { svg } = draw(document)
  checkSvg(svg)
  expect(wordsOf(svg)).toEqual(expect.arrayContaining(['Nothing known', 'Convolution']))
  expect(svg).toContain('stroke-dasharray')
})

/** Sixty layers in a row, now and then joined with one far above. */
function sixty(chance: number): Document {
  const random = makeRandom(5)
  const ids = Array.from({ length: 60 }, (_, k) => `layer_${k}`)
  const nodes = Object.fromEntries(
    ids.map((id, k) => {
      const before = k === 0 ? 'image' : (ids[k - 1] ?? 'image')
      const other = ids[random.below(Math.max(1, k))]
      const joins = k > 1 && other !== undefined && other !== before && random.chance(chance)
      return [id, joins ? { op: 'add', in: [before, other] } : { op: 'conv', in: before, out: 8 }]
    }),
  )
  return makeNetwork({ nodes, heads: { main: { task: 'x', from: 'layer_59' } } })
}

/** Of cards, as they stand in the picture. */
function boxesOf(svg: string): { x: number; y: number; width: number; height: number }[] {
  const found = svg.matchAll(/<rect x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="(50|40)"/g)
  return [...found].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }))
}

describe('of sixty nodes in a row', () => {
  test.each([0, 0.1, 0.3])('stands in columns, with every card in its own place (%d)', (chance) => {
    const { svg, width, height, drawing } = draw(sixty(chance))
    checkSvg(svg)
    expect(height).toBeLessThan(2400)
    expect(width).toBeLessThan(2400)
    const boxes = boxesOf(svg)
    expect(boxes.length).toBe(62)
    for (const [k, box] of boxes.entries()) {
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.y).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(drawing.width)
      expect(box.y + box.height).toBeLessThanOrEqual(drawing.height)
      const over = boxes.slice(k + 1).filter((other) => {
        const isBeside = other.x >= box.x + box.width || box.x >= other.x + other.width
        return !isBeside && other.y < box.y + box.height && box.y < other.y + other.height
      })
      expect(over).toEqual([])
    }
  })

  test('turns a line from the foot of a column to the head of the next', () => {
    const { svg } = draw(sixty(0))
    const columns = new Set(boxesOf(svg).map(({ x, width }) => x + width / 2))
    expect(columns.size).toBeGreaterThan(1)
    const turns = [...svg.matchAll(/<path d="M[^"]*Q[^"]*"/g)]
    expect(turns.length).toBe(columns.size - 1)
    // One arrow head a connection: columns add none.
    expect([...svg.matchAll(/<path d="M[^"]*Z" fill="#93a7b0"/g)].length).toBe(61)
  })

  test('stays in one piece where too many lines would turn', () => {
    const ids = Array.from({ length: 60 }, (_, k) => `layer_${k}`)
    const nodes = Object.fromEntries(
      ids.map((id, k) => {
        const far = ids[k - 30]
        const before = k === 0 ? 'image' : (ids[k - 1] ?? 'image')
        return [id, far === undefined ? { op: 'conv', in: before, out: 8 } : { op: 'add', in: [before, far] }]
      }),
    )
    const { svg, height } = draw(makeNetwork({ nodes, heads: { main: { task: 'x', from: 'layer_59' } } }))
    checkSvg(svg)
    expect(height).toBeGreaterThan(60 * 50)
  })
})

test('whatever can be read can be drawn', () => {
  const random = makeRandom(11)
  for (let k = 0; k < 150; k++) {
    const made = makeRandomDocument(
      random,
      library.catalogue,
      library.std.keys(),
      random.chance(0.5) ? 1 : 0.3,
    )
    const { document } = readDocument(made)
    if (document !== null) checkSvg(draw(document).svg)
  }
})
