/** One picture that the browser reads as a whole. */
import { drawSeen, ground, pixelsOf } from './ground.ts'
import type { Source } from './source.ts'

export async function pictureSource(blob: Blob): Promise<Source> {
  // The camera's note of how it was held counts, as everywhere a picture is read.
  const bitmap = await createImageBitmap(blob, { imageOrientation: 'from-image' })
  let isClosed = false
  return {
    size: [bitmap.width, bitmap.height, 1],
    draw(context, seen) {
      ground(context, seen.area)
      // What is still on the page when the next image is on its way may ask for one more frame.
      if (!isClosed) drawSeen(context, bitmap, seen)
    },
    pixels: async (_, rect) => pixelsOf(bitmap, rect),
    close() {
      isClosed = true
      bitmap.close()
    },
  }
}
