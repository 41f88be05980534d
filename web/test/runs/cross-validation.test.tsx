import type { Evidence } from '@neuroloom/contract/evidence'
import { languages } from '@neuroloom/contract/language'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setLanguage } from '../../src/lib/i18n.ts'
import { RunPage } from '../../src/pages/run.tsx'
import { SplitChoice } from '../../src/ui/split-choice.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDataset, makeDetail, makeDone, makeItem, makeProject } from './runs-make.ts'

vi.mock('socket.io-client', () => import('./runs-live.ts'))

beforeEach(() => signIn(makeUser()))

const words = {
  en: {
    cross: 'Cross-validation Recommended',
    why: /^Each image is tested once, by a network that was not trained on it.*5 trainings instead of one, 30 mins in all$/,
    report: /Report/,
    once: /each image was tested once, by a network that had not been trained on it/,
    stopped: /Stopped before all 5 folds had been trained/,
    handedOut: /trained on the images of the other folds, not on all/,
  },
  zh: {
    cross: '交叉验证 推荐',
    why: /^每张图像由未用其训练的网络测试一次.*训练 5 次而不是一次/,
    report: /报告/,
    once: /每张图像由未用其训练的网络测试一次/,
    stopped: /在 5 折全部训练完之前被停止/,
    handedOut: /用其他各折的图像训练，而不是用全部图像/,
  },
  ru: {
    cross: 'Перекрёстная проверка Рекомендуется',
    why: /^Каждый снимок проверяется один раз сетью, которая на нём не училась.*Обучений: 5 вместо одного/,
    report: /Отчёт/,
    once: /каждый снимок проверен один раз сетью, которая на нём не училась/,
    stopped: /Остановлено раньше, чем обучены все фолды \(5\)/,
    handedOut: /училась на снимках остальных фолдов, а не на всех/,
  },
}

const evidence: Evidence = {
  ...{ v: 1, items: 40, groups: 40, method: 'score', resamples: 0 },
  ...{ intervals: { accuracy: [0.8, 0.95] }, perClass: [], curves: [], calibration: null, surfaces: [] },
  ...{ decisions: [], detections: [], gains: [], heat: null, cross: null },
}

describe.each(languages)('cross-validation in %s', (language) => {
  beforeEach(() => setLanguage(language))

  it('is the first choice, recommended with its reason and cost', async () => {
    const { facts } = makeDataset()
    if (!facts) throw new Error('The data set has no facts')
    renderPart(
      <SplitChoice
        facts={facts}
        cross={{ splits: 5, seed: 7 }}
        ratio={{ train: 4, test: 1 }}
        seconds={{ cross: 1800, single: 360 }}
        isCross={false}
        onChoose={() => undefined}
      />,
    )
    const [first, second] = await screen.findAllByRole('radio')
    expect(first).toHaveAccessibleName(words[language].cross)
    expect(first).toHaveAccessibleDescription(words[language].why)
    expect(second).toBeChecked()
  })

  it.each([
    ['done', evidence, true],
    ['done', null, false],
    ['stopped', evidence, false],
  ] as const)('that is %s says what was tested by whom, and leads to its report', async (...row) => {
    const [state, found, hasReport] = row
    const isWhole = state === 'done'
    const run = makeDone({ state, validation: { method: 'kfold', splits: 5, seed: 7 } })
    const received = serve({
      'runs/detail': () => makeDetail(run),
      'runs/evidence': () => ({ evidence: found }),
      'runs/items': () => ({ items: [], next: null, total: 0 }),
      'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
      'projects/detail': () => ({ ...makeProject(), files: [] }),
      'datasets/list': () => ({ datasets: [] }),
    })
    renderPart(<RunPage />, '/run?id=run-1')
    expect(await screen.findByText(isWhole ? words[language].once : words[language].stopped)).toBeVisible()
    // Of a training that was stopped nobody knows whether each picture had its turn.
    expect(screen.queryAllByText(words[language].once)).toHaveLength(isWhole ? 1 : 0)
    expect(screen.queryAllByText(words[language].handedOut)).toHaveLength(isWhole ? 1 : 0)
    const header = within(document.body)
    if (hasReport) expect(await header.findByRole('button', { name: words[language].report })).toBeVisible()
    else {
      await vi.waitFor(() => expect(received.some(({ path }) => path === 'runs/evidence')).toBe(true))
      expect(header.queryByRole('button', { name: words[language].report })).toBeNull()
    }
  })
})

it('shows its images, and of a cell that is pressed those alone', async () => {
  setLanguage('en')
  const run = makeDone({ validation: { method: 'kfold', splits: 5, seed: 7 } })
  const received = serve({
    'runs/detail': () => makeDetail(run),
    'runs/evidence': () => ({ evidence }),
    'runs/items': () => ({ items: [makeItem()], next: null, total: 1 }),
    'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
    'projects/detail': () => ({ ...makeProject(), files: [] }),
    'datasets/list': () => ({ datasets: [] }),
  })
  renderPart(<RunPage />, '/run?id=run-1')
  expect(await screen.findByRole('button', { name: 'Enlarge a.png' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: /^3\s*15%$/ }))
  const asked = () => received.filter(({ path }) => path === 'runs/items').map(({ body }) => body)
  await vi.waitFor(() => expect(asked()).toHaveLength(2))
  expect(asked()).toEqual([
    { id: 'run-1', order: 'worst', after: 0 },
    { id: 'run-1', order: 'worst', after: 0, cell: { truth: 1, named: 0 } },
  ])
})
