import type { Answer } from '@neuroloom/contract/calls'
import type { Announcement, OfficeRun } from '@neuroloom/contract/office/operations'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AnnouncementBanner } from '../../src/features/operations/announcement-banner.tsx'
import { Admin } from '../../src/pages/admin.tsx'
import { makeSetting, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { type Received, serve } from '../serve.ts'
import { dialogOf } from './make-orders.ts'

const GB = 1024 ** 3
const settings = { 'setting/public': () => makeSetting() }

const bodiesOf = (received: readonly Received[], path: string) =>
  received.filter((one) => one.path === path).map(({ body }) => body)

const overview = (): Answer<'office/overview'> => ({
  version: '1.2.3',
  members: { total: 41, activeWeek: 12, blocked: 1 },
  storage: { files: 900, bytes: 3 * GB },
  disk: { freeBytes: 20 * GB, totalBytes: 200 * GB, reserveBytes: 4 * GB },
  machine: { cores: 8, load: 2, memoryBytes: 32 * GB, freeMemoryBytes: 16 * GB, upSeconds: 7200 },
  databaseBytes: GB,
  queue: { waiting: 3, running: 1, paused: 0 },
  kinds: [{ kind: 'train', waiting: 3, running: 1, paused: 0 }],
  jobs: [{ name: 'datasets.recognise', waiting: 2, running: 0 }],
  failures: {
    runs: [
      {
        ...{ id: 'r9', kind: 'test', number: 7, endedAt: '2026-11-20T08:00:00.000Z' },
        error: { code: 'out_of_memory', params: { tryBatch: 4 } },
      },
    ],
    jobs: [{ name: 'files.convert', at: '2026-11-20T07:00:00.000Z' }],
  },
  history: {
    since: '2026-11-20T08:57:30.000Z',
    samples: [
      { at: '2026-11-20T08:58:30.000Z', processor: 0.25, memory: 0.5, waiting: 3, running: 1 },
      { at: '2026-11-20T08:59:30.000Z', processor: 0.75, memory: 0.5, waiting: 2, running: 1 },
    ],
  },
  devices: [
    {
      ...{ worker: 'w1', kind: 'cuda', number: 0, memoryBytes: 24 * GB, seenAt: '2026-11-20T09:00:00.000Z' },
      ...{ isThere: true, runs: 1 },
    },
  ],
  days: [
    { day: '2026-11-19', newMembers: 2, endedRuns: 5, failedRuns: 1, storedBytes: GB, paidFen: 500_000 },
    { day: '2026-11-20', newMembers: 0, endedRuns: 1, failedRuns: 1, storedBytes: 0, paidFen: 0 },
  ],
})

const run = (changes: Partial<OfficeRun> = {}): OfficeRun => ({
  id: 'r1',
  kind: 'train',
  number: 4,
  task: 'segmentation',
  state: 'queued',
  member: { nickName: 'Ward nurse', account: 'nurse@hospital.org' },
  network: 'unet_small',
  ownNetworkName: null,
  position: 2,
  isPreferred: false,
  isStopping: false,
  share: null,
  foreseenSeconds: 300,
  worker: null,
  error: null,
  queuedAt: '2026-11-20T09:00:00.000Z',
  startedAt: null,
  endedAt: null,
  ...changes,
})

const announcement = (changes: Partial<Announcement> = {}): Announcement => ({
  id: 'a1',
  kind: 'warning',
  texts: { en: 'Maintenance at 20:00', zh: '', ru: '' },
  startsAt: '2026-11-20T09:00:00.000Z',
  endsAt: '2096-11-20T09:00:00.000Z',
  ...changes,
})

it('the overview shows figures, warns of a full disk and draws the last days', async () => {
  signIn({ role: 2 })
  serve({ ...settings, 'office/overview': overview })
  renderPart(<Admin />, '/admin?part=overview')
  expect(await screen.findByText('41')).toBeVisible()
  expect(screen.getByText('12 active this week · 1 blocked')).toBeVisible()
  expect(screen.getByRole('meter', { name: /Disk/ })).toHaveAttribute('aria-valuetext', '90%')
  const bars = screen.getByRole('figure', { name: 'Finished runs (failed in red)' })
  expect(within(bars).getByRole('row', { name: /19 Nov 2026 5/ })).toBeInTheDocument()
  expect(within(bars).getByText('6')).toBeVisible()
})

it('the overview shows the last hour as far as the server remembers it, and says since when', async () => {
  signIn({ role: 2 })
  serve({ ...settings, 'office/overview': overview })
  renderPart(<Admin />, '/admin?part=overview')
  const hour = await screen.findByRole('region', { name: 'The last hour' })
  expect(within(hour).getByText(/since the server process started on 20 Nov 2026/)).toBeVisible()
  const processor = within(hour).getByRole('figure', { name: 'Processor' })
  const shares = within(processor).getAllByRole('row').slice(1)
  expect(shares.map((row) => within(row).getAllByRole('cell')[1]?.textContent)).toEqual(['25%', '75%'])
  const waiting = within(hour).getByRole('figure', { name: 'Runs waiting or in progress' })
  expect(within(waiting).getByText('3', { selector: 'strong' })).toBeVisible()
})

it('the overview says that there is no reading yet, instead of drawing one', async () => {
  signIn({ role: 2 })
  const none = { since: '2026-11-20T08:57:30.000Z', samples: [] }
  serve({ ...settings, 'office/overview': () => ({ ...overview(), history: none }) })
  renderPart(<Admin />, '/admin?part=overview')
  const hour = await screen.findByRole('region', { name: 'The last hour' })
  expect(within(hour).getByText(/first reading comes a minute later/)).toBeVisible()
  expect(within(hour).queryByRole('figure')).toBeNull()
})

it('the overview names what waits by its kind, and what failed last with its reason', async () => {
  signIn({ role: 2 })
  serve({ ...settings, 'office/overview': overview })
  renderPart(<Admin />, '/admin?part=overview')
  const queues = await screen.findByRole('region', { name: 'Queues' })
  expect(within(queues).getByRole('row', { name: 'Training 1 3 0' })).toBeVisible()
  expect(within(queues).getByRole('row', { name: 'datasets.recognise 0 2' })).toBeVisible()
  const errors = screen.getByRole('region', { name: 'Last errors' })
  expect(within(errors).getByText('Test 7:')).toBeVisible()
  expect(within(errors).getByText(/The memory of the device was not enough/)).toBeVisible()
  expect(within(errors).getByText('files.convert')).toBeVisible()
})

it('a waiting run is moved to the front, and stopped after a question', async () => {
  signIn({ role: 2 })
  const received = serve({
    ...settings,
    'office/runs': () => ({ runs: [run()], total: 1, pageSize: 20 }),
    'office/preferRun': () => ({}),
    'office/stopRun': () => ({}),
  })
  renderPart(<Admin />, '/admin?part=jobs')
  const row = await screen.findByRole('row', { name: /Training 4/ })
  expect(within(row).getByText('place 2 · about 5m 0s in total')).toBeVisible()
  await userEvent.click(within(row).getByRole('button', { name: 'Move to front' }))
  await waitFor(() =>
    expect(bodiesOf(received, 'office/preferRun')).toEqual([{ id: 'r1', isPreferred: true }]),
  )
  await userEvent.click(within(row).getByRole('button', { name: 'Stop …' }))
  const dialog = await dialogOf('Stop Training 4 of Ward nurse?')
  await userEvent.click(dialog.getByRole('button', { name: 'Stop now' }))
  await waitFor(() => expect(bodiesOf(received, 'office/stopRun')).toEqual([{ id: 'r1' }]))
})

it('a failed run says why in words, and which network it was', async () => {
  signIn({ role: 2 })
  const failed = run({
    state: 'failed',
    position: null,
    error: { code: 'out_of_memory', params: { tryBatch: 4 } },
    endedAt: '2026-11-20T09:10:00.000Z',
  })
  serve({ ...settings, 'office/runs': () => ({ runs: [failed], total: 1, pageSize: 20 }) })
  renderPart(<Admin />, '/admin?part=jobs&state=failed')
  const row = await screen.findByRole('row', { name: /Training 4/ })
  expect(within(row).getByText('The memory of the device was not enough.')).toBeVisible()
  expect(within(row).queryByText('unet_small')).toBeNull()
})

it('an announcement needs a text', async () => {
  signIn({ role: 2 })
  const received = serve({
    ...settings,
    'office/announcements': () => ({ announcements: [announcement()] }),
    'office/announce': () => announcement(),
  })
  renderPart(<Admin />, '/admin?part=announcements')
  expect(await screen.findByText('Maintenance at 20:00')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'New announcement' }))
  const dialog = await screen.findByRole('dialog')
  const save = within(dialog).getByRole('button', { name: 'Announce' })
  expect(save).toBeDisabled()
  await userEvent.type(within(dialog).getByLabelText('In English'), 'New version')
  await userEvent.click(save)
  await waitFor(() =>
    expect(bodiesOf(received, 'office/announce')).toMatchObject([
      { texts: { en: 'New version', zh: '', ru: '' } },
    ]),
  )
})

