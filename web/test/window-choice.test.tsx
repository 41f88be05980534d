import type { Dataset } from '@neuroloom/contract/datasets'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { WindowChoice } from '../src/features/datasets/reading/window-choice.tsx'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts } from './runs/runs-make.ts'
import { serve } from './serve.ts'

beforeEach(() => signIn())

const span = { min: 64, median: 64, max: 64 }
const facts = {
  ...imageFacts,
  ...{ items: 40, width: span, height: span, channels: 1 as const, classCounts: [20, 20] },
}

const ofDicom = (changes: Partial<Dataset> = {}): Dataset => ({
  ...{ id: 'scans', use: 'train', owner: '', name: 'Scans', folderId: 'folder', task: 'classification' },
  ...{ layout: 'class_folders', state: 'ready', progress: { done: 0, total: 0 }, failure: null, parts: [] },
  ...{ classes: ['healthy', 'ill'], problemCount: 0, createdAt: '2026-11-20T08:00:00.000Z' },
  reading: asFound,
  facts: { ...facts, dicom: { files: 40, made: 'pictures', grey: true, notes: [] } },
  ...changes,
})

const drawn = (name: string) => ({ name: 'a/1.dcm', before: 'data:image/png;base64,AA', after: name })

describe('the brightness of DICOM pictures', () => {
  it('is told, tried on a picture, and chosen for all of them', async () => {
    const received = serve({
      'datasets/windowPreview': ({ window }) => drawn(`data:image/png;base64,${window?.width ?? 'own'}`),
      'datasets/readAs': () => ofDicom(),
    })
    renderPart(<WindowChoice dataset={ofDicom()} />)
    expect(await screen.findByText('As the files say')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Change brightness' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'How the values become grey' }))
    await userEvent.click(await screen.findByTitle('Lung'))
    await waitFor(() =>
      expect(within(dialog).getByRole('img', { name: 'a/1.dcm with the chosen brightness' })).toHaveAttribute(
        'src',
        'data:image/png;base64,1500',
      ),
    )
    await userEvent.click(within(dialog).getByRole('button', { name: 'Read the images this way' }))
    await waitFor(() => expect(received.some(({ path }) => path === 'datasets/readAs')).toBe(true))
    expect(received.find(({ path }) => path === 'datasets/readAs')?.body).toEqual({
      id: 'scans',
      reading: { ...asFound, window: { center: -600, width: 1500 } },
    })
  })

  it('is only told where others brought the data, and not of volumes', async () => {
    const window = { center: 123, width: 456 }
    renderPart(<WindowChoice dataset={ofDicom({ owner: 'Colleague', reading: { ...asFound, window } })} />)
    expect(await screen.findByText('Centre 123, width 456')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
    const dicom = { files: 8, made: 'volumes', grey: false } as const
    const { container } = renderPart(<WindowChoice dataset={ofDicom({ facts: { ...facts, dicom } })} />)
    expect(container).not.toHaveTextContent('Brightness')
  })
})
