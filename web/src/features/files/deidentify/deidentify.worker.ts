import '../../../lib/jitless.ts'

import { treatFile } from './one-file.ts'
import { fileSource } from './source.ts'

self.onmessage = async ({ data }: MessageEvent<{ file: File; key: Uint8Array }>) => {
  self.postMessage(await treatFile(() => fileSource(data.file), data.key))
}
