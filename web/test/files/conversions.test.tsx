import type { Conversion, ConversionCheck, ConversionItem } from '@neuroloom/contract/conversions'
import type { Entry } from '@neuroloom/contract/files'
import { conversions as limits } from '@neuroloom/contract/limits'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ConvertDialog } from '../../src/features/files/convert/convert-dialog.tsx'
import { FramesDialog } from '../../src/features/files/convert/frames-dialog.tsx'
import { CloudFile } from '../../src/pages/cloud/cloud-file.tsx'
import { CloudHome } from '../../src/pages/cloud/cloud-home.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { tell } from '../runs/runs-live.ts'
import { Refusal, serve } from '../serve.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

// What lies in dialogs is looked for, not looked at: their animation does not run here.
describe('converting', () => {
  it('offers formats with what they keep, and asks only for settings that matter', async () => {
    const { received, person, dialog } = await openDialog(['brain.nii.gz'])
    expect(dialog.getByText('Convert “brain.nii.gz”')).toBeInTheDocument()
    // Not once more into what it is.
    expect(dialog.getByRole('radio', { name: 'NRRD' })).toBeChecked()
    expect(dialog.queryByText('Brightness')).toBeNull()
    await person.click(dialog.getByRole('radio', { name: 'PNG' }))
    expect(dialog.getByText(/loses spacing, orientation and position/)).toBeInTheDocument()
    expect(dialog.getByRole('combobox', { name: 'Brightness' })).toBeInTheDocument()
    await person.click(dialog.getByText('Up to 65,536, for measuring and training'))
    expect(dialog.queryByText('Brightness')).toBeNull()
    await person.click(dialog.getByText('Convert'))
    await screen.findByText('Conversion to PNG has started.')
    const options = { joinSeries: true, window: null, depth: 'sixteen', quality: 92 }
    expect(sent(received)).toEqual([{ ids: ['brain.nii.gz'], format: 'png', options }])
  })

  it('takes several at once, leaves out what is no image, and joins slices unless told otherwise', async () => {
    const { received, person, dialog } = await openDialog(['a.dcm', 'b.dcm', 'notes.txt'])
    expect(dialog.getByText('Convert 2 items')).toBeInTheDocument()
    expect(dialog.getByText('1 of the chosen files is no image; it stays as it is.')).toBeInTheDocument()
    await person.click(dialog.getByText(/Join the slices/))
    await person.click(dialog.getByText('Convert'))
    await screen.findByText('Conversion to NIfTI has started.')
    const options = { joinSeries: false, window: null, depth: 'eight', quality: 92 }
    expect(sent(received)).toEqual([{ ids: ['a.dcm', 'b.dcm'], format: 'nifti', options }])
  })

  it('leaves files out that are of the wanted format already, and says so', async () => {
    const { received, person, dialog } = await openDialog(['a.dcm', 'brain.nii.gz'])
    await person.click(dialog.getByRole('radio', { name: 'NIfTI' }))
    expect(dialog.getByText('1 of the chosen files is NIfTI already; it stays as it is.')).toBeInTheDocument()
    await person.click(dialog.getByText('Convert'))
    await screen.findByText('Conversion to NIfTI has started.')
    expect(sent(received)).toMatchObject([{ ids: ['a.dcm'], format: 'nifti' }])
  })

  it('has nothing to do where all files are of the wanted format', async () => {
    const { person, dialog } = await openDialog(['brain.nii.gz'])
    await person.click(dialog.getByRole('radio', { name: 'NIfTI' }))
    expect(dialog.getByRole('button', { name: 'Convert', hidden: true })).toBeDisabled()
  })

  it('says of a folder where its results will lie', async () => {
    serve({})
    const folder = { ...makeEntry('Scans'), kind: 'folder' as const }
    renderPart(<ConvertDialog entries={[folder]} onClose={() => {}} onStarted={() => {}} />)
    const dialog = within(await screen.findByRole('dialog'))
    expect(
      dialog.getByText(/^The originals stay\. The results of a folder come into a folder of their own/),
    ).toBeInTheDocument()
    expect(
      dialog.getByText('Files in the folder that are NIfTI already are not converted again.'),
    ).toBeInTheDocument()
  })

  it('says why it is refused, and stays for another try', async () => {
    let isFull = true
    const { person, dialog } = await openDialog(['a.dcm'], {
      'files/convert': () => {
        if (isFull) throw new Refusal('conversion_waiting', { limit: limits.waiting })
        return makeConversion()
      },
    })
    await person.click(dialog.getByText('Convert'))
    expect(await dialog.findByText(/^20 of your conversions are not through yet/)).toBeInTheDocument()
    isFull = false
    await person.click(dialog.getByText('Convert'))
    expect(await screen.findByText('Conversion to NIfTI has started.')).toBeInTheDocument()
  })

  it('is offered in the menu of images, and frames in that of videos', async () => {
    const entries = ['a.dcm', 'b.txt', 'c.mp4'].map(makeEntry)
    const folder = { id: 'folder-1', name: 'Scans' }
    const page = {
      folder,
      path: [folder],
      access: 'own' as const,
      place,
      entries,
      next: null,
      total: 3,
      withheld: 0,
    }
    serve({ ...size, 'files/list': () => page })
    renderPart(<CloudFile />, '/cloudFile?id=folder-1')
    const menuOf = async (name: string): Promise<HTMLElement[]> => {
      await userEvent.click(await screen.findByLabelText(`Actions for ${name}`))
      await screen.findAllByText('Download')
      return [...screen.queryAllByText('Convert …'), ...screen.queryAllByText('Take frames …')]
    }
    const found: (string | null)[][] = []
    for (const { name } of entries) found.push((await menuOf(name)).map(({ textContent }) => textContent))
    // Menus that were open before stay in the page.
    expect(found).toEqual([['Convert …'], ['Convert …'], ['Convert …', 'Take frames …']])
  })
})

