/** Unpacks and reads a volume beside the page. */
import { readNifti } from './nifti.ts'

addEventListener('message', async ({ data: blob }: MessageEvent<Blob>) => {
  try {
    const unpacked = blob.stream().pipeThrough(new DecompressionStream('gzip'))
    const volume = readNifti(await new Response(unpacked).arrayBuffer())
    postMessage({ volume }, { transfer: [volume.values.buffer] })
  } catch (error) {
    postMessage({ failure: String(error) })
  }
})
