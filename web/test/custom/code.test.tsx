import type { CodeEntry, CodeRun, CodeUpload, OfficeCode } from '@neuroloom/contract/custom/code-calls'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { OwnCode } from '../../src/features/custom/code/own-code.tsx'
import { signIn } from '../make.ts'
import { fill, openOffice } from '../office/make-orders.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

const upload: CodeUpload = {
  ...{ id: 'code-1', name: 'nets.zip', sizeBytes: 2048, folders: ['segmentation', '4d_Flow-MRI'], files: 2 },
  ...{
    unpackedBytes: 4096,
    state: 'pending_review',
    reason: '',
    findings: { network: 1 },
    isInspected: true,
  },
  ...{ uploadedAt: '2027-01-04T09:00:00.000Z', reviewedAt: null },
}
const entries: CodeEntry[] = [
  {
    ...{ path: 'segmentation/main.py', isFolder: false, sizeBytes: 4000 },
    ...{ findings: ['network'], lines: [{ finding: 'network', line: 2 }] },
  },
  { path: '4d_Flow-MRI/notes.txt', isFolder: false, sizeBytes: 96, findings: [], lines: [] },
]
const card = async () => within(await screen.findByRole('article', { name: 'nets.zip' }))

describe('code uploads of a member', () => {
  function open(handlers: Parameters<typeof serve>[0] = {}, uploads = [upload]) {
    signIn()
    const received = serve({
      'codeUpload/list': () => ({ uploads, total: uploads.length, pageSize: 20 }),
      'codeUpload/entries': () => ({ entries }),
      ...handlers,
    })
    renderPart(<OwnCode />)
    return { person: userEvent.setup({ applyAccept: false }), received }
  }
  const zip = (name: string) => new File(['PK'], name, { type: 'application/zip' })

  it('show what was found, by file', async () => {
    const { person } = open()
    const shown = await card()
    expect(shown.getByText('Pending review')).toBeVisible()
    expect(shown.getByText('segmentation, 4d_Flow-MRI')).toBeVisible()
    expect(shown.getByText('mentions the network: 1')).toBeVisible()
    await person.click(shown.getByRole('button', { name: 'Files and findings' }))
    const table = await screen.findByRole('table', { name: 'Files and findings' })
    expect(within(table).getAllByRole('row')[1]).toHaveTextContent(
      /segmentation\/main.py.*mentions the network/,
    )
  })

  it('name the five folders, and take a zip alone', async () => {
    const { person, received } = open({}, [])
    for (const name of [
      'classification',
      'segmentation',
      'Super-resolution',
      'Object detection',
      '4d_Flow-MRI',
    ])
      expect(await screen.findByText(name)).toBeVisible()
    await person.upload(screen.getByLabelText('Zip with code'), new File(['x'], 'code.py'))
    expect(await screen.findByRole('alert')).toHaveTextContent('“code.py” is no zip.')
    await person.upload(screen.getByLabelText('Zip with code'), zip('a b.zip'))
    await waitFor(() => expect(received.map(({ path }) => path)).toContain('codeUpload/file?name=a+b.zip'))
    const sent = received.find(({ path }) => path.startsWith('codeUpload/file'))
    expect(sent?.headers.get('content-type')).toBe('application/zip')
  })

  it('tell that the files are being checked, why one was rejected, and are deleted', async () => {
    const rejected: CodeUpload = { ...upload, isInspected: false, state: 'rejected', reason: 'No readme.' }
    const { person, received } = open({ 'codeUpload/remove': () => ({}) }, [rejected])
    const shown = await card()
    expect(shown.getByText('The files are being checked.')).toBeVisible()
    expect(shown.getByText('No readme.')).toBeVisible()
    await person.click(shown.getByRole('button', { name: 'Delete …' }))
    await person.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(received.map(({ path }) => path)).toContain('codeUpload/remove'))
  })
})

describe('code in the back-office', () => {
  const office: OfficeCode = {
    ...upload,
    member: { account: 'holder@hospital.example', nickName: 'Li' },
    isOwn: false,
  }
  const run: CodeRun = {
    ...{ id: 'run-1', path: 'segmentation/main.py', state: 'ended', outcome: 'done', exitCode: 0 },
    ...{ missing: [], printed: 'hello', output: [{ path: 'a.txt', sizeBytes: 5 }] },
    ...{ startedAt: '2027-01-04T09:00:00.000Z', endedAt: '2027-01-04T09:00:02.000Z' },
  }
  const openCode = (changes: Partial<OfficeCode> = {}, missing: CodeRun['missing'] = [], host = 0) =>
    openOffice(
      'code',
      {
        'office/codeSandbox': () => ({ missing }),
        'office/codeUploads': () => ({ uploads: [{ ...office, ...changes }], total: 1, pageSize: 20 }),
        'office/codeEntries': () => ({ entries }),
        'office/codeFile': ({ path }) => ({
          text: path.endsWith('.py') ? null : 'Read me first.',
          isWhole: true,
        }),
        'office/codeUpload': () => {
          throw new Refusal('code_unsafe')
        },
        'office/codeRuns': () => ({ runs: [run] }),
        'office/codeRun': () => run,
      },
      { host },
    )

  it('is read file by file', async () => {
    const { person, sent } = openCode()
    await person.click((await card()).getByRole('button', { name: 'Read the files' }))
    expect(await screen.findByText('This file is no text.')).toBeVisible()
    expect(sent('office/codeFile')).toEqual([{ id: 'code-1', path: 'segmentation/main.py' }])
  })

  it('is rejected for a reason; a refusal is told in the dialog', async () => {
    const { person, sent } = openCode()
    await person.click((await card()).getByRole('button', { name: 'Reject …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'No readme.')
    await person.click(dialog.getByRole('button', { name: 'Reject' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('can only be rejected')
    expect(sent('office/codeUpload')).toEqual([
      { id: 'code-1', decision: { is: 'rejected', reason: 'No readme.' } },
    ])
  })

  it('with an entry that is never unpacked can only be rejected', async () => {
    openCode({ findings: { symlink: 1 } })
    const shown = await card()
    expect(shown.getByText(/can only be rejected/)).toBeVisible()
    expect(shown.getByRole('button', { name: 'Approve …' })).toBeDisabled()
  })

  it('an own one is reviewed by somebody else, and one that is being checked by nobody yet', async () => {
    openCode({ isOwn: true, isInspected: false })
    const shown = await card()
    expect(shown.getByText(/another administrator reviews/)).toBeVisible()
    expect(shown.queryByRole('button', { name: 'Approve …' })).toBeNull()
  })

  it('that was approved is run, and what it printed is shown', async () => {
    const { person, sent } = openCode({ state: 'approved' })
    const shown = await card()
    expect(await shown.findByText('hello')).toBeVisible()
    expect(shown.getByText('a.txt (5 B)')).toBeVisible()
    await waitFor(() => expect(shown.getByRole('button', { name: 'Run' })).toBeEnabled())
    await person.click(shown.getByRole('button', { name: 'Run' }))
    await waitFor(() =>
      expect(sent('office/codeRun')).toEqual([{ id: 'code-1', path: 'segmentation/main.py' }]),
    )
  })

  it('is not run where the machine lacks something, which is said; also on a hospital’s own server', async () => {
    openCode({ state: 'approved' }, ['bubblewrap'], -1)
    expect(
      await screen.findByText('This machine cannot run code safely: bubblewrap is missing'),
    ).toBeVisible()
    expect((await card()).getByRole('button', { name: 'Run' })).toBeDisabled()
  })
})
