/** Beyond this browsers give an empty canvas. */
const mostPixels = 16_000

/** A drawing as a picture of twice its size, for screens and print; smaller where that would be too much. */
export async function pngOf({
  svg,
  width,
  height,
}: {
  svg: string
  width: number
  height: number
}): Promise<Blob> {
  const scale = Math.min(2, mostPixels / Math.max(width, height))
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error('empty canvas')) : resolve(blob)),
        'image/png',
      )
    })
  } finally {
    URL.revokeObjectURL(address)
  }
}
