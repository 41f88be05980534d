import { afterEach, expect, it, vi } from 'vitest'
import type { SeenPane } from '../../src/features/labelling/canvas/pane.ts'
import { pictureSource } from '../../src/features/labelling/source/picture.ts'

afterEach(() => vi.unstubAllGlobals())

it('an image that was let go draws the dark ground alone: a frame may still be asked for', async () => {
  const bitmap = { width: 4, height: 3, close: vi.fn() }
  vi.stubGlobal('createImageBitmap', async () => bitmap)
  const source = await pictureSource(new Blob())
  const context = { fillRect: vi.fn(), drawImage: vi.fn() }
  const seen: SeenPane = {
    plane: { axis: 2, slice: 0, width: 4, height: 3, aspect: 1, isFlippedX: false, isFlippedY: false },
    view: { x: 0, y: 0, scale: 1 },
    area: { width: 4, height: 3 },
    isMoving: false,
  }
  const draw = () => source.draw(context as unknown as CanvasRenderingContext2D, seen)
  draw()
  expect(context.drawImage).toHaveBeenCalledTimes(1)
  source.close()
  draw()
  expect(context.fillRect).toHaveBeenCalledTimes(2)
  expect(context.drawImage).toHaveBeenCalledTimes(1)
})
