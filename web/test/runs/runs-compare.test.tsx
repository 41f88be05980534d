import type { Answer } from '@neuroloom/contract/calls'
import type { Difference } from '@neuroloom/contract/compare'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { CompareView } from '../../src/features/runs/compare/compare-view.tsx'
import { ItemGallery } from '../../src/features/runs/results/item-gallery.tsx'
import { ComparePage } from '../../src/pages/compare.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { makeDetail, makeDone, makeItem } from './runs-make.ts'

beforeEach(() => signIn(makeUser()))

function makeComparison(main: Partial<Difference>): Answer<'runs/compare'> {
  const test = { trainingNumber: 1, network: 'small_resnet', ownNetwork: null, parameters: 1000 }
  const figures = { endedAt: null, intervals: {} }
  return {
    ...{ projectId: 'p', task: 'classification', classes: ['healthy', 'ill'], datasetName: 'Lungs' },
    ...{ items: 40, groups: 40, resamples: 2000, settings: ['epochs', 'augment'] },
    tests: [
      {
        ...test,
        ...figures,
        id: 'a',
        number: 3,
        metrics: { accuracy: 0.8 },
        perClass: [],
        settings: [10, true],
      },
      {
        ...test,
        ...figures,
        id: 'b',
        number: 5,
        metrics: { accuracy: 0.9 },
        perClass: [],
        settings: [20, false],
      },
    ],
    pairs: [
      {
        id: 'b',
        differences: [
          {
            ...{ metric: 'accuracy', class: null, first: 0.8, other: 0.9, value: 0.1, cases: 40 },
            ...{ interval: [0.02, 0.18], verdict: 'better' },
            ...main,
          },
        ],
        mcnemar: { onlyFirst: 1, onlyOther: 5, p: 0.21875 },
      },
    ],
    disagreements: [{ name: 'a.png', results: [makeItem(), makeItem({ probabilities: [0.1, 0.9] })] }],
  }
}

const show = (main: Partial<Difference> = {}) =>
  renderPart(<CompareView comparison={makeComparison(main)} networkName={(name) => name} />)

describe('tests beside each other', () => {
  it('say better only with the range of the difference', async () => {
    show()
    expect(
      await screen.findByText(
        'Test 5 is better: Accuracy 10.0 percentage points higher (95 % range: 2.0 to 18.0).',
      ),
    ).toBeVisible()
    expect(screen.getByText(/exact McNemar test/)).toHaveTextContent('0.219')
    expect(screen.getByRole('row', { name: /Epochs 10 20/i })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'a.png' })).toBeVisible()
  })

  it('draw each figure as two dots on one scale, and the difference with its range round 0', async () => {
    const comparison = makeComparison({})
    const recall = { metric: 'recall', class: 'ill', first: 0.5, other: 0.25, value: -0.25, cases: 12 }
    const decibels = { metric: 'psnr', class: null, first: 20, other: 24, value: 4, cases: 40 }
    comparison.pairs[0]?.differences.push(
      { ...recall, interval: [-0.5, 0.125], verdict: 'unshown' },
      { ...decibels, interval: null, verdict: 'unshown' },
    )
    renderPart(<CompareView comparison={comparison} networkName={(name) => name} />)
    const values = await screen.findByRole('img', { name: '0.500, then 0.250' })
    const places = (drawn: HTMLElement, name: string) =>
      [...drawn.querySelectorAll(name)].map((dot) => [dot.getAttribute('data-dot'), dot.getAttribute('cx')])
    expect(places(values, 'circle')).toEqual([
      ['first', '50%'],
      ['other', '25%'],
    ])
    const change = screen.getByRole('img', { name: '−0.250 (95 % range: −0.500 to 0.125)' })
    expect(places(change, 'circle')).toEqual([['difference', '25%']])
    const range = change.querySelector('[data-line="range"]')
    expect([range?.getAttribute('x1'), range?.getAttribute('x2')]).toEqual(['0%', '62.5%'])
    expect(screen.getByRole('img', { name: '80.0%, then 90.0%' })).toBeVisible()
    // Decibels have no place on a scale of shares.
    expect(screen.queryByRole('img', { name: /dB/ })).not.toBeInTheDocument()
  })

  it('speak of volumes where volumes were measured', async () => {
    const comparison = { ...makeComparison({}), task: 'volume_segmentation' as const }
    renderPart(<CompareView comparison={comparison} networkName={(name) => name} />)
    expect(await screen.findByText(/measured on the same 40 volumes of 40 independent cases/)).toBeVisible()
    expect(screen.getByText(/^The same volume in each test/)).toBeVisible()
    expect(screen.getByRole('row', { name: /All volumes/ })).toBeVisible()
  })

  it('lead to a picture of one test in the viewer', async () => {
    show()
    const [, ofOther] = await screen.findAllByRole('button', { name: 'Enlarge a.png' })
    if (!ofOther) throw new Error('The second test has no picture')
    await userEvent.click(ofOther)
    expect(await screen.findByRole('link', { name: 'Open in the viewer' })).toHaveAttribute(
      'href',
      '/run?id=b&item=item-1',
    )
  })

  it('show the images in dispute before the tables', async () => {
    show()
    await screen.findByRole('heading', { name: 'a.png' })
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Test 5 against test 3',
      'Where they disagree most',
      'All differences, test 5 against test 3',
      'Side by side',
      'What differs in the settings',
    ])
  })

  it('lead by arrows from one image in dispute to the next, as the same test saw them', async () => {
    const comparison = makeComparison({})
    const results = [makeItem({ id: 'c1', name: 'b.png' }), makeItem({ id: 'c2', name: 'b.png' })]
    comparison.disagreements.push({ name: 'b.png', results })
    renderPart(<CompareView comparison={comparison} networkName={(name) => name} />)
    const [, ofOther] = await screen.findAllByRole('button', { name: 'Enlarge a.png' })
    if (!ofOther) throw new Error('The second test has no picture')
    await userEvent.click(ofOther)
    await screen.findByRole('dialog', { name: 'a.png' })
    await userEvent.keyboard('{ArrowRight}')
    expect(await screen.findByRole('dialog', { name: 'b.png' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open in the viewer' })).toHaveAttribute(
      'href',
      '/run?id=b&item=c2',
    )
  })

  it('tell a loss of percentages in percentage points, with a minus that is no dash', async () => {
    show({ value: 1 / 3 - 1, first: 1, other: 1 / 3, interval: [-13 / 15, -0.4], verdict: 'worse' })
    expect(
      await screen.findByText(
        'Test 5 is worse: Accuracy 66.7 percentage points lower (95 % range: 40.0 to 86.7).',
      ),
    ).toBeVisible()
    expect(screen.getByRole('cell', { name: '\u221266.7 percentage points' })).toBeVisible()
    expect(screen.getByRole('cell', { name: '\u221286.7 to \u221240.0' })).toBeVisible()
  })

  it('say that no difference is shown where the range includes 0', async () => {
    show({ interval: [-0.02, 0.2], verdict: 'unshown' })
    expect(await screen.findByText(/No difference shown with this many cases \(40\)/)).toBeVisible()
    expect(screen.queryByText(/is better/)).toBeNull()
  })

  it('say that there is no difference where there is none in any case', async () => {
    show({ value: 0, interval: null, verdict: 'unshown' })
    expect(await screen.findByText(/both tests have the same Accuracy/)).toBeVisible()
  })

  it('say that there are too few cases where there is no range', async () => {
    show({ interval: null, verdict: 'unshown', cases: 5 })
    expect(await screen.findByText(/5 independent cases .* are too few for a range/)).toBeVisible()
    expect(screen.getByRole('cell', { name: 'too few cases (5) to give a range' })).toBeVisible()
  })

  it('give no range where all cases differ alike', async () => {
    show({ interval: null, verdict: 'unshown' })
    expect(await screen.findByText(/^No range can be given: the difference/)).toBeVisible()
  })
})

