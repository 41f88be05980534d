import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { ItemGallery } from '../../src/features/runs/results/item-gallery.tsx'
import { ResultItems } from '../../src/features/runs/results/result-items.tsx'
import { Score } from '../../src/features/runs/results/score.tsx'
import { colours } from '../../src/ui/tokens.ts'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDone, makeItem } from './runs-make.ts'

beforeEach(() => signIn(makeUser()))

const test = (task: LearnedRun['task'], changes: Partial<LearnedRun> = {}) =>
  makeDone({ kind: 'test', task, ...changes })

describe('pictures with several labels', () => {
  const run = test('multilabel', { classes: ['cough', 'fever', 'rash', 'ache'] })

  it('say what was found, missed and named without being there', async () => {
    const item = makeItem({ truth: null, labels: [0, 1], probabilities: [0.9, 0.2, 0.7, 0.1], score: 0.5 })
    renderPart(<ItemGallery items={[item]} run={run} />)
    expect(await screen.findByRole('img', { name: 'found' })).toBeVisible()
    expect(screen.getByRole('img', { name: 'missed' }).parentElement).toHaveTextContent('fever')
    expect(screen.getByRole('img', { name: 'not there' }).parentElement).toHaveTextContent('rash')
    expect(screen.queryByText('ache')).toBeNull()
  })

  it('say so where nothing is named and nothing is there', async () => {
    const item = makeItem({ truth: null, labels: [], probabilities: [0.1, 0.2, 0.3, 0.1], score: 1 })
    renderPart(<ItemGallery items={[item]} run={run} />)
    expect(await screen.findByText('No finding named')).toBeVisible()
  })
})

describe('pictures with boxes', () => {
  const box = { class: 0, x0: 1, y0: 2, x1: 30, y1: 40 }
  const boxes = {
    truth: [box, { ...box, x0: 50, x1: 79 }],
    found: [
      { ...box, score: 0.9 },
      { ...box, score: 0.1 },
    ],
  }
  const item = makeItem({ truth: null, probabilities: [], boxes, score: 2 / 3, overlay: '/overlay.png' })

  it('count sure boxes, true ones and right ones, and explain the colours', async () => {
    renderPart(<ItemGallery items={[item]} run={test('detection')} />)
    expect(await screen.findByText('1 shown · 2 there · 1 right')).toBeVisible()
    expect(screen.getByText('F1 0.667')).toBeVisible()
    expect(screen.getByText("Network's box")).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Enlarge a.png' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('img', { name: /true boxes in green/ })).toBeInTheDocument()
  })
})

describe('boxes of several classes', () => {
  const box = (classIndex: number, x0: number) => ({ class: classIndex, x0, y0: 20, x1: x0 + 30, y1: 60 })
  const found = [
    { ...box(1, 10), score: 0.91 },
    { ...box(0, 100), score: 0.62 },
    { ...box(0, 200), score: 0.2 },
  ]
  const item = makeItem({
    ...{ truth: null, probabilities: [], boxes: { truth: [box(1, 10)], found }, score: 2 / 3 },
    ...{ overlay: '/overlay.png', values: { found: 2 }, size: [640, 480] },
  })

  it('have a colour each, the class and certainty where one points, and pictures in their shape', async () => {
    renderPart(<ItemGallery items={[item]} run={test('detection', { classes: ['RBC', 'WBC'] })} />)
    expect(await screen.findByText('Network: WBC')).toBeVisible()
    expect(screen.getByText('Dashed: no such thing is there')).toBeVisible()
    const picture = screen.getByRole('img', { name: /a colour for each class; wrong ones are dashed/ })
    expect(picture.parentElement).toHaveStyle({ aspectRatio: '640 / 480' })
    await userEvent.click(screen.getByRole('button', { name: 'Enlarge a.png' }))
    const dialog = await screen.findByRole('dialog')
    const labels = dialog.querySelector('svg[viewBox="0 0 640 480"]')
    expect([...(labels?.querySelectorAll('text') ?? [])].map((text) => text.textContent)).toEqual([
      'WBC 91%',
      'RBC 62%',
    ])
    const frames = [...(labels?.querySelectorAll('rect') ?? [])]
    expect(frames.map((rect) => ['x', 'y', 'width', 'height'].map((at) => rect.getAttribute(at)))).toEqual([
      ['10', '20', '30', '40'],
      ['100', '20', '30', '40'],
    ])
    expect(frames.map((rect) => rect.style.stroke)).toEqual(['var(--nl-box-2)', 'var(--nl-box-1)'])
  })

  it('are explained in the colours that the engine draws with', () => {
    const engine = readFileSync(
      join(import.meta.dirname, '../../../engine/neuroloom_engine/data/overlay.py'),
      'utf8',
    )
    const [, listed = ''] = /CLASS_COLOURS = \(([\s\S]*?)\n\)\n/.exec(engine) ?? []
    const drawn = [...listed.replace('PREDICTED', '(255, 0, 200)').matchAll(/\((\d+), (\d+), (\d+)\)/g)].map(
      ([, ...parts]) => `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`,
    )
    const shown = Object.entries(colours).flatMap(([name, colour]) => (/^box-\d$/.test(name) ? [colour] : []))
    expect(shown).toEqual(drawn)
    expect(drawn).toHaveLength(8)
    // By which an outline is taken away again.
    const page = readFileSync(
      join(import.meta.dirname, '../../src/features/runs/results/drawn-outlines.tsx'),
      'utf8',
    )
    const [, known = ''] = /const predicted = new Set\(\[([\s\S]*?)\n\]\)\n/.exec(page) ?? []
    const taken = [...known.matchAll(/'(\d+) (\d+) (\d+)'/g)].map(
      ([, ...parts]) => `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`,
    )
    expect(taken).toEqual(drawn)
  })
})