describe('frames of a video', () => {
  it('are not to be had where the browser cannot read it, which is said with what helps', async () => {
    serve({ 'files/view': () => makeVideoView() })
    renderPart(<FramesDialog entry={makeEntry('film.avi')} parentId={null} onClose={() => {}} />)
    expect(await screen.findByText('Video export failed')).toBeInTheDocument()
    expect(screen.getByText(/^This browser cannot open this kind of video \(.avi\)/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Take the frames' })).toBeDisabled()
  })
})

describe('the conversions', () => {
  it('explain themselves while there are none', async () => {
    serveList(() => [])
    renderPart(<CloudHome />, '/cloudHome?tab=conversions')
    expect(await screen.findByRole('heading', { name: 'Nothing was converted yet' })).toBeVisible()
  })

  it('show what was kept and what changed, and why', async () => {
    serveList(() => [makeConversion({ format: 'png', items: [makeItem({ checks: pictureChecks })] })])
    renderPart(<CloudHome />, '/cloudHome?tab=conversions')
    const table = await screen.findByRole('table', { name: 'Comparison of brain.nii.gz' })
    const row = (name: string) => within(table).getByRole('row', { name: new RegExp(`^${name}`) })
    expect(row('size')).toHaveTextContent('6 × 5 × 4')
    expect(row('size')).toHaveTextContent('Kept')
    expect(row('spacing')).toHaveTextContent('ChangedThis format does not store it.')
    expect(row('values')).toHaveTextContent('Values were mapped to 0–255 by window 40/400.')
    expect(row('orientation')).toHaveTextContent('Not known')
    expect(screen.getByText('Changed: spacing, values')).toBeVisible()
    expect(screen.getByRole('link', { name: /brain \(PNG\)/ })).toHaveAttribute(
      'href',
      '/cloudFile?id=result-1',
    )
  })

  it('write values as the page writes numbers, and powers of ten as they are', async () => {
    const [before, after] = ['-610 … 30393', '1.5e-7 … 30393.2534 HU']
    const values = { what: 'values', state: 'changed', why: null, before, after } as const
    serveList(() => [makeConversion({ items: [makeItem({ checks: [values] })] })])
    renderPart(<CloudHome />, '/cloudHome?tab=conversions')
    const row = await screen.findByRole('row', { name: /^values/ })
    expect(within(row).getByText('-610 … 30,393')).toBeVisible()
    expect(within(row).getByText('1.5e-7 … 30,393.2534 HU')).toBeVisible()
  })

  it('follow the work without asking again and again', async () => {
    let state: Partial<Conversion> = { state: 'converting', through: 1, total: 4, items: [] }
    const { received } = serveList(() => [makeConversion(state)])
    renderPart(<CloudHome />, '/cloudHome?tab=conversions')
    expect(await screen.findByText('1 of 4 through')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Progress of the conversion to NRRD' })).toBeVisible()
    const asked = () => received.filter(({ path }) => path === 'files/conversions').length
    expect(asked()).toBe(1)
    state = {}
    const data = { id: 'conversion-1', state: 'done', through: 4, total: 4 }
    tell({ id: 0, topic: { kind: 'user', id: 'user-1' }, type: 'conversion', data })
    expect(await screen.findByText('Done')).toBeVisible()
    expect(screen.getByText('Everything was kept')).toBeVisible()
    expect(asked()).toBe(2)
  })

  it('say what failed and why before all else, and try again', async () => {
    const failed = makeItem({
      sourceName: 'broken.nii',
      state: 'failed',
      reason: { name: 'not_this_kind', params: { kind: 'NIfTI' } },
      checks: [],
    })
    let state: Conversion['state'] = 'failed'
    const { received } = serveList(() => [makeConversion({ state, items: [makeItem(), failed] })], {
      'files/retryConversion': () => {
        state = 'waiting'
        return makeConversion({ state })
      },
    })
    renderPart(<CloudHome />, '/cloudHome?tab=conversions')
    const items = await screen.findAllByRole('listitem')
    expect(items[0]).toHaveTextContent('broken.nii')
    expect(items[0]).toHaveTextContent('This is not a NIfTI file, although it is called so.')
    expect(screen.getByText('1 of 2 could not be converted.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Begins as soon as those before it are through.')).toBeVisible()
    expect(received.find(({ path }) => path === 'files/retryConversion')?.body).toEqual({
      id: 'conversion-1',
    })
  })

  it('tell a failure of the whole with what helps', async () => {
    serveList(() => [makeConversion({ state: 'failed', failure: 'storage_full', items: [] })])
    renderPart(<CloudHome />, '/cloudHome?tab=conversions')
    expect(await screen.findByRole('alert')).toHaveTextContent('Delete something or upgrade your membership')
  })

  it('are given up after a question', async () => {
    let state: Conversion['state'] = 'converting'
    serveList(() => [makeConversion({ state })], {
      'files/cancelConversion': () => {
        state = 'cancelled'
        return makeConversion({ state })
      },
    })
    renderPart(<CloudHome />, '/cloudHome?tab=conversions')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Cancel conversion' }))
    await screen.findByText('Give up this conversion?')
    await person.click(
      screen.getAllByRole('button', { name: 'Cancel conversion', hidden: true }).at(-1) ?? document.body,
    )
    expect(await screen.findByText('Given up')).toBeVisible()
  })
})

type Handlers = Parameters<typeof serve>[0]
type Received = ReturnType<typeof serve>
const size = { 'user/size': () => ({ storageSize: 0, storageLimit: 1024 ** 3 }) }
const place = { kind: 'own' as const, groupId: null, owner: '' }

const sent = (received: Received) =>
  received.filter(({ path }) => path === 'files/convert').map(({ body }) => body)

async function openDialog(names: string[], more: Handlers = {}) {
  const convert = { 'files/convert': () => makeConversion({ state: 'waiting', items: [] }) }
  const received = serve({ ...convert, ...more })
  renderPart(<ConvertDialog entries={names.map(makeEntry)} onClose={() => {}} onStarted={() => {}} />)
  return { received, person: userEvent.setup(), dialog: within(await screen.findByRole('dialog')) }
}

function serveList(list: () => Conversion[], more: Handlers = {}): { received: Received } {
  const page = {
    folder: null,
    path: [],
    access: 'own' as const,
    place,
    entries: [],
    next: null,
    total: 0,
    withheld: 0,
  }
  const received = serve({
    ...size,
    'files/list': () => page,
    'files/conversions': () => ({ conversions: list(), next: null }),
    ...more,
  })
  return { received }
}

function makeEntry(name: string): Entry {
  return {
    id: name,
    kind: 'file',
    name,
    type: name.split('.').at(-1) ?? '',
    sizeBytes: 2048,
    fileCount: 0,
    modifiedAt: '2026-11-20T08:00:00.000Z',
    modifiedBy: 'Radiology',
    shared: false,
    thumbnail: '/thumb',
  }
}

const kept = (what: ConversionCheck['what'], value: string): ConversionCheck => ({
  what,
  state: 'kept',
  before: value,
  after: value,
  why: null,
})

const pictureChecks: ConversionCheck[] = [
  kept('size', '6 × 5 × 4'),
  {
    what: 'spacing',
    state: 'changed',
    before: '1 × 2 × 3.5 mm',
    after: '—',
    why: { name: 'not_stored', params: {} },
  },
  { what: 'orientation', state: 'unknown', before: '—', after: '—', why: null },
  {
    what: 'values',
    state: 'changed',
    before: '-50 … 900',
    after: '0 … 255',
    why: { name: 'window', params: { center: '40', width: '400' } },
  },
]

function makeItem(changes: Partial<ConversionItem> = {}): ConversionItem {
  return {
    sourceId: 'source-1',
    sourceName: 'brain.nii.gz',
    sourceFiles: 1,
    state: 'done',
    reason: null,
    resultId: 'result-1',
    resultName: 'brain (PNG)',
    resultKind: 'folder',
    resultFiles: 4,
    checks: [kept('size', '6 × 5 × 4'), kept('values', '0 … 900')],
    notes: [],
    ...changes,
  }
}

function makeConversion(changes: Partial<Conversion> = {}): Conversion {
  return {
    id: 'conversion-1',
    format: 'nrrd',
    options: { joinSeries: true, window: null, depth: 'eight', quality: 92 },
    state: 'done',
    through: 1,
    total: 1,
    failure: null,
    items: [makeItem()],
    folderId: null,
    createdAt: '2026-11-20T08:00:00.000Z',
    endedAt: '2026-11-20T08:01:00.000Z',
    ...changes,
  }
}

const makeVideoView = () => ({
  id: 'film.avi',
  name: 'film.avi',
  type: 'avi',
  sizeBytes: 2048,
  kind: 'unsupported' as const,
  state: 'ready' as const,
  reason: { name: 'video_unknown' as const, params: { type: 'avi' } },
  url: null,
  facts: null,
  notes: [],
  series: null,
  tags: [],
  patient: null,
  tagsHidden: false,
})
