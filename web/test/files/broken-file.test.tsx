import type { View } from '@neuroloom/contract/viewing'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { FileView, LinkedFileView } from '../../src/features/files/viewer/file-view.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

const view: View = {
  ...{ id: 'file-1', name: 'brain.nii', type: 'nii', sizeBytes: 2048, kind: 'broken', state: 'ready' },
  ...{ reason: { name: 'data_damaged', params: {} }, url: null, facts: null, notes: [], series: null },
  ...{ tags: [], patient: null, tagsHidden: false },
}

describe('a damaged file', () => {
  it('is to be uploaded again by whom it belongs to', async () => {
    serve({ 'files/view': () => view })
    renderPart(<FileView entry={{ id: 'file-1' }} />)
    expect(await screen.findByText(/^The image data are damaged\. Upload the file again/)).toBeVisible()
  })

  it('is to be told to whoever shared it by a visitor, who can upload nothing', async () => {
    serve({ 'files/viewLinked': () => view })
    renderPart(<LinkedFileView entry={{ id: 'file-1' }} link={{ pass: 'pass', folderId: null }} />)
    expect(await screen.findByText(/Tell the person who shared it with you\.$/)).toBeVisible()
    expect(screen.queryByText(/Upload the file again/)).toBeNull()
  })
})