describe('outlines of several classes', () => {
  const run = test('volume_segmentation', { classes: ['background', 'liver', 'spleen'] })
  const item = (changes: Partial<ReturnType<typeof makeItem>>) =>
    makeItem({ ...{ truth: null, probabilities: [], score: 0.5, overlay: '/drawn.png' }, ...changes })
  const lineOf = (text: string) => screen.getByText(text).querySelector('span')

  it('are explained in a colour for each class, on the page and enlarged', async () => {
    renderPart(<ItemGallery items={[item({ palette: 'classes' })]} run={run} />)
    expect(await screen.findByText('True outline')).toBeVisible()
    expect(lineOf('Network: liver')?.getAttribute('style')).toContain('var(--nl-box-1)')
    expect(lineOf('Network: spleen')?.getAttribute('style')).toContain('var(--nl-box-2)')
    expect(screen.queryByText("Network's outline")).toBeNull()
    expect(screen.queryByText('Network: background')).toBeNull()
    expect(screen.getByRole('img', { name: /outline in green .* a colour for each class/ })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Enlarge a.png' }))
    expect(within(await screen.findByRole('dialog')).getByText('Network: spleen')).toBeInTheDocument()
  })

  it('of tests from before have one colour', async () => {
    renderPart(<ItemGallery items={[item({})]} run={run} />)
    expect(await screen.findByText("Network's outline")).toBeVisible()
    expect(screen.queryByText(/Network: /)).toBeNull()
    expect(screen.getByRole('img', { name: /outline in magenta/ })).toBeVisible()
  })
})

describe('an enlarged picture', () => {
  const drawn = (id: string, score: number) =>
    makeItem({
      ...{ id, name: `${id}.png`, truth: null, probabilities: [], score },
      ...{ overlay: `/${id}-drawn.png`, image: `/${id}.webp` },
    })

  it('leads on by arrows, says its place and score, zooms and hides outlines by keys', async () => {
    renderPart(<ItemGallery items={[drawn('a', 0.5), drawn('b', 0.75)]} run={test('segmentation')} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Enlarge a.png' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('1 of 2, Dice 0.500')).toBeInTheDocument()
    await userEvent.keyboard('{ArrowRight}')
    expect(dialog.getByText('2 of 2, Dice 0.750')).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Next image' })).toBeDisabled()
    await userEvent.keyboard('+')
    expect(dialog.getByText('150%')).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: /^Truth/ })).toHaveAttribute('aria-pressed', 'true')
    await userEvent.keyboard('t')
    expect(dialog.getByRole('button', { name: /^Truth/ })).toHaveAttribute('aria-pressed', 'false')
    await userEvent.keyboard('tm')
    const sources = [...screen.getByRole('dialog').querySelectorAll('img')].map((img) =>
      img.getAttribute('src'),
    )
    expect(sources).toEqual(['/b.webp', '/b.webp'])
  })
})

