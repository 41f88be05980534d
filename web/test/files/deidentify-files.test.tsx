import type { KeptRecord } from '@neuroloom/contract/deidentification'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { zipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DeidentifyQuestion,
  DeidentifySummary,
} from '../../src/features/files/deidentify/deidentify-notices.tsx'
import { DeidentifySetting } from '../../src/features/files/deidentify/deidentify-setting.tsx'
import { prepareFiles } from '../../src/features/files/deidentify/files.ts'
import { RecordDialog } from '../../src/features/files/deidentify/record-dialog.tsx'
import { deidentification } from '../../src/features/files/deidentify/state.ts'
import { UploadStore } from '../../src/features/files/upload/upload-store.ts'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { type Received, Refusal, serve } from '../serve.ts'
import * as dicom from './deidentify-make.ts'

const notices = (
  <>
    <DeidentifyQuestion />
    <DeidentifySummary />
  </>
)
const key = '07'.repeat(32)
const answers = {
  'files/deidentificationKey': () => ({ key }),
  'files/recordDeidentification': () => ({ recorded: 1 }),
}

beforeEach(() => {
  signIn()
  deidentification.turn(true)
  deidentification.clear()
})

describe('files on their way to an upload', () => {
  it('lose their patient, keep their place, and leave their records with the server first', async () => {
    const calls = serve(answers)
    const progress: number[] = []
    const prepared = await prepareFiles(
      [
        pick('study/notes.txt', 'hello'),
        pick('study/1.dcm', dicom.file(dicom.picture())),
        pick('study/x', slice(2)),
      ],
      { onProgress: ({ done }) => progress.push(done) },
    )
    expect(prepared.files.map(({ path }) => path)).toEqual(['study/notes.txt', 'study/1.dcm', 'study/x'])
    expect(await textOf(prepared.files[0]?.file)).toBe('hello')
    for (const index of [1, 2]) {
      const text = await textOf(prepared.files[index]?.file)
      expect(text).not.toMatch(/doe|4711/i)
      expect(text).toContain(dicom.binary(dicom.pixels))
    }
    const sent = callsOf(calls, 'files/recordDeidentification')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({
      records: [{ burnedInText: 'unlikely' }, { burnedInText: 'unlikely' }],
    })
    expect(prepared.records.map(({ path }) => path)).toEqual(['study/1.dcm', 'study/x'])
    expect(progress.at(-1)).toBe(3)
  })

  it('give the same bytes and names each time, so that an upload can go on after a reload', async () => {
    serve(answers)
    const picked = () => [pick('Doe_Jane/PAT-4711.dcm', dicom.file(dicom.picture()))]
    const [first, second] = [await prepareFiles(picked()), await prepareFiles(picked())]
    expect(second.records).toEqual(first.records)
    expect(await textOf(second.files[0]?.file)).toBe(await textOf(first.files[0]?.file))
  })

  it('get other names where theirs name the patient, and those beside them too', async () => {
    serve(answers)
    const { files } = await prepareFiles([
      pick('DOE_JANE/ct/1.dcm', dicom.file(dicom.picture())),
      pick('DOE_JANE/mask of pat-4711.png', 'mask'),
      pick('DOE_JANE/doer.txt', 'notes'),
    ])
    const paths = files.map(({ path }) => path)
    expect(paths.join()).not.toMatch(/doe_|jane|4711/i)
    expect(paths[0]).toMatch(/^ANON-\w{6}\/ct\/1\.dcm$/)
    const [number] = paths[0]?.split('/') ?? []
    expect(paths.slice(1)).toEqual([`${number}/mask of ${number}.png`, `${number}/doer.txt`])
    expect(await textOf(files[0]?.file)).toContain(number)
    expect(deidentification.current().summary?.renamed).toBe(3)
  })

  it('with names in Chinese are found too', async () => {
    serve(answers)
    const named = dicom
      .picture()
      .map((one) =>
        one.tag === 0x00100010 ? { ...one, value: new TextEncoder().encode('Zhang^San=张^三') } : one,
      )
    const { files } = await prepareFiles([pick('张三的检查/1.dcm', dicom.file(named))])
    expect(files[0]?.path).toMatch(/^ANON-\w{6}的检查\/1\.dcm$/)
  })

  it('are not looked at by the server when there is no DICOM among them, or when it is switched off', async () => {
    const calls = serve(answers)
    const text = [pick('a.txt', 'a')]
    expect((await prepareFiles(text)).files).toEqual(text)
    deidentification.turn(false)
    const image = [pick('a.dcm', dicom.file(dicom.picture()))]
    expect((await prepareFiles(image)).files).toEqual(image)
    expect(calls).toEqual([])
  })

  it('are not sent when the server cannot keep the records', async () => {
    serve({
      ...answers,
      'files/recordDeidentification': () => {
        throw new Refusal('busy')
      },
    })
    await expect(prepareFiles([pick('a.dcm', dicom.file(dicom.picture()))])).rejects.toMatchObject({
      name: 'busy',
    })
  })

  it('stop when they are given up', async () => {
    serve(answers)
    const controller = new AbortController()
    const running = prepareFiles([pick('a.dcm', 'broken')], { signal: controller.signal })
    controller.abort(new Error('given up'))
    await expect(running).rejects.toThrow('given up')
  })
})

