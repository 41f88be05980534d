import { gzipSync } from 'node:zlib'
import type { ImageFacts } from '@neuroloom/contract/viewing'
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { VolumeView } from '../../src/features/files/viewer/volume-view.tsx'
import { renderPart } from '../render.tsx'

const facts: ImageFacts = {
  ...{ format: 'nifti', size: [8, 8, 5, 3], layout: 'volume', channels: 1, dataType: 'int16', bits: 16 },
  ...{ spacing: [1, 1, 1], regions: [], frameSeconds: null, orientation: 'LPS', usual: null },
  ...{
    range: { min: 0, max: 100, mean: 50 },
    windows: [],
    unit: '',
    photometric: '',
    modality: '',
    compression: '',
  },
}

// The browser of these tests has no WebGL 2.
it('without graphics acceleration offers no tools, only the brightness that the flat slice follows', async () => {
  vi.stubGlobal('fetch', async () => new Response(gzipSync(new Uint8Array(352))))
  renderPart(<VolumeView url="/bytes/brain.nii.gz" view={{ notes: [], facts }} />)
  expect(await screen.findByText(/^Graphics acceleration .* is off/)).toBeInTheDocument()
  expect(screen.queryByRole('toolbar')).toBeNull()
  expect(screen.queryByText('Time')).toBeNull()
  expect(screen.queryByText(/^Voxel/)).toBeNull()
  expect(screen.getByText('Values')).toBeInTheDocument()
  expect(screen.getAllByRole('slider')).toHaveLength(2)
})