it('what is announced stands above the page until it is closed, and stays closed', async () => {
  signIn()
  serve({ 'announcements/current': () => ({ announcements: [announcement()] }) })
  const { unmount } = renderPart(<AnnouncementBanner />, '/mangeHome')
  expect(await screen.findByText('Maintenance at 20:00')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Close this announcement' }))
  expect(screen.queryByText('Maintenance at 20:00')).toBeNull()
  unmount()
  renderPart(<AnnouncementBanner />, '/mangeHome')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Announcements' })).toBeNull())
})

it('the schedule of backups says its hour by the clock of the reader, and is saved', async () => {
  signIn({ role: 2 })
  const plan = { every: 'day', hour: 2, keep: 14 } as const
  const received = serve({
    ...settings,
    'office/backups': () => ({ isSetUp: true, plan, backups: [] }),
    'office/backupPlan': () => ({}),
  })
  renderPart(<Admin />, '/admin?part=backups')
  const keep = await screen.findByRole('spinbutton', { name: 'Backups to keep' })
  expect(screen.getByText(/^2:00 UTC is .+ here\./)).toBeVisible()
  await userEvent.clear(keep)
  await userEvent.type(keep, '7')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(bodiesOf(received, 'office/backupPlan')).toEqual([{ ...plan, keep: 7 }]))
})
