import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { directionOf } from '../../src/features/flow/study/direction-of.ts'
import { Flow } from '../../src/pages/flow.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDetail, makeHead, makeLook } from './make-study.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

const address = '/flow?study=study-1'
const make = () => screen.findByRole('button', { name: 'Make the study' })

describe('the table of what was recognised', () => {
  it('is made as it is where nothing was guessed', async () => {
    const study = makeDetail({ state: 'asked', look: makeLook() })
    const received = serve({ 'flow/study': () => study, 'flow/settle': () => study })
    renderPart(<Flow />, address)
    const button = await make()
    expect(button).toHaveAccessibleDescription('Everything is settled.')
    const row = within(screen.getByRole('row', { name: /Flow FH/ }))
    expect(row.getByText('feet → head')).toBeInTheDocument()
    expect(row.getByText('150')).toBeInTheDocument()
    expect(row.queryByRole('combobox')).toBeNull()
    await userEvent.click(button)
    await waitFor(() => expect(sentTo(received)).toEqual({ id: 'study-1', answer: { series: [] } }))
  })

  it('waits until each guess is confirmed and each gap is filled', async () => {
    const look = makeLook({ rl: { unsure: ['direction'] }, fh: { venc: null, unsure: ['venc'] } })
    const study = makeDetail({ state: 'asked', look })
    const received = serve({ 'flow/study': () => study, 'flow/settle': () => study })
    const person = userEvent.setup()
    renderPart(<Flow />, address)
    const button = await make()
    expect(button).toBeDisabled()
    expect(button).toHaveAccessibleDescription('2 questions in the table have no answer yet.')
    await person.click(screen.getByRole('button', { name: 'It is right: Positive values go: Flow RL' }))
    expect(button).toHaveAccessibleDescription('1 question in the table has no answer yet.')
    await person.type(screen.getByLabelText('VENC, cm/s: Flow FH'), '180')
    await waitFor(() => expect(button).toBeEnabled())
    await person.click(button)
    await waitFor(() =>
      expect(sentTo(received)).toEqual({
        id: 'study-1',
        answer: {
          series: [
            { id: 'rl', direction: 'RL' },
            { id: 'fh', venc: 1.8 },
          ],
        },
      }),
    )
  })

  it('takes all guesses at once, and one VENC for all, on a press', async () => {
    const look = makeLook({
      rl: { unsure: ['direction', 'unit'] },
      ap: { unsure: ['direction'], venc: null },
      fh: { venc: null },
    })
    serve({ 'flow/study': () => makeDetail({ state: 'asked', look }) })
    const person = userEvent.setup()
    renderPart(<Flow />, address)
    await person.click(await screen.findByRole('button', { name: 'Confirm all 3 guesses' }))
    await person.click(screen.getByRole('button', { name: 'Take 150 cm/s for all velocities' }))
    expect(await make()).toBeEnabled()
    expect(screen.queryByRole('button', { name: /Confirm|Take/ })).toBeNull()
  })

  it('lets a person change what the files told, and says when two directions are one', async () => {
    serve({ 'flow/study': () => makeDetail({ state: 'asked', look: makeLook() }) })
    const person = userEvent.setup()
    renderPart(<Flow />, address)
    await person.click(await screen.findByRole('checkbox', { name: 'Change what the files told, too' }))
    await choose(person, 'Positive values go: Flow AP', 'left → right')
    expect(await screen.findByText('Two series measure along one line: left → right.')).toBeInTheDocument()
    const button = await make()
    expect(button).toBeDisabled()
    expect(button).toHaveAccessibleDescription('A problem stands in the way: it is told above.')
    await choose(person, 'What it is: Flow AP', 'Not used')
    expect(await screen.findByText(/in 2 of three directions/)).toBeInTheDocument()
    expect(screen.queryByLabelText('Positive values go: Flow AP')).toBeNull()
  })

  it('tells problems with what helps, those in the way first, in words and units', async () => {
    const look = makeLook(
      {},
      {
        problems: [
          { reason: 'one_time', params: {}, isBlocking: false },
          { reason: 'too_large', params: { bytes: 3_221_225_472, most: 2_147_483_648 }, isBlocking: true },
          {
            reason: 'unreadable',
            params: { name: 'flow.h5', why: 'truncated' },
            isBlocking: true,
          },
        ],
      },
    )
    serve({ 'flow/study': () => makeDetail({ state: 'asked', look }) })
    renderPart(<Flow />, address)
    const list = within((await screen.findByText('What we noticed')).closest('section') ?? document.body)
    const items = list.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(items[0]).toContain('The study would take 3 GB; 2 GB is the most.')
    expect(items[1]).toContain('“flow.h5” cannot be read: it ends too early')
    expect(items[2]).toContain('Good to know')
    expect(await make()).toBeDisabled()
  })

  it('asks of a single moment for no beat', async () => {
    const one = { frames: 1 }
    const look = makeLook({ rl: one, ap: one, fh: one, mag: one }, { times: null, period: null })
    serve({ 'flow/study': () => makeDetail({ state: 'asked', look }) })
    renderPart(<Flow />, address)
    expect(await screen.findByText('2 × 2 × 2.5 mm')).toBeVisible()
    expect(screen.queryByLabelText('Length of a beat (RR), ms')).toBeNull()
    expect(screen.queryByText(/no volume a beat/)).toBeNull()
  })

  it('ties beat and heart rate, and asks for what the files do not tell', async () => {
    const look = makeLook(
      {},
      {
        times: null,
        period: null,
        spacing: null,
        problems: [
          { reason: 'times_unknown', params: {}, isBlocking: true },
          { reason: 'spacing_unknown', params: {}, isBlocking: true },
        ],
      },
    )
    const study = makeDetail({ state: 'asked', look })
    const received = serve({ 'flow/study': () => study, 'flow/settle': () => study })
    const person = userEvent.setup()
    renderPart(<Flow />, address)
    await person.type(await screen.findByLabelText('Heart rate, beats a minute'), '75')
    expect(screen.getByLabelText('Length of a beat (RR), ms')).toHaveValue('800')
    expect(screen.getByText('40 ms, frames spread evenly over the beat')).toBeInTheDocument()
    expect(await make()).toBeDisabled()
    for (const axis of [1, 2, 3]) await person.type(screen.getByLabelText(`Side ${axis} of a voxel, mm`), '2')
    await person.click(await make())
    await waitFor(() =>
      expect(sentTo(received)).toMatchObject({ answer: { period: 0.8, spacing: [2, 2, 2] } }),
    )
  })
})

