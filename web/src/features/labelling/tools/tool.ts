/** A tool of the editor. */
import type { Bench } from './bench.ts'
import type { ToolOf } from './press.ts'

export type Tool = ToolOf<Bench>