describe('pictures of volumes', () => {
  const drawn = {
    ...{ truth: null, probabilities: [], score: 0.5 },
    overlay: '/drawn.png',
    image: '/middle.webp',
  }
  const open = async (item: ReturnType<typeof makeItem>) => {
    renderPart(<ItemGallery items={[item]} run={test('volume_segmentation')} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Enlarge a.png' }))
    const dialog = await screen.findByRole('dialog')
    return {
      dialog: within(dialog),
      sources: [...dialog.querySelectorAll('img')].map((img) => img.getAttribute('src')),
    }
  }

  it('show the same slice twice, with its number', async () => {
    const item = makeItem({ ...drawn, plain: '/plain.png', slice: { number: 16, count: 35 } })
    const { dialog, sources } = await open(item)
    expect(sources).toEqual(['/plain.png', '/drawn.png'])
    expect(dialog.getByText('Slice 16 of 35, without outlines')).toBeInTheDocument()
    expect(dialog.getByText('Slice 16 of 35, the one with most to see')).toBeInTheDocument()
    expect(dialog.getByRole('link', { name: /^Open in the viewer at this slice/ })).toHaveAttribute(
      'href',
      '/run?id=run-1&item=item-1&slice=16',
    )
  })

  it('are counted as volumes, and keep the end of their names, which tells them apart', async () => {
    const names = ['images/hippocampus_001.nii.gz', 'images/hippocampus_033.nii.gz']
    const items = names.map((name, index) => makeItem({ ...drawn, id: String(index), name }))
    serve({ 'runs/items': () => ({ items, next: null, total: 4 }) })
    const run = test('volume_segmentation', { metrics: { dice: 0.5 }, counts: { test: 4 } })
    renderPart(
      <>
        <Score run={run} />
        <ResultItems run={run} />
      </>,
    )
    expect(await screen.findByText('4 volumes')).toBeVisible()
    expect(screen.getByText('Measured on 4 volumes of the test.')).toBeVisible()
    for (const name of names) {
      const shown = await screen.findByTitle(name)
      expect(shown).toHaveTextContent(name)
      // What is too long loses its middle: the end is a piece of its own, which is never cut.
      expect(shown.lastElementChild).toHaveTextContent(name.slice(-12))
    }
  })

  it("say of the file's own picture that it is another slice", async () => {
    const { dialog, sources } = await open(makeItem(drawn))
    expect(sources).toEqual(['/middle.webp', '/drawn.png'])
    expect(dialog.getByText(/another one than that with the outlines/)).toBeInTheDocument()
    expect(dialog.queryByText('The image as it is')).toBeNull()
  })
})

describe('restored pictures', () => {
  const item = makeItem({
    truth: null,
    probabilities: [],
    score: 31.2,
    overlay: '/strip.png',
    values: { psnr: 31.2, ssim: 0.91, bicubicPsnr: 29.1 },
  })

  it('are cut into their four parts, with the figures of before and after', async () => {
    renderPart(<ItemGallery items={[item]} run={test('super_resolution')} />)
    expect(await screen.findByText('PSNR 31.20 dB')).toBeVisible()
    const strip = screen.getByRole('img', {
      name: /what went in, the result, the true image, and the error/,
    })
    expect(strip).toHaveTextContent('BeforeResultTrueError')
    const [, second] = strip.querySelectorAll('img')
    expect(second).toHaveStyle({ objectPosition: '33.333333333333336% 0' })
    if (second) fireEvent.load(second)
    await userEvent.click(screen.getByRole('button', { name: 'Enlarge a.png' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('29.10 dB')).toBeInTheDocument()
    expect(dialog.getByText(/the brighter, the further/)).toBeInTheDocument()
  })

  it("open whole and unsmoothed, each pixel on a whole number of the screen's, beside the enlargement that is measured", async () => {
    const whole = { ...item, whole: '/whole.png', values: { ssim: 0.91, bicubicPsnr: 29.1 } }
    renderPart(<ItemGallery items={[whole]} run={test('super_resolution')} />)
    expect(await screen.findByText('Plain enlargement (bicubic)')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Enlarge a.png' }))
    const dialog = await screen.findByRole('dialog')
    const images = [...dialog.querySelectorAll('img')]
    expect(images.map((image) => image.getAttribute('src'))).toEqual(Array(4).fill('/whole.png'))
    const [first] = images
    // Four parts of 512 × 768, with gaps of 4 pixels.
    Object.defineProperties(first, { naturalWidth: { value: 2060 }, naturalHeight: { value: 768 } })
    if (first) fireEvent.load(first)
    await userEvent.click(within(dialog).getByText('4 ×'))
    const widthOf = (image: HTMLElement) => Number.parseFloat(image.style.width) * window.devicePixelRatio
    expect(images.map(widthOf)).toEqual(Array(4).fill(4 * 2060))
    expect(
      images.map((image) => Number.parseFloat(image.style.marginLeft) * window.devicePixelRatio),
    ).toEqual([0, -4 * 516, -8 * 516, -12 * 516])
    const figures = [...dialog.querySelectorAll('dl dd')].map((one) => one.textContent)
    expect(figures[0]).toBe('31.20\u00a0dB')
    expect(within(dialog).queryByText(/the part with most detail/)).toBeNull()
  })

  it('lie one over the other where one chooses so, the result from a line on that keys move', async () => {
    const whole = { ...item, whole: '/whole.png' }
    renderPart(<ItemGallery items={[whole]} run={test('super_resolution')} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Enlarge a.png' }))
    const dialog = await screen.findByRole('dialog')
    const [first] = dialog.querySelectorAll('img')
    Object.defineProperties(first, { naturalWidth: { value: 2060 }, naturalHeight: { value: 768 } })
    if (first) fireEvent.load(first)
    await userEvent.click(within(dialog).getByText('4 ×'))
    await userEvent.click(within(dialog).getByText('One over the other'))
    const layers = [...dialog.querySelectorAll('img')]
    const pixels = (length: string) => Number.parseFloat(length) * window.devicePixelRatio
    expect(layers.map((image) => image.getAttribute('src'))).toEqual(['/whole.png', '/whole.png'])
    expect(layers.map(({ style }) => pixels(style.width))).toEqual([4 * 2060, 4 * 2060])
    expect(layers.map(({ style }) => pixels(style.marginLeft))).toEqual([0, -4 * 516])
    const upper = layers[1]?.parentElement
    expect(upper?.style.clipPath).toBe('inset(0 0 0 50%)')
    const handle = within(dialog).getByRole('slider', { name: 'Dividing line' })
    fireEvent.keyDown(handle, { key: 'ArrowRight', keyCode: 39 })
    // 51 % of 512 pixels lie within a pixel: the line goes between two of them.
    expect(upper?.style.clipPath).toBe(`inset(0 0 0 ${(100 * 261) / 512}%)`)
    expect(
      within(dialog).getByText('Left of the line: Plain enlargement (bicubic). Right of it: Result.'),
    ).toBeInTheDocument()
    await userEvent.click(within(dialog).getByText('Side by side'))
    expect(dialog.querySelectorAll('img')).toHaveLength(4)
  })

  it('say on their cards that they show a detail, where they do', async () => {
    const load = (part: HTMLElement, width: number, height: number) => {
      const image = part.querySelector('img')
      Object.defineProperties(image, { naturalWidth: { value: width }, naturalHeight: { value: height } })
      if (image) fireEvent.load(image)
    }
    const items = [
      { ...item, id: 'large', name: 'large.png', whole: '/whole.png' },
      { ...item, id: 'larger', name: 'larger.png', whole: null },
      { ...item, id: 'small', name: 'small.png', whole: null },
    ]
    renderPart(<ItemGallery items={items} run={test('super_resolution')} />)
    const card = async (name: string) => await screen.findByRole('button', { name: `Enlarge ${name}` })
    expect(within(await card('large.png')).getByText(/^A detail of the image/)).toBeVisible()
    load(await card('larger.png'), 4 * 192 + 12, 192)
    expect(within(await card('larger.png')).getByText(/^At most 192 × 192 pixels/)).toBeVisible()
    load(await card('small.png'), 4 * 128 + 12, 128)
    expect(within(await card('small.png')).queryByText(/detail|At most/)).toBeNull()
  })

  it('that became worse are called so', async () => {
    serve({ 'runs/items': () => ({ items: [], next: null, total: 0 }) })
    renderPart(<ResultItems run={test('denoising')} />)
    await userEvent.click(await screen.findByText('Only made worse'))
    expect(await screen.findByText('The network makes no image worse.')).toBeVisible()
  })
})

describe('what a result means', () => {
  it.each([
    ['multilabel', { macroF1: 0.85 }, /few are missed/],
    ['multilabel', { macroF1: 0.3 }, /often misses findings/],
    ['volume_segmentation', { dice: 0.85 }, /match the true ones well/],
    ['detection', { map50: 0.93, map: 0.6 }, /finds almost everything/],
    ['detection', { map50: 0.2 }, /misses many things/],
    ['super_resolution', { psnr: 31, bicubicPsnr: 29 }, /than plain enlargement \(bicubic\) is: by 2.00 dB/],
    ['super_resolution', { psnr: 29.05, bicubicPsnr: 29 }, /hardly nearer/],
    ['denoising', { psnr: 25, inputPsnr: 27 }, /Do not use this network/],
    ['denoising', { psnr: 25 }, /The higher the figure/],
  ] as const)('of %s with %j', async (task, metrics, text) => {
    renderPart(<Score run={test(task, { metrics })} />)
    expect(await screen.findByText(text)).toBeVisible()
  })
})

describe('an image with a long name', () => {
  const name = 'slide_07/patient-0012/region-3/cell-0042.png'

  it('has a short name on its button, and opened, its whole name with the end in sight', async () => {
    renderPart(<ItemGallery items={[makeItem({ name })]} run={test('classification')} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Enlarge …/region-3/cell-0042.png' }))
    const dialog = await screen.findByRole('dialog', { name })
    const [title] = within(dialog).getAllByTitle(name)
    expect(title?.lastElementChild).toHaveTextContent('ell-0042.png')
  })
})