it('loose files lose their patient before they are packed into an archive', async () => {
  serve(answers)
  const packed: string[] = []
  const store = new UploadStore({
    prepare: () => Promise.reject(new Error('not of interest here')),
    cancel: () => Promise.resolve(),
    send: () => ({ outcome: new Promise(() => {}), stop: () => {}, location: () => null }),
    reasonOf: () => ({ name: 'internal', params: {} }),
    steps: {
      clean: async (picked) => ({ files: (await prepareFiles(picked)).files, refused: [] }),
      pack: async (picked, name) => {
        for (const { file } of picked) packed.push(await textOf(file))
        return new File([], name)
      },
    },
  })
  store.addPacked(
    { name: 'scans', isFolder: false, files: [pick('1.dcm', dicom.file(dicom.picture()))] },
    'scans',
    { parentId: null },
  )
  await waitFor(() => expect(packed).toHaveLength(1))
  expect(packed[0]).not.toMatch(/doe|4711/i)
})

describe('a file that resists', () => {
  const picked = () => [
    pick('good.dcm', dicom.file(dicom.picture())),
    pick('half.dcm', dicom.file(dicom.picture()).slice(0, -20)),
  ]

  it('is left out unless the member says otherwise', async () => {
    serve(answers)
    renderPart(notices)
    const running = prepareFiles(picked())
    const dialog = await screen.findByRole('dialog', {
      name: 'Patient data could not be removed from 1 file',
    })
    expect(within(dialog).getByText('half.dcm')).toBeInTheDocument()
    expect(within(dialog).getByText(/ends too early/)).toBeInTheDocument()
    expect(within(dialog).getByRole('button', { name: 'Send as is' })).toBeDisabled()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Leave out' }))
    const { files, refused } = await running
    expect(files.map(({ path }) => path)).toEqual(['good.dcm'])
    expect(refused).toEqual([{ path: 'half.dcm', reason: 'truncated' }])
    expect(await screen.findByText('Patient data was removed from 1 DICOM file')).toBeInTheDocument()
    expect(screen.getByText('1 file was left out.')).toBeInTheDocument()
  })

  it('is sent as it is only after a second word, and without a record', async () => {
    const calls = serve(answers)
    renderPart(notices)
    const running = prepareFiles(picked())
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('checkbox'))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send as is' }))
    const { files, records } = await running
    expect(files.map(({ path }) => path)).toEqual(['good.dcm', 'half.dcm'])
    expect(await textOf(files[1]?.file)).toContain('Doe^Jane')
    expect(records).toHaveLength(1)
    expect(callsOf(calls, 'files/recordDeidentification')).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it.each([
    ['a packed file', 'scan.gz', async () => gzip(dicom.file(dicom.picture()))],
    [
      'an archive of files',
      'study.zip',
      async () => zipSync({ 'readme.txt': dicom.ascii('x'), 'a/1': level(0) }),
    ],
    ['an archive of packed files', 'study.zip', async () => zipSync({ 'a/1': level(9) })],
    ['a tape archive', 'study.tar', async () => tar()],
    ['a packed tape archive', 'study.tgz', async () => gzip(tar())],
  ])('is %s with DICOM in it as well', async (_, name, makeArchive) => {
    serve(answers)
    renderPart(notices)
    const running = prepareFiles([pick(name, await makeArchive())])
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText(/Unpack it first/)).toBeInTheDocument()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Leave out' }))
    expect((await running).files).toEqual([])
  })

  it('is no archive of other things', async () => {
    serve(answers)
    const zip = zipSync({ 'a.txt': dicom.ascii('text'), 'b.png': dicom.ascii('png') })
    const others = [
      pick('a.zip', zip),
      pick('b.zip', zip.slice(0, -30)),
      pick('c.gz', await gzip(dicom.ascii('text'))),
    ]
    expect((await prepareFiles(others)).files).toEqual(others)
  })
})

