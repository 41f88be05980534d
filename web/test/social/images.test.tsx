import type { Attachment } from '@neuroloom/contract/social/attachments'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { Attachments } from '../../src/features/social/attachments/attachments.tsx'
import { Composer } from '../../src/features/social/posts/composer.tsx'
import { visibleToasts } from '../../src/lib/toast.ts'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { imageFile, serveUploads } from './fake-upload.ts'

beforeEach(() => signIn())

function write() {
  const uploads = serveUploads()
  const received = serve({
    'social/createPost': () => {
      throw new Refusal('social_slow', { seconds: 1 })
    },
  })
  renderPart(<Composer field={{ current: null }} />)
  const pick = async (...files: File[]) =>
    userEvent.upload(await screen.findByLabelText('Choose images'), files)
  const arrived = async (count: number) => waitFor(() => expect(uploads).toHaveLength(count))
  return { uploads, received, pick, arrived }
}

describe('images for a post', () => {
  it('are uploaded one after the other, without a name, and sent with it', async () => {
    const { uploads, received, pick, arrived } = write()
    await pick(imageFile('ward 3.png'), imageFile('second.png'))
    await arrived(1)
    expect(uploads[0]?.headers.get('Content-Type')).toBe('application/octet-stream')
    expect(screen.getByLabelText('Image 1 is being uploaded')).toBeInTheDocument()
    const post = screen.getByRole('button', { name: 'Post' })
    uploads[0]?.take('image-1')
    await arrived(2)
    expect(post).toBeDisabled()
    uploads[1]?.take('image-2')
    await waitFor(() => expect(post).toBeEnabled())
    await userEvent.click(post)
    await waitFor(() => expect(received).toHaveLength(1))
    const attachments = ['image-1', 'image-2'].map((id) => ({ kind: 'image', id }))
    expect(received[0]?.body).toMatchObject({ text: '', attachments })
  })

  it('that are refused say why, and can be tried again or taken out', async () => {
    const { uploads, pick, arrived } = write()
    await pick(imageFile('one.png'))
    await arrived(1)
    uploads[0]?.refuse('image_kind')
    expect(await screen.findByRole('alert')).toHaveTextContent('This is not a JPG, PNG, GIF or BMP image')
    await userEvent.click(screen.getByRole('button', { name: 'Try image 1 again' }))
    await arrived(2)
    expect(screen.queryByRole('alert')).toBeNull()
    uploads[1]?.lose()
    expect(await screen.findByRole('alert')).toHaveTextContent(/server/i)
    await userEvent.click(screen.getByRole('button', { name: 'Remove image 1' }))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByRole('button', { name: 'Post' })).toBeDisabled()
  })

  it('that are taken out while they are on their way are sent no further', async () => {
    const { uploads, pick, arrived } = write()
    await pick(imageFile('one.png'), imageFile('two.png'))
    await arrived(1)
    await userEvent.click(screen.getByRole('button', { name: 'Remove image 1' }))
    expect(uploads[0]?.isAborted).toBe(true)
    await arrived(2)
    expect(uploads[1]?.body.name).toBe('two.png')
  })

  it('are five at most, and of 5 MB each', async () => {
    const { uploads, pick } = write()
    await pick(...[1, 2, 3, 4, 5].map((number) => imageFile(`${number}.png`)), imageFile('6.png'))
    expect(visibleToasts().map(({ text }) => text)).toEqual(['At most 5 images fit.'])
    expect(screen.getAllByRole('button', { name: /^Remove image/ })).toHaveLength(5)
    expect(screen.getByRole('button', { name: 'Add images' })).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Remove image 5' }))
    await pick(imageFile('large.png', 5 * 1024 ** 2 + 1))
    expect(await screen.findByRole('alert')).toHaveTextContent('An image may have at most 5 MB.')
    expect(uploads).toHaveLength(1)
  })

  it('may be pasted, unless a text was copied with them, and dropped', async () => {
    const { arrived } = write()
    const field = await screen.findByRole('textbox', { name: 'New post' })
    const paste = (types: string[]) =>
      fireEvent.paste(field, { clipboardData: { types, files: [imageFile('pasted.png')] } })
    paste(['text/plain', 'Files'])
    expect(screen.queryByRole('button', { name: /^Remove image/ })).toBeNull()
    paste(['Files'])
    await arrived(1)
    fireEvent.drop(field, { dataTransfer: { types: ['Files'], files: [imageFile('dropped.png')] } })
    expect(await screen.findByRole('button', { name: 'Remove image 2' })).toBeVisible()
  })
})

describe('images of a message', () => {
  const imagesOf = (...ids: string[]): Attachment[] =>
    ids.map((id) => ({ kind: 'image', id, width: 60, height: 40 }))

  it('are asked for together, shown large when pressed, and said to be gone where they are', async () => {
    const received = serve({
      'social/openAttachments': ({ attachments }) => ({
        opened: attachments.map(({ id }) =>
          id === 'gone' ? null : { kind: 'image', url: `data:,whole-${id}`, previewUrl: `data:,small-${id}` },
        ),
      }),
    })
    renderPart(
      <>
        <Attachments attachments={imagesOf('one', 'gone')} name="Doctor" />
        <Attachments attachments={imagesOf('two')} name="Nurse" />
      </>,
    )
    const first = await screen.findByRole('button', { name: 'Enlarge image 1 from Doctor' })
    expect(await screen.findByText('No longer available')).toBeVisible()
    expect(received.map(({ path }) => path)).toEqual(['social/openAttachments'])
    await userEvent.click(first)
    const dialog = await screen.findByRole('dialog')
    await waitFor(() => expect(dialog.querySelector('img')).toHaveAttribute('src', 'data:,whole-one'))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