it('files without a series have no table: what to open instead is said', async () => {
  const look = makeLook(
    {},
    { series: [], problems: [{ reason: 'no_velocity', params: {}, isBlocking: true }] },
  )
  serve({ 'flow/study': () => makeDetail({ state: 'asked', look }) })
  renderPart(<Flow />, address)
  expect(await screen.findByText('No images of a scan were found in these files')).toBeInTheDocument()
  expect(screen.queryByRole('table')).toBeNull()
})

describe('a study that is there', () => {
  it('says what it is, and is settled anew with every answer open', async () => {
    const answer = { series: [{ id: 'rl', direction: 'LR' as const }] }
    const study = makeDetail({ look: makeLook(), answer, head: makeHead({ venc: [1.5, 1.5, 2] }) })
    const received = serve({ 'flow/study': () => study, 'flow/settle': () => study })
    const person = userEvent.setup()
    renderPart(<Flow />, address)
    expect(await screen.findByText('840 ms (71/min)')).toBeInTheDocument()
    expect(screen.getByText('right → left 150 · front → back 150 · feet → head 200 cm/s')).toBeInTheDocument()
    await person.click(screen.getByRole('button', { name: 'Settle again' }))
    await choose(person, 'Positive values go: Flow RL', 'right → left')
    await person.click(screen.getByRole('button', { name: 'Make it again' }))
    await waitFor(() =>
      expect(sentTo(received)).toEqual({
        id: 'study-1',
        answer: { series: [{ id: 'rl', direction: 'RL' }] },
      }),
    )
  })

  it('of a known flow says how it was measured, and has nothing to settle', async () => {
    const scan = { side: 32, spacing: 2, frames: 20, venc: 150, snr: 100 }
    const study = makeDetail({
      source: 'phantom',
      head: makeHead({ source: 'phantom', vendor: null }),
      phantom: { name: 'womersley', scan },
    })
    serve({ 'flow/study': () => study })
    renderPart(<Flow />, address)
    expect(await screen.findByText('Known flow · Pulsating pipe flow')).toBeInTheDocument()
    expect(screen.getByText('no noise')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Settle again' })).toBeNull()
  })

  it('failed says why and is tried again', async () => {
    const problems = [{ reason: 'no_velocity' as const, params: {}, isBlocking: true }]
    const study = makeDetail({ state: 'failed', failure: 'flow_refused', problems })
    const received = serve({ 'flow/study': () => study, 'flow/retry': () => study })
    renderPart(<Flow />, address)
    expect(await screen.findByText('None of these series holds velocities.')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Settle again' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(received.some(({ path }) => path === 'flow/retry')).toBe(true))
  })
})

describe('the direction of a component', () => {
  it('is that of the patient where the grid is placed, else of the grid', () => {
    const placed = makeHead()
    expect(directionOf([1, 0, 0], placed)).toBe('RL')
    expect(directionOf([0, -1, 0.2], placed)).toBe('PA')
    expect(directionOf([0, 0, -1], placed)).toBe('HF')
    expect(directionOf([0.1, -1, 0], makeHead({ isPlaced: false }))).toBe('-y')
  })
})

async function choose(person: ReturnType<typeof userEvent.setup>, label: string, option: string) {
  await person.click(await screen.findByRole('combobox', { name: label }))
  const options = await screen.findAllByText(option, { selector: '.ant-select-item-option-content' })
  // Lists that were closed stay in the document; the one just opened comes last.
  await person.click(options.at(-1) ?? document.body)
}

const sentTo = (received: ReturnType<typeof serve>) =>
  received.find(({ path }) => path === 'flow/settle')?.body