it('tells of pictures that may show letters, and which', async () => {
  serve(answers)
  renderPart(notices)
  const scan = dicom.picture().map((one) => (one.tag === 0x00080060 ? { ...one, value: 'US' } : one))
  await prepareFiles([pick('liver.dcm', dicom.file(scan))])
  expect(await screen.findByText(/1 image may show letters/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Show which' }))
  expect(screen.getByText('liver.dcm')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Close this message' }))
  await waitFor(() => expect(screen.queryByText(/may show letters/)).toBeNull())
})

it('is on, and switched off only after a question', async () => {
  renderPart(<DeidentifySetting />)
  const toggle = screen.getByRole('switch', { name: 'Remove patient data from DICOM files before sending' })
  expect(toggle).toBeChecked()
  await userEvent.click(toggle)
  await userEvent.click(await screen.findByRole('button', { name: 'Keep it on' }))
  expect(toggle).toBeChecked()
  await userEvent.click(toggle)
  await userEvent.click(await screen.findByRole('button', { name: 'Switch off' }))
  expect(screen.getByRole('switch', { name: 'Patient data stays in DICOM files' })).not.toBeChecked()
})

it('shows the record of a file, and says where there is none', async () => {
  serve({
    'files/deidentification': ({ id }) => ({ record: id === 'known' ? kept : null }),
  })
  const { unmount } = renderPart(<RecordDialog id="known" name="a.dcm" onClose={() => {}} />)
  expect(await screen.findByText("Patient's Name")).toBeInTheDocument()
  expect(screen.getByText('(0010,0010)')).toBeInTheDocument()
  expect(screen.getByText(/unchanged to the last byte/)).toBeInTheDocument()
  expect(screen.getByText('ANON-0123456789AB01234567')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Download as JSON' })).toBeInTheDocument()
  unmount()
  renderPart(<RecordDialog id="other" name="b.dcm" onClose={() => {}} />)
  expect(await screen.findByText(/Nothing is recorded/)).toBeInTheDocument()
})

const kept: KeptRecord = {
  profile: 'PS3.15 2026c',
  sha256: 'a'.repeat(64),
  sizeBytes: 1000,
  counts: { removed: 3, emptied: 1, replaced: 2, newUids: 3, privateRemoved: 12, cleared: 0 },
  attributes: [{ tag: '00100010', name: "Patient's Name", action: 'emptied', count: 1 }],
  identifiers: {
    study: '2.25.1',
    series: '2.25.2',
    instance: '2.25.3',
    patient: 'ANON-0123456789AB01234567',
  },
  pixels: { before: 'b'.repeat(64), after: 'b'.repeat(64) },
  burnedInText: 'possible',
  recordedAt: '2026-11-21T20:00:00.000Z',
}

const callsOf = (calls: Received[], path: string) => calls.filter((one) => one.path === path)

const slice = (number: number) =>
  dicom.file(
    dicom.picture().map((one) => (one.tag === 0x00080018 ? { ...one, value: `1.2.3.${number}` } : one)),
  )

const pick = (path: string, content: string | Uint8Array<ArrayBuffer>) => ({
  path,
  file: new File([content], path.slice(path.lastIndexOf('/') + 1)),
})

const textOf = async (file: File | undefined) =>
  file ? dicom.binary(new Uint8Array(await file.arrayBuffer())) : ''

const gzip = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  )

const level = (level: 0 | 9): [Uint8Array, { level: 0 | 9 }] => [dicom.file(dicom.picture()), { level }]

/** Two files: one of text, and one of DICOM. */
function tar(): Uint8Array<ArrayBuffer> {
  const entry = (name: string, content: Uint8Array) => {
    const header = new Uint8Array(512)
    header.set(dicom.ascii(name))
    header.set(dicom.ascii(content.length.toString(8).padStart(11, '0')), 124)
    header.set(dicom.ascii('ustar'), 257)
    return [header, content, new Uint8Array((512 - (content.length % 512)) % 512)]
  }
  return dicom.join([
    ...entry('a.txt', dicom.ascii('x'.repeat(700))),
    ...entry('b', dicom.file(dicom.picture())),
  ])
}
