import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { VideoView } from '../../src/features/files/viewer/video-view.tsx'
import { renderPart } from '../render.tsx'

/** The player, as soon as the texts are there. */
const shown = () =>
  waitFor(() => {
    const video = document.querySelector('video')
    if (!video) throw new Error('no video')
    return video
  })

it('says what to do with a video that this browser cannot play', async () => {
  renderPart(<VideoView url="/bytes/a.mp4" />)
  const video = await shown()
  expect(video).toHaveAttribute('src', '/bytes/a.mp4')
  fireEvent.error(video)
  expect(screen.getByText(/cannot play the video.*save it as MP4/)).toBeInTheDocument()
})

it('says so where it would play the sound alone before a black box', async () => {
  renderPart(<VideoView url="/bytes/b.mp4" />)
  const video = await shown()
  Object.defineProperty(video, 'videoWidth', { value: 0 })
  fireEvent.loadedMetadata(video)
  expect(screen.getByText(/only the sound.*save it as MP4/)).toBeInTheDocument()
})

it('plays what has pictures', async () => {
  renderPart(<VideoView url="/bytes/c.mp4" />)
  const video = await shown()
  Object.defineProperty(video, 'videoWidth', { value: 640 })
  fireEvent.loadedMetadata(video)
  expect(video).toBeInTheDocument()
})
