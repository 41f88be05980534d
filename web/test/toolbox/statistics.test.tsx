import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answerIn } from '../../src/features/toolbox/statistics/analyses/answer-in.ts'
import { isAnswer, type Outcome } from '../../src/features/toolbox/statistics/answer.ts'
import { Bench } from '../../src/features/toolbox/statistics/bench.tsx'
import { readText } from '../../src/features/toolbox/statistics/read-table.ts'
import {
  inputsOf,
  noSettings,
  type Settings,
  settingsOf,
} from '../../src/features/toolbox/statistics/settings.ts'
import { Statistics } from '../../src/pages/toolbox/statistics.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

const use = {
  id: 'use-1',
  tool: 'statistics',
  title: '',
  inputs: {},
  jobId: null,
  usedAt: '2026-11-20T08:00:00.000Z',
} as const
const user = userEvent.setup({ pointerEventsCheck: 0 })
/** Lists that were open before stay in the page; the newest is the one. */
const choose = async (label: string, option: string) => {
  await user.click(screen.getByRole('combobox', { name: label }))
  const options = (await screen.findAllByText(option)).filter((one) => one.closest('.ant-select-item-option'))
  const found = options.at(-1)
  if (found) await user.click(found)
}
const paste = async (text: string) => {
  await userEvent.click(screen.getByRole('textbox', { name: /paste a table/ }))
  await userEvent.paste(text)
}

/** 87 of 100 ill ones are found, 12 of 60 healthy ones are called ill. */
const patients = [
  ...Array.from({ length: 87 }, () => 'yes\tpos'),
  ...Array.from({ length: 13 }, () => 'yes\tneg'),
  ...Array.from({ length: 12 }, () => 'no\tpos'),
  ...Array.from({ length: 48 }, () => 'no\tneg'),
]