describe('figures of detection beside each other', () => {
  const boxes = (value: number | null) => [
    { class: 'RBC', values: { boxes: 10, precision: 0.5 } },
    { class: 'WBC', values: { boxes: 4, precision: value } },
  ]
  const compared = (first: Record<string, number>, value: number | null) => {
    const comparison = makeComparison({ metric: 'map50' })
    const [one, other] = comparison.tests
    if (!one || !other) throw new Error('A comparison has two tests')
    return {
      ...comparison,
      task: 'detection' as const,
      tests: [
        { ...one, metrics: { precision: 0.4, ...first }, perClass: boxes(value) },
        { ...other, metrics: { precision: 0.5, microF1: 0.6 }, perClass: boxes(0.5) },
      ],
    }
  }
  const render = (comparison: Answer<'runs/compare'>) =>
    renderPart(<CompareView comparison={comparison} networkName={(name) => name} />)

  it('are named as on the page of a test: what a mean is a mean of', async () => {
    render(compared({ microF1: 0.5 }, 0))
    expect(
      await screen.findByRole('row', { name: /^Precision, mean over 2 classes 0\.400 0\.500$/ }),
    ).toBeVisible()
  })

  it('say under each figure what it is a mean of where the tests differ in it', async () => {
    render(compared({}, null))
    expect(
      await screen.findByRole('row', {
        name: /^Precision 0\.400 ?Precision, mean over 1 of 2 classes 0\.500 ?Precision, mean over 2 classes$/,
      }),
    ).toBeVisible()
  })
})

describe('tests that cannot be compared', () => {
  it('say why and lead back, without another try', async () => {
    serve({
      'runs/compare': () => {
        throw new Refusal('compare_other_data')
      },
      'runs/detail': () => makeDetail(makeDone({ kind: 'test' })),
    })
    renderPart(<ComparePage />, '/compare?runs=a,b')
    expect(await screen.findByText(/^These tests used different images\./)).toBeVisible()
    expect(screen.getByRole('heading', { name: 'These tests cannot be compared' })).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Back to the project' })).toHaveAttribute(
      'href',
      '/projectDetail?id=project-1',
    )
    expect(screen.getByRole('link', { name: 'Choose other tests' })).toHaveAttribute(
      'href',
      '/compare?project=project-1',
    )
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})

describe('where the network looked', () => {
  it('lies over the opened picture and can be taken away', async () => {
    const run = makeDone({ kind: 'test', classes: ['healthy', 'ill'] })
    const item = makeItem({ heat: '/heat.png', probabilities: [0.8, 0.2] })
    renderPart(<ItemGallery items={[item]} run={run} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Enlarge a.png' }))
    expect(await screen.findByText(/It shows where the network looked, not why/)).toHaveTextContent(
      '“healthy”',
    )
    const heat = /that spoke for “healthy”/
    expect(screen.getByAltText(heat)).toHaveAttribute('src', '/heat.png')
    await userEvent.click(screen.getByRole('switch', { name: /Show where/ }))
    expect(screen.queryByAltText(heat)).toBeNull()
    expect(screen.getByRole('slider', { name: 'Strength' })).toHaveAttribute('aria-disabled', 'true')
  })

  it('is not offered for a picture without', async () => {
    renderPart(<ItemGallery items={[makeItem()]} run={makeDone({ kind: 'test' })} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Enlarge a.png' }))
    expect(screen.queryByRole('switch')).toBeNull()
  })
})
