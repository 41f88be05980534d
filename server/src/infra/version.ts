/** The product's version, as its package says it. */
import { readFileSync } from 'node:fs'
import * as z from 'zod'

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
export const { version: productVersion } = z.object({ version: z.string() }).parse(JSON.parse(manifest))