describe('the statistics bench', () => {
  it('answers in a sentence what a pasted table says of a test, and sends none of it', async () => {
    const received = serve({ 'toolbox/record': () => use })
    renderPart(<Statistics />)
    expect(await screen.findByText(/leave it for nowhere/)).toBeVisible()
    await paste(['disease\tresult', ...patients].join('\n'))
    expect(screen.getByText('160 rows, 2 columns')).toBeVisible()
    await choose('What is true', 'disease')
    await choose('What the test says', 'result')
    await userEvent.click(screen.getByRole('button', { name: 'Calculate' }))
    expect(
      await screen.findByText(
        'Of 100 ill people the test finds 87: sensitivity 87% (95 % interval 79% to 92%).',
      ),
    ).toBeVisible()
    expect(screen.getByText(/Of 60 healthy people it calls 48 healthy/)).toBeVisible()
    expect(screen.getAllByText('Exact interval (Clopper–Pearson)').length).toBeGreaterThan(0)
    expect(screen.getByText(/No column says whose row it is/)).toBeVisible()
    await waitFor(() => expect(received).toHaveLength(1))
    expect(received[0]?.body).toEqual({
      tool: 'statistics',
      title: '',
      inputs: { analysis: 'accuracy', pairing: 'same', weights: 'none' },
    })
  })

  it('takes four counts instead, and warns of an empty cell', async () => {
    serve({ 'toolbox/record': () => use })
    renderPart(<Statistics />)
    await userEvent.click(await screen.findByText('Type four counts'))
    const type = async (name: string, count: string) => {
      const field = screen.getByRole('spinbutton', { name })
      await userEvent.clear(field)
      await userEvent.type(field, count)
    }
    await type('Ill, test positive', '10')
    await type('Healthy, test negative', '20')
    await userEvent.click(screen.getByRole('button', { name: 'Calculate' }))
    expect(await screen.findByText(/Of 10 ill people the test finds 10/)).toBeVisible()
    expect(screen.getByText(/a half was added to each/)).toBeVisible()
  })

  it('says what is missing before it answers', async () => {
    serve({})
    renderPart(<Statistics />)
    await userEvent.click(await screen.findByRole('button', { name: 'Calculate' }))
    expect(screen.getByText('Please paste or open a table first.')).toBeVisible()
    await paste('a\tb\n1\t2')
    await userEvent.click(screen.getByRole('button', { name: 'Calculate' }))
    expect(screen.getByText('Please choose the columns first.')).toBeVisible()
  })

  it('draws a ROC curve and gives its numbers as CSV', async () => {
    const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
    serve({ 'toolbox/record': () => use })
    renderPart(<Statistics />)
    await screen.findByText(/leave it for nowhere/)
    await choose('What would you like to know?', 'How well does a measurement tell ill from healthy?')
    await paste('who;ill;marker\n1;1;9\n2;1;8\n3;0;8,5\n4;0;2\n5;1;7\n6;0;1')
    await choose('What is true', 'ill')
    await choose('Measurement', 'marker')
    await choose('Whose row it is (may be left out)', 'who')
    await userEvent.click(screen.getByRole('button', { name: 'Calculate' }))
    expect(await screen.findByRole('img', { name: 'ROC curve' })).toBeVisible()
    expect(screen.getByText(/the ill one has the higher value in 78%/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Numbers as CSV' }))
    expect(saved).toHaveBeenCalledOnce()
    vi.restoreAllMocks()
  })

  it('tells how many patients a study needs', async () => {
    serve({ 'toolbox/record': () => use })
    renderPart(<Statistics />)
    await screen.findByText(/leave it for nowhere/)
    await choose('What would you like to know?', 'How many patients does a study need?')
    await choose('What should the study tell?', 'Whether two groups differ in a share')
    await userEvent.click(screen.getByRole('button', { name: 'Calculate' }))
    expect(await screen.findByText(/The study needs 242 people: 121 in one group/)).toBeVisible()
  })

  it('opens a table of the cloud again with the columns of before', async () => {
    const before: Settings = { ...noSettings('blandAltman'), columns: { first: 'a', second: 'b' } }
    const inputs = inputsOf(before, 'file-1')
    expect(settingsOf(inputs)).toEqual(before)
    serve({ 'files/open': () => ({ url: 'http://x/AI/api/table.csv', name: 't.csv', sizeBytes: 9 }) })
    const bare = fetch
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
      String(url).endsWith('.csv') ? new Response('a,b\n1,2\n2,3\n3,5') : bare(url, init),
    )
    renderPart(<Bench inputs={inputs} picker={() => null} />)
    expect(await screen.findByText('3 rows, 2 columns')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Calculate' }))
    expect(await screen.findByText(/On average “a” differs from “b” by/)).toBeVisible()
  })
})

const answer = (text: string, settings: Partial<Settings> & Pick<Settings, 'analysis'>): Outcome =>
  answerIn(readText(text), { ...noSettings(settings.analysis), ...settings })
const keysOf = (outcome: Outcome): string[] =>
  isAnswer(outcome) ? outcome.sentences.map(({ key }) => key) : [outcome.problem.key]
const warned = (outcome: Outcome): string[] =>
  isAnswer(outcome) ? outcome.warnings.map(({ key }) => key) : []

describe('an answer', () => {
  const readers = 'a,b,c\n1,1,2\n2,2,2\n3,3,3\n1,2,1\n2,2,3\n3,3,3'

  it.each<[string, string, Partial<Settings> & Pick<Settings, 'analysis'>, string[]]>([
    [
      'two tests',
      't,a,b\n1,1,0\n1,1,1\n0,0,0\n0,0,1',
      {
        analysis: 'compareTests',
        columns: { truth: 't', first: 'a', second: 'b' },
        yes: { truth: '1', first: '1', second: '1' },
      },
      ['compare.sensitivity.unclear', 'compare.specificity.unclear'],
    ],
    [
      'two measurements',
      't,a,b\n1,5,1\n1,4,2\n0,1,3\n0,2,5',
      { analysis: 'compareRoc', columns: { truth: 't', first: 'a', second: 'b' }, yes: { truth: '1' } },
      ['areas.both', 'areas.unclear'],
    ],
    [
      'two groups of measurements',
      't,a,g\n1,5,x\n0,4,x\n1,5,y\n0,6,y',
      {
        analysis: 'compareRoc',
        pairing: 'groups',
        columns: { truth: 't', score: 'a', group: 'g' },
        yes: { truth: '1' },
      },
      ['areas.both', 'areas.first'],
    ],
    ['two readers', readers, { analysis: 'kappa', several: ['a', 'b'] }, ['agreed', 'kappa.substantial']],
    ['three readers', readers, { analysis: 'kappa', several: ['a', 'b', 'c'] }, ['agreed', 'kappa.moderate']],
    [
      'readers who measure',
      readers,
      { analysis: 'icc', several: ['a', 'b', 'c'] },
      ['icc.share', 'icc.poor'],
    ],
    [
      'two ways to measure',
      'a,b\n1,1\n2,3\n3,3\n4,5',
      { analysis: 'blandAltman', columns: { first: 'a', second: 'b' } },
      ['bias.unclear', 'limits', 'slope.steady'],
    ],
    [
      'before and after',
      'a,b\n1,2\n2,3\n3,4.1',
      { analysis: 'means', columns: { first: 'a', second: 'b' } },
      ['means.clear'],
    ],
    [
      'two groups',
      'v,g\n1,x\n2,x\n3,x\n1,y\n2,y\n4,y',
      { analysis: 'means', pairing: 'groups', columns: { value: 'v', group: 'g' } },
      ['means.unclear', 'ranks.unclear'],
    ],
    [
      'no number',
      'v,g\nhigh,x\n2,y',
      { analysis: 'means', pairing: 'groups', columns: { value: 'v', group: 'g' } },
      ['noNumber'],
    ],
    [
      'three groups',
      'v,g\n1,x\n2,y\n3,z',
      { analysis: 'means', pairing: 'groups', columns: { value: 'v', group: 'g' } },
      ['twoGroups'],
    ],
    [
      'one side alone',
      't,a\n1,5\n1,6',
      { analysis: 'roc', columns: { truth: 't', score: 'a' }, yes: { truth: '1' } },
      ['oneSide'],
    ],
    [
      'the same column twice',
      'a,b\n1,2',
      { analysis: 'blandAltman', columns: { first: 'a', second: 'a' } },
      ['sameColumn'],
    ],
  ])('on %s has its sentences', (_, text, settings, keys) => {
    expect(keysOf(answer(text, settings))).toEqual(keys)
  })

  it('turns the scale where lower values speak for illness', () => {
    const found = answer('t,a\n1,1\n1,2\n0,3\n0,4', {
      analysis: 'roc',
      columns: { truth: 't', score: 'a' },
      yes: { truth: '1' },
    })
    expect(keysOf(found)).toEqual(['area.lower', 'cut.lower'])
    expect(warned(found)).toContain('perfect')
  })

  it('warns of few people, ties, repeated patients and rows left out', () => {
    const found = answer('p,t,a\nx,1,1\nx,1,2\ny,0,1\nz,0,2\nz,0,', {
      ...{ analysis: 'roc', columns: { truth: 't', score: 'a' }, yes: { truth: '1' }, patient: 'p' },
    })
    expect(warned(found)).toEqual(['left', 'repeated', 'fewSides', 'ties'])
  })
})
