import type { Attachment, OpenedCard } from '@neuroloom/contract/social/attachments'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { Attachments } from '../../src/features/social/attachments/attachments.tsx'
import { FilePicker } from '../../src/features/social/attachments/file-picker.ts'
import { ShareFiles } from '../../src/features/social/attachments/share-files.tsx'
import { Composer } from '../../src/features/social/posts/composer.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

beforeEach(() => signIn())

const makeCard = (changes: Partial<OpenedCard> = {}): OpenedCard => ({
  kind: 'card',
  of: 'run',
  id: 'run-1',
  name: '',
  page: { path: 'run', id: 'run-1' },
  run: { kind: 'train', number: 3 },
  task: 'classification',
  score: 0.912,
  project: 'Lungs',
  dataset: 'Chest',
  priceYuan: null,
  ...changes,
})

describe('cards in a message', () => {
  it('say what they are of and lead there, or say that it is no longer available', async () => {
    const attachments: Attachment[] = [
      { kind: 'card', of: 'run', id: 'run-1' },
      { kind: 'card', of: 'project', id: 'gone' },
      { kind: 'file', id: 'file-1' },
    ]
    const file = { kind: 'file' as const, id: 'file-1', name: 'notes.txt', isFolder: false }
    const received = serve({
      'social/openAttachments': () => ({
        opened: [makeCard(), null, { ...file, sizeBytes: 2048, thumbnail: null }],
      }),
    })
    renderPart(<Attachments attachments={attachments} name="Doctor" />)
    const list = await screen.findByRole('list', { name: 'Cards from Doctor' })
    expect(await within(list).findByRole('link', { name: 'Training 3' })).toHaveAttribute(
      'href',
      '/run?id=run-1',
    )
    expect(within(list).getByText('Lungs · Chest · 91.2%')).toBeVisible()
    expect(within(list).getByText('No longer available')).toBeVisible()
    expect(within(list).getByRole('link', { name: 'notes.txt' })).toHaveAttribute(
      'href',
      '/cloudFile?file=file-1',
    )
    expect(received).toHaveLength(1)
  })
})

describe('attaching', () => {
  const openMenu = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Attach a file or a card' }))
    await userEvent.click(await screen.findByRole('menuitem', { name }))
  }

  it('offers things by kind and name, and sends the chosen one', async () => {
    const received = serve({
      'social/ownCards': ({ of }) => ({
        cards: of === 'project' ? [makeCard({ of, id: 'project-1', name: 'Lungs', run: null })] : [],
      }),
      'social/createPost': () => {
        throw new Refusal('card_missing')
      },
    })
    renderPart(<Composer field={{ current: null }} />)
    await openMenu('Project')
    await userEvent.click(await screen.findByRole('button', { name: /^Lungs/ }))
    const chosen = await screen.findByRole('list', { name: 'Cards to send' })
    expect(within(chosen).getByText('Project')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Post' }))
    expect(await screen.findByText(/no longer available to you/)).toBeVisible()
    expect(received.find(({ path }) => path === 'social/createPost')?.body).toMatchObject({
      attachments: [{ kind: 'card', of: 'project', id: 'project-1' }],
    })
    await userEvent.click(within(chosen).getByRole('button', { name: 'Remove the card' }))
    expect(screen.queryByRole('list', { name: 'Cards to send' })).toBeNull()
  })

  it('refers to files of the cloud that the page’s own dialog chose', async () => {
    serve({})
    const Picker = ({
      onPick,
    }: {
      onPick: (files: { id: string; kind: 'file'; name: string }[]) => void
    }) => (
      <button type="button" onClick={() => onPick([{ id: 'file-1', kind: 'file', name: 'notes.txt' }])}>
        pick
      </button>
    )
    renderPart(
      <FilePicker value={Picker}>
        <Composer field={{ current: null }} />
      </FilePicker>,
    )
    await openMenu('File from the cloud')
    await userEvent.click(screen.getByRole('button', { name: 'pick' }))
    const chosen = await screen.findByRole('list', { name: 'Cards to send' })
    expect(within(chosen).getByRole('link', { name: 'notes.txt' })).toBeVisible()
  })

  it('asks whether the other one may look at a file, and for a word where it names a patient', async () => {
    let isDone = false
    const received = serve({
      'social/shareFile': ({ withPatients }) => {
        if (!withPatients) throw new Refusal('patients_named', { count: 1, total: 1 })
        return {}
      },
    })
    renderPart(
      <ShareFiles
        chatId="chat-1"
        name="Doctor"
        files={[{ id: 'file-1', kind: 'file', name: 'slice.dcm' }]}
        onClose={() => {
          isDone = true
        }}
      />,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Share' }))
    await userEvent.click(await screen.findByRole('checkbox', { name: /patient data/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Share' }))
    await waitFor(() => expect(isDone).toBe(true))
    expect(received.map(({ body }) => body.withPatients)).toEqual([false, true])
  })
})
