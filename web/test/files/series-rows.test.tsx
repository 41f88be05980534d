import type { Entry } from '@neuroloom/contract/files'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { CloudFile } from '../../src/pages/cloud/cloud-file.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { type Received, serve } from '../serve.ts'

beforeEach(() => signIn())

const makeEntry = (name: string, more: Partial<Entry> = {}): Entry => ({
  ...{ id: name, kind: 'file', name, type: 'dcm', sizeBytes: 2 * 1024 ** 2, fileCount: 0 },
  ...{ modifiedAt: '2026-11-20T08:00:00.000Z', modifiedBy: 'Radiology', shared: false, thumbnail: '/thumb' },
  ...more,
})
const slices = [1, 2, 3].map((number) => makeEntry(`IM${number}`))
const series = makeEntry('IM2', { sizeBytes: 6 * 1024 ** 2, series: { files: 3, description: 'T1 axial' } })
const note = makeEntry('note.txt', { type: 'txt' })

/** A folder with a series of three slices and a text. */
function serveSeries(): Received[] {
  const folder = { id: 'folder-1', name: 'Scans' }
  return serve({
    'user/size': () => ({ storageSize: 0, storageLimit: 1024 ** 3 }),
    'files/list': ({ series: wanted }) => {
      const entries = wanted === 'rows' ? [series, note] : [...slices, note]
      return {
        ...{ folder, path: [folder], access: 'own' as const, entries, next: null, total: entries.length },
        ...{ place: { kind: 'own' as const, groupId: null, owner: '' }, withheld: 0, series: 1 },
      }
    },
    'files/seriesFiles': () => ({ entries: slices }),
    'files/remove': ({ ids }) => ({ removed: ids.length, recycleDays: 7 }),
    'files/download': ({ ids }) => ({
      url: `/bytes/${ids.length}`,
      name: 'IM.zip',
      sizeBytes: 1,
      isZip: true,
    }),
  })
}

const bodyOf = (received: Received[], path: string) =>
  received.filter((one) => one.path === path).at(-1)?.body

it('a series is one row with its name, how many files it has and how large they are together', async () => {
  serveSeries()
  renderPart(<CloudFile />, '/cloudFile?id=folder-1')
  const row = await screen.findByRole('row', { name: /T1 axial/ })
  expect(row).toHaveTextContent('6 MB · series of 3 files')
  expect(screen.queryByText('IM1')).toBeNull()
  expect(screen.getByText('2 items')).toBeVisible()
})

it('single files are shown on demand, and again at the next visit', async () => {
  serveSeries()
  const { unmount } = renderPart(<CloudFile />, '/cloudFile?id=folder-1')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Show single files' }))
  expect(await screen.findByRole('button', { name: 'IM1' })).toBeVisible()
  expect(screen.queryByText('T1 axial')).toBeNull()
  unmount()
  renderPart(<CloudFile />, '/cloudFile?id=folder-1')
  expect(await screen.findByRole('button', { name: 'IM1' })).toBeVisible()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Show single files' }))
  expect(await screen.findByRole('button', { name: 'T1 axial' })).toBeVisible()
})

it('what is done with a series is done with all its files', async () => {
  const received = serveSeries()
  renderPart(<CloudFile />, '/cloudFile?id=folder-1')
  const person = userEvent.setup()
  await person.click(await screen.findByRole('checkbox', { name: 'Select T1 axial' }))
  const toolbar = within(screen.getByRole('toolbar'))
  expect(toolbar.getByText('1 selected · 3 files')).toBeVisible()
  await person.click(toolbar.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(bodyOf(received, 'files/remove')).toEqual({ ids: ['IM1', 'IM2', 'IM3'] }))
  expect(bodyOf(received, 'files/seriesFiles')).toEqual({ id: 'IM2' })
  expect(await screen.findByText(/^3 items deleted/)).toBeVisible()
})

it('the menu of a series offers what concerns all files, and moves them together', async () => {
  serveSeries()
  renderPart(<CloudFile />, '/cloudFile?id=folder-1')
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: 'Actions for T1 axial' }))
  await screen.findByRole('menuitem', { name: 'Download' })
  expect(screen.queryByRole('menuitem', { name: 'Rename' })).toBeNull()
  await person.click(screen.getByRole('menuitem', { name: 'Move …' }))
  expect(await screen.findByText('Move 3 items to …')).toBeVisible()
})
